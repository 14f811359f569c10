import type { ReadinessEvent } from '../../../src/management/contract.ts';
import { counted } from './words.ts';

export type EndedProbe = { readonly route: string; readonly state: string; readonly ms: number };

/** How far the probes are. `ended`: in the order of their ends, a route once. */
export type ProbeProgress = {
  readonly candidates: number;
  readonly running: readonly string[];
  readonly ended: readonly EndedProbe[];
  /** What providers listed, in words. */
  readonly discovered: readonly string[];
};

export const NO_PROBES: ProbeProgress = { candidates: 0, running: [], ended: [], discovered: [] };

export function afterStep(old: ProbeProgress, event: ReadinessEvent): ProbeProgress {
  switch (event.type) {
    case 'probing':
      return { ...old, candidates: event.providers.reduce((sum, { candidates }) => sum + candidates, 0) };
    case 'round_started':
      return { ...old, candidates: Math.max(old.candidates, event.candidates) };
    case 'discovered': {
      // It was not asked for one.
      if (event.error === null && event.models === null) return old;
      const told =
        event.error === null
          ? `${event.provider} lists ${counted(event.models ?? 0, 'model')}`
          : `${event.provider} gives no list`;
      return { ...old, discovered: [...old.discovered, told] };
    }
    case 'probe_started':
      return { ...old, running: [...without(old.running, event.route), event.route] };
    case 'probe_ended': {
      const { route, state, ms } = event;
      const ended = [...old.ended.filter((each) => each.route !== route), { route, state, ms }];
      return { ...old, running: without(old.running, route), ended };
    }
    case 'round_ended':
    case 'report':
      return { ...old, running: [] };
  }
}

const without = (routes: readonly string[], route: string): readonly string[] =>
  routes.filter((each) => each !== route);
