import type { ModelSettings } from '../model/settings.ts';
import type { AttemptRecord } from './ledger.ts';

const isEmpty = ({ outcome }: AttemptRecord): boolean => outcome === 'empty_completion';

export type EmptyTurn = {
  readonly onEmpty: ModelSettings['onEmpty'];
  /** No other route is left. */
  readonly isLast: boolean;
  readonly endsWithToolResult: boolean;
  /** Those before this one. */
  readonly attempts: readonly AttemptRecord[];
};

/** Whether an answer without output is the answer: by setting, for want of others, or since two models agree on it. */
export const acceptsEmpty = ({ onEmpty, isLast, endsWithToolResult, attempts }: EmptyTurn): boolean =>
  onEmpty === 'accept' || isLast || endsWithToolResult || attempts.some(isEmpty);

/** The empty answers that another target has put to shame: only now does their emptiness count. */
export const outdoneEmpties = (attempts: readonly AttemptRecord[], served: string): readonly AttemptRecord[] =>
  attempts.filter((attempt) => isEmpty(attempt) && attempt.target !== served);
