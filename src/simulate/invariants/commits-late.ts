import type { Blame } from './blame.ts';
import { type AttemptCase, HAIR_MS, millis, type RequestCase, settingsOf } from './index-run.ts';

/** Frames that say nothing and still fill what may be held: an attempt's answer is bound to it then, whatever comes. */
const FILLERS: ReadonlySet<string> = new Set(['flood', 'huge', 'noise']);
/** More frames than any simulated answer has before it says something. */
const FEW_EVENTS = 100;
const FEW_BYTES = 32 << 10;

/**
 * What says nothing binds nobody: a stream is given to its client from the first output on, by the provider's own moments,
 * and one that breaks before that is not given out at all.
 */
export function checkCommit(each: RequestCase, blame: Blame): void {
  const { id, served, ended } = each;
  const committedAt = served?.committed?.at;
  if (served?.send == null || committedAt === undefined || !isHeldBefore(each, served)) return;
  const { at, truth } = served.send;
  const outputMs = truth?.firstOutputMs ?? null;
  if (outputMs === null) {
    if (ended?.outcome === 'interrupted')
      blame(id, `it was bound to attempt ${served.n}, which broke before it said anything`);
  } else if (at + outputMs - committedAt > HAIR_MS) {
    blame(id, `it is bound to attempt ${served.n} ${millis(at + outputMs - committedAt)} before that says anything`);
  }
}

/** It comes in pieces, of which all that say nothing can be held. */
const isHeldBefore = (each: RequestCase, attempt: AttemptCase): boolean =>
  each.request.ask.stream && attempt.send?.behaviour.otherShape !== true && !mayBeFull(each, attempt);

function mayBeFull(each: RequestCase, attempt: AttemptCase): boolean {
  const { maxBytes, maxEvents } = settingsOf(each, attempt)?.preflight ?? { maxBytes: 0, maxEvents: 0 };
  return maxEvents < FEW_EVENTS || maxBytes < FEW_BYTES || FILLERS.has(attempt.send?.behaviour.fault?.kind ?? '');
}
