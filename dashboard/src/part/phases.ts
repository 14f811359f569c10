import type { AttemptView } from '../../../src/management/contract.ts';

/** What an attempt did between two moments of its request, in ms. */
export type Phase = { readonly name: PhaseName; readonly from: number; readonly to: number };

/** `wait`: for the head. `hold`: read and kept back, since the answer was not bound yet. `stream`: passed on. */
export type PhaseName = 'wait' | 'hold' | 'stream';

/**
 * The parts of an attempt's time. `boundMs`: when the request was bound to it; null: it never was. `nowMs` ends what has
 * no end yet. A part of no length is left out, but for the first one.
 */
export function phasesOf(attempt: AttemptView, boundMs: number | null, nowMs: number): readonly Phase[] {
  const end = attempt.ended_ms ?? Math.max(nowMs, attempt.started_ms);
  const head = Math.min(attempt.headers_ms ?? end, end);
  const bound = attempt.committed && boundMs !== null ? clamp(boundMs, head, end) : end;
  const phases: readonly Phase[] = [
    { name: 'wait', from: attempt.started_ms, to: head },
    { name: 'hold', from: head, to: bound },
    { name: 'stream', from: bound, to: end },
  ];
  return phases.filter(({ name, from, to }) => name === 'wait' || to > from);
}

const clamp = (value: number, least: number, most: number): number => Math.min(most, Math.max(least, value));

/** Round moments for an axis, four at most, behind 0: `[1000, 2000, 3000]` for 3,200 ms. */
export function ticksOf(wholeMs: number): readonly number[] {
  const power = 10 ** Math.floor(Math.log10(Math.max(wholeMs, 1)));
  const steps = [0.1, 0.2, 0.5, 1, 2, 5].map((part) => Math.max(1, part * power));
  const step = steps.find((each) => wholeMs / each <= 4.5) ?? 10 * power;
  const ticks: number[] = [];
  for (let at = step; at <= wholeMs; at += step) ticks.push(at);
  return ticks;
}
