import type { ModelSettings } from '../../core/model/settings.ts';
import { type Blame, collect } from './blame.ts';
import { type AttemptCase, indexRun, type RequestCase, type RunIndex, settingsOf } from './index-run.ts';
import type { Invariant } from './invariant.ts';
import { isServedOutcome } from './world-words.ts';

const MIB = 1 << 20;
/** One frame under assembly. */
const FRAME_BYTES = 4 * MIB;
/** What waits behind the commit. */
const BEHIND_COMMIT_BYTES = MIB;
/** One read, which is known only when it is there. */
const READ_BYTES = MIB / 4;
/** Of the body of a refusal. */
const REFUSAL_BYTES = MIB / 4;

/** (g) */
export const bounds: Invariant = {
  id: 'g',
  promise: 'what is held for clients stays within its bounds, and so does what a provider is asked at once',
  check: (run) =>
    collect('g', (blame) => {
      const index = indexRun(run);
      const { cases } = index;
      let most = 0;
      for (const each of cases) {
        most = Math.max(most, mostHeld(each));
        for (const attempt of each.attempts) checkAttempt(each, attempt, blame);
      }
      for (const { targets } of index.probes.length === 0 ? [] : run.config.models.values())
        for (const { settings } of targets) most = Math.max(most, mostOfProbe(settings));
      checkPlaces(index, blame);
      const { bufferedBytes, inFlight } = run.peaks;
      if (bufferedBytes > most * inFlight) {
        blame(
          null,
          `${bufferedBytes} bytes were held for ${inFlight} requests, of which none may hold more than ${most}`,
        );
      }
    }),
};

/** A question of a few words, and a stream that nobody takes. */
const mostOfProbe = ({ preflight }: ModelSettings): number =>
  preflight.maxBytes + FRAME_BYTES + BEHIND_COMMIT_BYTES + READ_BYTES;

/** Its body, what waits for a decision or a frame's end, and what its client has not taken. */
function mostHeld({ request, model }: RequestCase): number {
  const { ask, client } = request;
  const answers = (model?.targets ?? []).map(({ settings: { preflight } }) =>
    ask.stream ? preflight.maxBytes + FRAME_BYTES + BEHIND_COMMIT_BYTES : preflight.maxJson + FRAME_BYTES + READ_BYTES,
  );
  const answer = Math.max(0, ...answers);
  const untaken = client.wasBlocked ? (ask.row.client.windowBytes ?? 0) + answer : 0;
  return ask.body.length + answer + READ_BYTES + untaken;
}

/** What was read of an answer that was never given out was held to its end, if it was not noise. */
function checkAttempt(each: RequestCase, attempt: AttemptCase, blame: Blame): void {
  const { send, committed, ended, n } = attempt;
  const settings = settingsOf(each, attempt);
  if (send === null || committed !== null || ended === null || settings === null) return;
  if (isServedOutcome(ended.outcome) || send.behaviour.fault?.kind === 'noise') return;
  const { maxBytes, maxJson } = settings.preflight;
  const isAnswer = (send.behaviour.status ?? 200) === 200;
  const limit = !isAnswer
    ? REFUSAL_BYTES
    : each.request.ask.stream && send.behaviour.otherShape !== true
      ? maxBytes + FRAME_BYTES
      : Math.max(maxJson, maxBytes) + FRAME_BYTES;
  const slack = 2 * READ_BYTES + (send.behaviour.readAhead ?? 0) * READ_BYTES;
  if (send.delivered > limit + slack)
    blame(each.id, `${send.delivered} bytes of attempt ${n} were read before a decision`);
}

/** No more attempts under way than a provider's own limit. One that ends hands its place on at that very moment. */
function checkPlaces({ run, byProvider }: RunIndex, blame: Blame): void {
  for (const [provider, attempts] of byProvider) {
    const limit = run.config.providers.get(provider)?.limits.concurrency ?? null;
    if (limit === null) continue;
    let open: readonly AttemptCase[] = [];
    for (const attempt of attempts) {
      const { at } = attempt.started;
      open = [...open.filter(({ ended }) => ended === null || ended.at > at), attempt];
      if (open.length > limit) {
        blame(
          attempt.send?.request ?? null,
          `attempt ${attempt.n} is number ${open.length} at ${provider}, whose limit is ${limit}`,
        );
        break;
      }
    }
  }
}
