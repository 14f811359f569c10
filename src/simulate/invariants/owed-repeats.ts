import type { Outcome } from '../../core/failure/outcome.ts';
import type { Run, SimulatedSend } from '../world/run.ts';
import { type AttemptCase, HAIR_MS, type RequestCase, type RunIndex, TICK_MS } from './index-run.ts';
import { planAgain } from './plan-again.ts';

/** Trouble of a server's own, which may be over a moment later. */
const PASSING: ReadonlySet<Outcome> = new Set(['overloaded', 'server_error', 'bad_gateway']);

/** The longest of the gateway's own pauses, and that before the first repeat. */
const LONGEST_PAUSE_MS = 4000;
const FIRST_PAUSE_MS = 250;

/**
 * A request that gives up at once, though its last target was only in passing trouble and would be asked once more behind a
 * pause that is neither too long nor too late. `leftMs`: what is left of its time.
 */
export function isRepeatOwed({ run }: RunIndex, each: RequestCase, leftMs: number): boolean {
  const { attempts, ended, endedHealth } = each;
  const last = attempts.at(-1);
  const send = last?.send ?? null;
  if (last === undefined || send === null || ended === null || endedHealth === null) return false;
  if (!isPassing(last, send) || ended.at > (last.ended?.at ?? 0) + HAIR_MS || !mayRepeat(each, send)) return false;
  const pauseMs = pauseBehind(each, send);
  if (pauseMs === null || pauseMs >= leftMs) return false;
  return (
    !hasLimit(run, send) &&
    planAgain(each, endedHealth, ended.at + pauseMs).some(
      ({ route, use }) => route.id === send.route.id && use === 'serve',
    )
  );
}

const hasLimit = ({ config }: Run, { route }: SimulatedSend): boolean =>
  config.providers.get(route.provider)?.limits.concurrency != null;

/** A refusal that speaks of the server itself. */
function isPassing({ ended }: AttemptCase, { behaviour: { status }, headAt }: SimulatedSend): boolean {
  const isRefusal = typeof status === 'number' && status >= 500 && headAt !== null;
  return isRefusal && ended !== null && PASSING.has(ended.outcome);
}

/** It was the first send to that route, and the model allows a second one. */
function mayRepeat({ attempts, model }: RequestCase, { route }: SimulatedSend): boolean {
  const sameTarget = model?.settings.retry.sameTarget ?? 0;
  const isFirst = attempts.filter(({ started }) => started.route === route.id).length === 1;
  return isFirst && (sameTarget === 'auto' || sameTarget > 0);
}

/** A told delay is its floor. Null: too long, or told where it may be read or not. */
function pauseBehind({ model }: RequestCase, { toldUntil, headAt, behaviour }: SimulatedSend): number | null {
  if (behaviour.retryAfterMs !== undefined && toldUntil === null) return null;
  const toldMs = toldUntil === null || headAt === null ? 0 : toldUntil - headAt;
  const most = Math.max(LONGEST_PAUSE_MS, model?.settings.retry.waitForCooldownMs ?? 0);
  return toldMs > most ? null : Math.max(toldMs, FIRST_PAUSE_MS) + TICK_MS;
}
