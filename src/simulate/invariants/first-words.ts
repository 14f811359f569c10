import type { Truth } from '../world/run.ts';

/** Nothing is said before the first tool call, if there is one. */
export const beginsInCall = (truth: Truth | null): boolean =>
  truth !== null && truth.tools.length > 0 && truth.text.trim() === '' && truth.reasoning === '';
