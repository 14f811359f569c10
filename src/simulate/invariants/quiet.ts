import type { Run } from '../world/run.ts';
import { type Blame, collect } from './blame.ts';
import { indexRun, millis } from './index-run.ts';
import type { Invariant } from './invariant.ts';
import { isServedOutcome } from './world-words.ts';

/** A whole answer leaves its socket a moment to end its body; any other attempt lets go at once. */
const LINGER_MS = 1001;
/** A provider hears so soon that nobody waits for it any more. */
const ABORT_MS = 100;

/** (j) */
export const quiet: Invariant = {
  id: 'j',
  promise: 'nothing is stuck when the world is quiet, and nothing is left behind',
  check: (run) =>
    collect('j', (blame) => {
      for (const left of run.leftovers) blame(null, left);
      checkTimers(run, blame);
      checkEnds(run, blame);
      for (const { id, attempts } of indexRun(run).all) {
        for (const { n, ended, send } of attempts) {
          if (send === null || ended === null) continue;
          const most = isServedOutcome(ended.outcome) ? LINGER_MS : ABORT_MS;
          const overMs = (send.endedAt ?? run.quietAt) - ended.at;
          if (send.endedAt === null) blame(id, `the connection of attempt ${n} is open for ever`);
          else if (overMs > most) blame(id, `the connection of attempt ${n} stays ${millis(overMs)} behind its end`);
        }
      }
    }),
};

/** Requests, probes and rounds are over. */
function checkEnds(run: Run, blame: Blame): void {
  const { cases, probes } = indexRun(run);
  for (const { id, request } of cases) if (request.servedAt === null) blame(id, 'it was never served to the end');
  for (const { id, probe } of probes) if (probe.endedAt === null) blame(id, 'a probe without an end');
  for (const round of run.rounds)
    if (round.endedAt === null) blame(null, `a round over ${round.models.join(', ')} never ended`);
}

/**
 * The world is quiet as soon as nothing is left to happen: a timer that nobody needs any more would keep it awake. Where
 * clients ask again, or claims come late, something else may.
 */
function checkTimers(run: Run, blame: Blame): void {
  const { scenario, startedAt, quietAt, requests, sends } = run;
  const isAsked = scenario.asks.some(({ client }) => client.retries !== undefined);
  if (isAsked || scenario.stores.some(({ port }) => port === 'claims')) return;
  let lastAt = startedAt + Math.max(scenario.forMs, ...scenario.asks.map(({ fromMs }) => fromMs));
  for (const { atMs } of scenario.acts) lastAt = Math.max(lastAt, startedAt + atMs);
  for (const { servedAt, at } of requests) lastAt = Math.max(lastAt, servedAt ?? at);
  for (const { endedAt, at } of sends) lastAt = Math.max(lastAt, endedAt ?? at);
  for (const { ended } of indexRun(run).all) lastAt = Math.max(lastAt, ended?.at ?? 0);
  const overMs = quietAt - lastAt;
  if (overMs > LINGER_MS) blame(null, `something is still to happen ${millis(overMs)} behind the end of everything`);
}
