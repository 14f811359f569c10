/** Where the cause of a failed run is to be looked for. */
export const RUN_COMPONENTS = ['command', 'capacity', 'gateway', 'configuration', 'never_contacted'] as const;

export type RunComponent = (typeof RUN_COMPONENTS)[number];

/** How far a run came. `why` is in words, for people; it holds no secret. */
export type RunCourse =
  /** No gateway could be had: its configuration, or itself. */
  | { readonly type: 'refused'; readonly component: 'configuration' | 'gateway'; readonly why: string }
  /** No route was ready. `misconfigured`: each of them refuses the gateway's own keys or names. */
  | { readonly type: 'not_ready'; readonly misconfigured: boolean; readonly why: string }
  /** A signal came before the command was started: somebody has called it off. */
  | { readonly type: 'stopped'; readonly signal: string }
  /** There is no such command, or it may not be run. */
  | { readonly type: 'no_child'; readonly why: string }
  /** `code` is what the command ended with, 128 and the signal's number where one ended it. */
  | { readonly type: 'ended'; readonly code: number; readonly signal: string | null };

/** What the gateway saw of the command's requests; those that a client's own repeat made good are not lost. */
export type RunLosses = {
  readonly requests: number;
  /** Something came to its port, were it no request for a model. */
  readonly contacted: boolean;
  readonly capacity: number;
  readonly configuration: number;
  readonly gateway: number;
  /** Faults of the gateway that belong to no request. */
  readonly faults: number;
};

export type RunVerdict = {
  readonly outcome: 'ok' | 'failed';
  /** Null: nothing is to be looked for, since it went well or was called off. */
  readonly component: RunComponent | null;
};

/**
 * Whether a run went well, and else where to look. Final outcomes decide: what was tried in vain before an answer came is
 * no failure, and what was lost matters only where the command failed.
 */
export function judgeRun(course: RunCourse, losses: RunLosses): RunVerdict {
  if (course.type === 'ended' && course.code === 0) return { outcome: 'ok', component: null };
  return { outcome: 'failed', component: componentOf(course, losses) };
}

function componentOf(course: RunCourse, losses: RunLosses): RunComponent | null {
  switch (course.type) {
    case 'refused':
      return course.component;
    case 'not_ready':
      return course.misconfigured ? 'configuration' : 'capacity';
    case 'stopped':
      return null;
    case 'no_child':
      return 'command';
    case 'ended':
      return LOSSES.find(([, isSo]) => isSo(losses))?.[0] ?? 'command';
  }
}

/** Of a command that failed: the first line that is so. */
const LOSSES: readonly (readonly [RunComponent, (losses: RunLosses) => boolean])[] = [
  ['gateway', ({ gateway, faults }) => gateway > 0 || faults > 0],
  ['configuration', ({ configuration }) => configuration > 0],
  ['capacity', ({ capacity }) => capacity > 0],
  ['never_contacted', ({ requests, contacted }) => requests === 0 && !contacted],
];
