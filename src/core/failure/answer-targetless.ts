import type { VirtualModel } from '../routing/candidate.ts';
import { clientError } from './answer.ts';
import type { ClientError } from './client-error.ts';

/** Lists are read within seconds. */
const AWAITED_MS = 1000;

/**
 * What a client is told of a model whose targets come out of lists that hold none: null for every other model. While a list
 * is being read for the first time it may come back at once; else nobody knows when there will be one.
 */
export function answerTargetless(
  { name, targets, isAwaited }: Pick<VirtualModel, 'name' | 'targets' | 'isAwaited'>,
  maxRetryAfterMs: number,
): ClientError | null {
  if (targets.length > 0) return null;
  const shown = JSON.stringify(name);
  if (isAwaited === true) {
    return clientError('no_target_available', {
      message: `The model ${shown} has no target yet: the lists of its providers are being read. Try again in ${AWAITED_MS / 1000} s.`,
      reason: 'discovery_under_way',
      retryAfterMs: AWAITED_MS > maxRetryAfterMs ? null : AWAITED_MS,
    });
  }
  return clientError('no_target_available', {
    message: `The model ${shown} has no target: what its providers list holds none that fits, or no list could be read.`,
    reason: 'no_listed_target',
  });
}
