import type { SimulatedRequest } from '../world/run.ts';
import { isAnswered, type RecordedRequest } from './recorded.ts';
import type { ReplayChanges } from './report.ts';

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
