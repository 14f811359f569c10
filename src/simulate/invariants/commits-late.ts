import type { Blame } from './blame.ts';
import { beginsInCall } from './first-words.ts';
import { type AttemptCase, HAIR_MS, millis, type RequestCase, settingsOf } from './index-run.ts';

/** Frames that say nothing and still fill what may be held: an attempt's answer is bound to it then, whatever comes. */
const FILLERS: ReadonlySet<string> = new Set(['flood', 'huge', 'noise']);
/** More frames than any simulated answer has before it says something. */
const FEW_EVENTS = 100;
const FEW_BYTES = 32 << 10;

/**
 * What says nothing binds nobody, and what says something is not kept back: a stream is given to its client from the first
 * output on, by the provider's own moments, and one that breaks before that is not given out at all.
 */
export function checkCommit(each: RequestCase, blame: Blame): void {
  const { id, served, ended } = each;
  const committedAt = served?.committed?.at;
  if (served?.send == null || committedAt === undefined || !isHeldBefore(each, served)) return;
  const outputMs = served.send.truth?.firstOutputMs ?? null;
  if (outputMs !== null) checkMoment(each, served, committedAt - (served.send.at + outputMs), blame);
  else if (ended?.outcome === 'interrupted')
    blame(id, `it was bound to attempt ${served.n}, which broke before it said anything`);
}

function checkMoment(each: RequestCase, served: AttemptCase, lateMs: number, blame: Blame): void {
  const { id } = each;
  const { n } = served;
  if (lateMs < -HAIR_MS) blame(id, `it is bound to attempt ${n} ${millis(-lateMs)} before that says anything`);
  if (lateMs > HAIR_MS && !mayThinkFirst(each, served) && !beginsWithCall(each, served) && !mayBeBlocked(each)) {
    blame(id, `attempt ${n} speaks, and nobody hears it for ${millis(lateMs)}`);
  }
}

/** Visible reasoning alone binds nobody where the answer itself is waited for. */
const mayThinkFirst = (each: RequestCase, attempt: AttemptCase): boolean =>
  settingsOf(each, attempt)?.commitOn === 'answer' && (attempt.send?.truth?.reasoning ?? '') !== '';

/** Gemini's calls are whole at once: one that is all that was said so far waits for the frame behind it. */
const beginsWithCall = (each: RequestCase, attempt: AttemptCase): boolean =>
  attempt.send?.protocol === 'gemini' &&
  settingsOf(each, attempt)?.holdToolEnd !== false &&
  beginsInCall(attempt.send.truth);

/** Pings alone may be more than it takes: until it has taken them, nothing is read from the provider. */
const mayBeBlocked = ({ request }: RequestCase): boolean => request.ask.row.client.windowBytes !== undefined;

/** It comes in pieces, of which all that say nothing can be held. */
const isHeldBefore = (each: RequestCase, attempt: AttemptCase): boolean =>
  each.request.ask.stream && attempt.send?.behaviour.otherShape !== true && !mayBeFull(each, attempt);

function mayBeFull(each: RequestCase, attempt: AttemptCase): boolean {
  const { maxBytes, maxEvents } = settingsOf(each, attempt)?.preflight ?? { maxBytes: 0, maxEvents: 0 };
  return maxEvents < FEW_EVENTS || maxBytes < FEW_BYTES || FILLERS.has(attempt.send?.behaviour.fault?.kind ?? '');
}
