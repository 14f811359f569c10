import { assert, type IPropertyWithHooks } from 'fast-check';
import { takeRuns } from './seed.ts';

/** Runs a property of synchronous code, `runs` times or more (`UNDERSTUDY_RUNS`); a failure prints the seed and path that repeat it. */
export function assertProperty<T>(property: IPropertyWithHooks<T>, runs = 100): void {
  const outcome: unknown = assert(property, { numRuns: takeRuns(runs) });
  if (outcome !== undefined) throw new Error('An asynchronous property must be awaited.');
}
