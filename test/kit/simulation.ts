import { createMemoryHealthStore } from '../../src/adapter/store-memory/health-store.ts';
import type { Fact } from '../../src/core/attempt/ledger.ts';
import { readView } from '../../src/simulate/client/read-view.ts';
import { runScenario, type SimulationHost } from '../../src/simulate/run-scenario.ts';
import type { AskRow, Behaviour, ProviderRow, Scenario } from '../../src/simulate/scenario/scenario.ts';
import type { Run, SeenFact, SimulatedRequest, SimulatedSend } from '../../src/simulate/world/run.ts';
import { loadWorldConfig } from '../../src/simulate/world/world-config.ts';
import { foldFacts } from './facts.ts';
import { servePromises } from './virtual-clock.ts';

/** What a simulated world needs of the outside. */
export const SIMULATION_HOST: SimulationHost = {
  createHealthStore: (options) => createMemoryHealthStore(options),
  settle: servePromises,
};

/** Plays a scenario with its own configuration. Throws where that is not valid. */
export async function playScenario(scenario: Scenario): Promise<Run> {
  const loaded = loadWorldConfig(scenario.config ?? {});
  if (!loaded.ok) throw new Error(`the scenario's configuration is not valid: ${JSON.stringify(loaded)}`);
  return await runScenario({ scenario, config: loaded.config, host: SIMULATION_HOST });
}

type Json = Readonly<Record<string, unknown>>;

/** Two providers on hosts of their own, each with one key; `more` of the configuration stands above that. */
export const twoProviders = (protocol: AskRow['protocol'], model: Json = {}, more: Json = {}): Json => ({
  providers: Object.fromEntries(
    ['a', 'b'].map((name) => [
      name,
      { protocol, baseUrl: `https://${name}.test/v1`, apiKey: `sk-sim-${name}-4f1c9a2e7b3d` },
    ]),
  ),
  models: { main: { targets: ['a/m', 'b/m'], keepalive: 'off', affinity: 'off', ...model } },
  ...more,
});

export const askRow = (change: Partial<AskRow> = {}): AskRow => ({
  model: 'main',
  protocol: 'openai-chat',
  perSecond: null,
  count: 1,
  fromMs: 0,
  untilMs: null,
  arrival: 'even',
  shape: {},
  client: {},
  ...change,
});

/** What a route does, always or within a change. */
export const doesAs = (routes: string, does: Behaviour, change: Partial<ProviderRow> = {}): ProviderRow => ({
  routes,
  fromMs: 0,
  untilMs: null,
  does,
  ...change,
});

export const scenarioOf = (change: Partial<Scenario> = {}): Scenario => ({
  seed: 1,
  config: twoProviders('openai-chat'),
  forMs: 60_000,
  asks: [askRow()],
  providers: [],
  accounts: [],
  acts: [],
  stores: [],
  ...change,
});

type Mutable<T> = { -readonly [K in keyof T]: T[K] };

/** A request as it was, but for some of it; what follows from that (ledger, view) is made anew. */
export function changeRequest(request: SimulatedRequest, change: Partial<SimulatedRequest>): SimulatedRequest {
  const next: Mutable<SimulatedRequest> = { ...request, ...change };
  if (change.facts !== undefined && change.ledger === undefined) next.ledger = foldOrKeep(request, change.facts);
  next.view = () => readView(next.ask.protocol, next.ask.stream, next.client);
  return next;
}

/** Facts that break a law add up to nothing: the ledger is then as it was. */
function foldOrKeep({ ledger }: SimulatedRequest, facts: readonly SeenFact[]): SimulatedRequest['ledger'] {
  try {
    return foldFacts(facts.map(({ fact }) => fact));
  } catch {
    return ledger;
  }
}

/** A run in which one request (by its place) was another. */
export const withRequest = (
  run: Run,
  place: number,
  change: (request: SimulatedRequest) => Partial<SimulatedRequest>,
): Run => ({
  ...run,
  requests: run.requests.map((each, n) => (n === place ? changeRequest(each, change(each)) : each)),
});

/** A run in which one send (by its number) was another. */
export const withSend = (run: Run, place: number, change: Partial<SimulatedSend>): Run => ({
  ...run,
  sends: run.sends.map((each, n) => (n === place ? { ...each, ...change } : { ...each })),
});

/** Facts of one kind (and attempt) changed. */
export function changeFacts<T extends Fact['type']>(
  { facts }: Pick<SimulatedRequest, 'facts'>,
  type: T,
  change: (fact: Extract<Fact, { type: T }>) => Partial<Extract<Fact, { type: T }>>,
): readonly SeenFact[] {
  const isOfType = (fact: Fact): fact is Extract<Fact, { type: T }> => fact.type === type;
  return facts.map(({ fact, health }) => ({ fact: isOfType(fact) ? { ...fact, ...change(fact) } : fact, health }));
}

/** A client of which some things are otherwise. */
export const changeClient = (
  client: SimulatedRequest['client'],
  change: Partial<Pick<SimulatedRequest['client'], 'text' | 'status' | 'headers'>>,
): SimulatedRequest['client'] =>
  Object.create(client, Object.fromEntries(Object.entries(change).map(([name, value]) => [name, { value }])));

/** A client that got another text, at once. */
export const withText = (
  client: SimulatedRequest['client'],
  change: (text: string) => string,
): SimulatedRequest['client'] => changeClient(client, { text: change(client.text) });
