import { resolveModel } from '../../config/resolve.ts';
import type { RuntimeConfig } from '../../config/runtime.ts';
import { rateOf, tally } from '../report/tally.ts';
import { runScenario, type SimulationHost } from '../run-scenario.ts';
import type { AskRow, Scenario } from '../scenario/scenario.ts';
import { requestId } from '../world/client-side.ts';
import type { Run } from '../world/run.ts';
import { chooseExamples, countAnswered, countChanges, type Replayed } from './count-changes.ts';
import { ASSUMED, createEvidence } from './evidence.ts';
import { isAnswered, type RecordedRequest } from './recorded.ts';
import type { ReplayReport } from './report.ts';

export type Replaying = {
  /** In any order. */
  readonly requests: readonly RecordedRequest[];
  /** The one to try. */
  readonly config: RuntimeConfig;
  readonly host: SimulationHost;
};

/** What simulated clients and providers speak. */
const SPOKEN: readonly string[] = ['openai-chat', 'openai-responses', 'anthropic-messages', 'gemini'];

/**
 * Asks requests of the past again, each at its own moment, of the gateway's engine with another configuration, in
 * virtual time. Providers do what they did then, as far as attempts on record tell it.
 */
export async function replayRequests({ requests, config, host }: Replaying): Promise<ReplayReport> {
  const usable = requests.filter(isUsable).toSorted((left, right) => left.at - right.at);
  const [asked, refused] = [true, false].map((isKnown) =>
    usable.filter(({ model }) => (resolveModel(config, model ?? '') !== undefined) === isKnown),
  ) as [RecordedRequest[], RecordedRequest[]];
  const run = await play(asked, requests, config, host);
  const replayed = match(asked, run);
  const unknown = run.sends.filter(({ behaviour }) => behaviour === ASSUMED).length;
  const changes = countChanges(replayed);
  const gone = {
    requests: refused.length,
    answered_then: refused.filter(({ outcome }) => isAnswered(outcome)).length,
    models: tally(refused, ({ model }) => model ?? '').map(([model, all]) => ({ model, requests: all.length })),
  };
  return {
    config: config.file,
    from: timeOf(usable[0]),
    until: timeOf(usable.at(-1)),
    left_out: requests.length - usable.length,
    replayed: asked.length,
    refused: gone,
    answered: countAnswered(changes, gone),
    changes,
    examples: chooseExamples(replayed),
    sends: {
      before: asked.reduce((sum, { attempts }) => sum + attempts.length, 0),
      after: run.sends.length,
      unknown,
      unknown_share: rateOf(unknown, run.sends.length),
    },
    served: countServed(replayed),
    leftovers: run.leftovers,
  };
}

const isUsable = ({ model, outcome, isPlanned, protocol }: RecordedRequest): boolean =>
  model !== null && outcome !== null && isPlanned && SPOKEN.includes(protocol);

/** ISO 8601. */
const timeOf = (request: RecordedRequest | undefined): string | null =>
  request === undefined ? null : new Date(request.at).toISOString();

/** `asked`: in the order of time. */
async function play(
  asked: readonly RecordedRequest[],
  known: readonly RecordedRequest[],
  config: RuntimeConfig,
  host: SimulationHost,
): Promise<Run> {
  const beganAt = asked[0]?.at ?? 0;
  const evidence = createEvidence(known);
  const byId = new Map(asked.map((request, i) => [requestId(i + 1), request]));
  return await runScenario({
    scenario: scenarioOf(asked, beganAt),
    config,
    host,
    // What is on record was asked by clients: nobody knows what a probe would have met.
    hasProber: false,
    answers(route, atMs, id) {
      const request = byId.get(id);
      return request === undefined ? ASSUMED : evidence.answer(request, route.id, beganAt + atMs);
    },
  });
}

const scenarioOf = (asked: readonly RecordedRequest[], beganAt: number): Scenario => ({
  seed: 1,
  config: null,
  forMs: (asked.at(-1)?.at ?? beganAt) - beganAt + 1,
  asks: asked.map((request) => askOf(request, request.at - beganAt)),
  providers: [],
  accounts: [],
  acts: [],
  stores: [],
});

/** Who left then leaves now, after the same time. */
function askOf({ model, protocol, stream, key, outcome, durationMs }: RecordedRequest, fromMs: number): AskRow {
  const leaves = outcome === 'client_closed' && durationMs !== null ? { leavesAfterMs: durationMs } : {};
  return {
    model: model ?? '',
    protocol,
    perSecond: null,
    count: 1,
    fromMs,
    untilMs: null,
    arrival: 'even',
    shape: { stream, ...(key === null ? {} : { key }) },
    client: leaves,
  };
}

function match(asked: readonly RecordedRequest[], { requests, sends }: Run): readonly Replayed[] {
  const unknown = new Set(
    sends.filter(({ behaviour }) => behaviour === ASSUMED).map(({ request, attempt }) => `${request} ${attempt}`),
  );
  return asked.flatMap((recorded, i) => {
    const request = requests[i];
    if (request === undefined) return [];
    return [{ recorded, request, isUnknown: unknown.has(`${request.id} ${request.ledger.committed}`) }];
  });
}

function countServed(replayed: readonly Replayed[]): ReplayReport['served'] {
  const answered = (outcome: RecordedRequest['outcome'], by: string | null): string[] =>
    by !== null && isAnswered(outcome) ? [by] : [];
  const sides = replayed.flatMap(({ recorded, request: { ledger }, isUnknown }) => [
    ...answered(recorded.outcome, recorded.servedBy).map((target) => ({ target, isNow: false, isUnknown: false })),
    ...answered(ledger.ended?.outcome ?? null, ledger.ended?.servedBy ?? null).map((target) => ({
      target,
      isNow: true,
      isUnknown,
    })),
  ]);
  return tally(sides, ({ target }) => target).map(([target, all]) => {
    const now = all.filter(({ isNow }) => isNow);
    return {
      target,
      before: all.length - now.length,
      after: now.length,
      after_unknown: now.filter((each) => each.isUnknown).length,
    };
  });
}
