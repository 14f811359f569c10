import type { RunComponent, RunCourse, RunLosses, RunVerdict } from '../../core/readiness/run-verdict.ts';
import { countLost, type RunTally, type ToldRequest } from './run-tally.ts';

/** `verdict.json`. Every member is always there; what is not known is null. */
export type VerdictFile = {
  readonly contract: 'understudy-run-v1';
  /** `unfinished`: as it stands while the run is under way, and for good where it was killed. */
  readonly outcome: 'ok' | 'failed' | 'unfinished';
  readonly component: RunComponent | null;
  /** One sentence; null: there is nothing to say. */
  readonly message: string | null;
  readonly exit_code: number | null;
  readonly command: {
    /** Without its folder and its arguments, which may hold anything. */
    readonly name: string;
    readonly started: boolean;
    readonly exit_code: number | null;
    readonly signal: string | null;
  };
  /** Signals that were passed on to it. */
  readonly forwarded: readonly string[];
  readonly started_at: string;
  readonly ended_at: string | null;
  readonly duration_ms: number;
  readonly model: string | null;
  /** What was waited for; null: nothing was. */
  readonly readiness: {
    readonly model: string;
    readonly wanted: number;
    readonly ready: number;
    readonly waited_ms: number;
  } | null;
  readonly requests: {
    readonly total: number;
    readonly served: number;
    /** Of those served: after an attempt that failed. */
    readonly recovered: number;
    /** Given up by their client, and of these without a word of an answer. */
    readonly left: number;
    readonly unanswered: number;
    readonly lost: ReturnType<typeof countLost>;
    readonly outcomes: Readonly<Record<string, number>>;
  };
  /** Something came to the gateway's port. */
  readonly contacted: boolean;
  readonly faults: number;
  /** The first of those that nobody made good. */
  readonly lost_requests: readonly Pick<
    ToldRequest,
    'id' | 'model' | 'outcome' | 'component' | 'reason' | 'status' | 'blame'
  >[];
};

const MOST_LOST = 20;

/** The counts of a verdict. */
export function tellTally(tally: RunTally): Pick<VerdictFile, 'requests' | 'lost_requests'> {
  const { requests: total, served, recovered, left, unanswered, outcomes } = tally;
  const lost = [...tally.lost.values()].filter(({ madeGood }) => !madeGood).slice(0, MOST_LOST);
  return {
    requests: {
      total,
      served,
      recovered,
      left,
      unanswered,
      lost: countLost(tally),
      outcomes: Object.fromEntries(outcomes),
    },
    lost_requests: lost.map(({ id, model, outcome, component, reason, status, blame }) => ({
      id,
      model,
      outcome,
      component,
      reason,
      status,
      blame,
    })),
  };
}

export const lossesOf = (tally: RunTally, seen: Pick<RunLosses, 'contacted' | 'faults'>): RunLosses => {
  const { capacity, configuration, gateway } = countLost(tally);
  return { requests: tally.requests, capacity, configuration, gateway, ...seen };
};

const plural = (n: number, word: string): string => `${n} ${word}${n === 1 ? '' : 's'}`;

/** What there is to say of a run, in one sentence without its line end; null: the command's own words say it all. */
export function messageOf(course: RunCourse, { component }: RunVerdict, losses: RunLosses): string | null {
  switch (course.type) {
    case 'refused':
    case 'no_child':
      return course.why;
    case 'not_ready':
      return `the command was not started: ${course.why}`;
    case 'stopped':
      return `stopped by ${course.signal} before the command was started`;
    case 'ended':
      return component === null ? tellOk(losses) : tellFailed(component, losses);
  }
}

const tellOk = ({ requests, contacted }: RunLosses): string | null =>
  requests === 0 && !contacted ? `the command never asked the gateway: ${UNASKED}` : null;

const UNASKED = 'does it read OPENAI_BASE_URL, ANTHROPIC_BASE_URL or GOOGLE_GEMINI_BASE_URL?';

function tellFailed(component: RunComponent, losses: RunLosses): string | null {
  const lost = (count: number): string =>
    `${count} of its ${plural(losses.requests, 'request')} ended without an answer`;
  switch (component) {
    case 'gateway':
      return losses.gateway > 0
        ? `the gateway is at fault: the command failed, and ${lost(losses.gateway)} by a fault of the gateway`
        : `the gateway is at fault: the command failed, and the gateway met ${plural(losses.faults, 'fault')} of its own`;
    case 'configuration':
      return `the configuration is at fault: the command failed, and ${lost(losses.configuration)}, since the providers refuse the gateway's own keys, plans or model names`;
    case 'capacity':
      return `no capacity: the command failed, and ${lost(losses.capacity)}, since no route could serve`;
    case 'never_contacted':
      return `the command failed without ever asking the gateway: look elsewhere (${UNASKED})`;
    case 'command':
      return null;
  }
}
