import type { SimulatedRequest } from '../world/run.ts';
import { isAnswered, type RecordedRequest } from './recorded.ts';
import type { ReplayChanges, ReplayExample, ReplayReport } from './report.ts';

/** A request of the past, and what became of it now. */
export type Replayed = {
  readonly recorded: RecordedRequest;
  readonly request: SimulatedRequest;
  /** It was answered by a send of which nothing is known. */
  readonly isUnknown: boolean;
};

const LEFT: readonly unknown[] = ['client_closed', 'abandoned'];

export function changeOf({ recorded, request, isUnknown }: Replayed): keyof ReplayChanges {
  const now = request.ledger.ended;
  if (LEFT.includes(recorded.outcome) || LEFT.includes(now?.outcome)) return 'client_left';
  const [didThen, doesNow] = [isAnswered(recorded.outcome), isAnswered(now?.outcome ?? null)];
  if (!doesNow) return didThen ? 'lost' : 'failed_both';
  if (isUnknown) return didThen ? 'unknown_answered_then' : 'unknown_failed_then';
  if (!didThen) return 'rescued';
  return now?.servedBy === recorded.servedBy ? 'same_target' : 'other_target';
}

export function countChanges(all: readonly Replayed[]): ReplayChanges {
  const counts: Record<keyof ReplayChanges, number> = {
    same_target: 0,
    other_target: 0,
    rescued: 0,
    lost: 0,
    failed_both: 0,
    client_left: 0,
    unknown_answered_then: 0,
    unknown_failed_then: 0,
  };
  for (const each of all) counts[changeOf(each)] += 1;
  return counts;
}

/** How many were answered then and are now; `refused` are those whose name is gone. */
export function countAnswered(changes: ReplayChanges, refused: ReplayReport['refused']): ReplayReport['answered'] {
  const unknown = changes.unknown_answered_then + changes.unknown_failed_then;
  const both = changes.same_target + changes.other_target;
  return {
    of: Object.values(changes).reduce((sum, count) => sum + count, 0) - changes.client_left + refused.requests,
    before: both + changes.lost + changes.unknown_answered_then + refused.answered_then,
    after: both + changes.rescued + unknown,
    after_unknown: unknown,
  };
}

/** What a plan is changed for, first. */
const SHOWN: readonly (keyof ReplayChanges)[] = [
  'lost',
  'rescued',
  'unknown_failed_then',
  'other_target',
  'unknown_answered_then',
];
const MOST_SHOWN = 5;

/** The first of each kind for which something changes, to be looked up in the record. */
export function chooseExamples(all: readonly Replayed[]): readonly ReplayExample[] {
  const examples = all.map(exampleOf);
  return SHOWN.flatMap((change) => examples.filter((example) => example.change === change).slice(0, MOST_SHOWN));
}

function exampleOf(replayed: Replayed): ReplayExample {
  const { recorded, request } = replayed;
  const now = request.ledger.ended;
  return {
    change: changeOf(replayed),
    id: recorded.id,
    before: endOf(recorded.outcome, recorded.servedBy),
    after: endOf(now?.outcome ?? null, now?.servedBy ?? null),
  };
}

const endOf = (outcome: RecordedRequest['outcome'], servedBy: string | null): string =>
  (isAnswered(outcome) ? servedBy : null) ?? outcome ?? 'open';
