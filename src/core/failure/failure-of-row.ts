import type { Failure } from './failure.ts';
import { FAILURE_TABLE } from './table.ts';

/**
 * A failure of which nothing is known but its row (by its id) and why, in words. Throws for a row that is not there.
 */
export function failureOfRow(id: string, reason: string): Failure {
  const row = FAILURE_TABLE.find((each) => each.id === id);
  if (row === undefined) throw new RangeError(`no row ${id} in the failure table`);
  const { outcome, component, onward, again, scope, hold, weight, requestShaped = false, feature = null } = row.effect;
  return {
    row: id,
    outcome,
    component,
    onward,
    again: again === true,
    scope,
    hold,
    weight,
    refusal: false,
    requestShaped,
    toldDelayMs: null,
    feature,
    status: null,
    code: null,
    param: null,
    type: null,
    reason,
  };
}
