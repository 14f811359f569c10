import { ANSWER_FAULTS, type AnswerFault, type Problem, type Result } from './check-answer.ts';
import { RECORD_FAULTS, type RecordFault } from './check-record.ts';
import type { Send } from './draw-plan.ts';
import type { FaultName } from './faults.ts';

export type FaultKind = AnswerFault | RecordFault;

export const FAULT_KINDS: Readonly<Record<FaultKind, string>> = { ...ANSWER_FAULTS, ...RECORD_FAULTS };

/** The sums of a run. What is wrong is kept in words for the first requests only. */
export type Tally = {
  requests: number;
  sends: number;
  readonly results: Record<Result, number>;
  readonly faults: Map<FaultName, number>;
  /** Requests that at least one failed send stood before, and which came whole all the same. */
  rescued: number;
  readonly problems: Record<FaultKind, number>;
  readonly first: string[];
};

const MOST_KEPT = 40;

export const createTally = (): Tally => ({
  requests: 0,
  sends: 0,
  results: { whole: 0, interrupted: 0, failed: 0, left: 0 },
  faults: new Map(),
  rescued: 0,
  problems: Object.fromEntries(Object.keys(FAULT_KINDS).map((kind) => [kind, 0])) as Record<FaultKind, number>,
  first: [],
});

export function countProblem(tally: Tally, tag: string, { kind, text }: Problem<FaultKind>, more = ''): void {
  tally.problems[kind] += 1;
  if (tally.first.length < MOST_KEPT) tally.first.push(`${tag}: ${kind}: ${text}${more === '' ? '' : `\n    ${more}`}`);
}

export function countSend(tally: Tally, { plan }: Send): void {
  tally.sends += 1;
  if (plan.fault !== null) tally.faults.set(plan.fault, (tally.faults.get(plan.fault) ?? 0) + 1);
}

export const injected = ({ faults }: Tally): number => [...faults.values()].reduce((sum, count) => sum + count, 0);

export const faultCount = ({ problems }: Tally): number =>
  Object.values(problems).reduce((sum, count) => sum + count, 0);
