import { expect } from 'vitest';
import { createMemoryHealthStore } from '../../src/adapter/store-memory/health-store.ts';
import { createMemoryLedgerStore } from '../../src/adapter/store-memory/ledger-store.ts';
import type { AttemptRecord, Fact, RequestLedger } from '../../src/core/attempt/ledger.ts';
import type { VirtualModel } from '../../src/core/routing/candidate.ts';
import { createEngine } from '../../src/engine/create-engine.ts';
import type { Call, Engine, EnginePorts } from '../../src/engine/index.ts';
import { createTranslationsHere } from '../../src/engine/translate-here.ts';
import type { HealthStore } from '../../src/port/health-store.ts';
import type { HttpRequest } from '../../src/port/http-client.ts';
import { createNetwork, type Network, type Play, type Send } from '../../src/simulate/world/network.ts';
import { createSimulatedClient, type SimulatedClient } from '../../src/simulate/world/simulated-client.ts';
import { type Ask, type BenchOptions, callOf, mergeSettings, providersOf, targetOf } from './bench-call.ts';
import { foldFacts } from './facts.ts';
import { HEALTH, MODEL_SETTINGS, makeModel } from './health-fixtures.ts';
import { says } from './plays.ts';
import { createSeededRandom } from './seeded-random.ts';
import { createVirtualClock, type VirtualClock } from './virtual-clock.ts';

export type Asked = {
  readonly id: string;
  readonly at: number;
  readonly client: SimulatedClient;
  readonly done: Promise<void>;
  /** `serve` has resolved. */
  readonly isDone: boolean;
  readonly facts: readonly Fact[];
  readonly ledger: RequestLedger;
  readonly attempts: readonly AttemptRecord[];
  /** Outcomes of the attempts, in order. */
  readonly outcomes: readonly (string | null)[];
  readonly outcome: string | null;
  /** Data of the SSE frames that the client has; comments apart. */
  readonly data: readonly string[];
  /** The error that the client was told, in a body or in a stream. */
  readonly error: WireError | null;
};

export type WireError = {
  readonly code: string;
  readonly message: string;
  readonly understudy: {
    readonly component: string;
    readonly reason: string;
    readonly attempts: readonly { readonly target: string; readonly outcome: string }[];
    readonly retry_after_ms?: number;
    readonly should_retry?: boolean;
  };
};

export type Notice = { readonly level: string; readonly message: string };

export type EngineBench = {
  readonly clock: VirtualClock;
  readonly engine: Engine;
  readonly http: Network;
  readonly health: HealthStore;
  readonly model: VirtualModel;
  readonly notices: readonly Notice[];
  readonly ended: readonly RequestLedger[];
  /** What a provider does with its next requests; the last entry repeats. */
  play(provider: string, ...plays: readonly Play[]): void;
  /** What becomes of the n-th send of all, from 0. */
  playEach(play: (n: number) => Play): void;
  /** All facts, in order. */
  readonly facts: readonly Fact[];
  ask(ask?: Ask): Asked;
  /** A call as `ask` makes it, for who needs its parts. */
  callOf(ask?: Ask): Call;
  /** Lets time pass. */
  pass(ms: number): Promise<void>;
  /** Serves promises, and timers of this moment. */
  now(): Promise<void>;
  /** Lets time pass until nothing is pending, then checks that nothing is left anywhere. */
  quiet(): Promise<void>;
  /** Asks and waits until the request has its end. */
  run(ask?: Ask): Promise<Asked>;
  sendsTo(provider: string): readonly Send[];
  word(route: string): string;
};

/** The engine over memory stores, scripts and virtual time, with the real Chat codec. */
export function createEngineBench(options: BenchOptions = {}): EngineBench {
  const clock = createVirtualClock();
  const settings = mergeSettings(MODEL_SETTINGS, options.settings ?? {});
  const targets = (options.targets ?? ['a', 'b']).map((plan) => targetOf(plan, settings));
  const model = makeModel(targets, { affinity: false, settings, ...options.model });
  const providers = providersOf(targets, options.limits ?? {});
  const plays = new Map<string, Play[]>();
  let playEach: ((n: number) => Play) | null = null;
  let sent = 0;
  const http = createNetwork(clock, (request) => playEach?.(sent++) ?? nextPlay(plays, request));
  const facts: Fact[] = [];
  const notices: Notice[] = [];
  const ended: RequestLedger[] = [];
  const health = createMemoryHealthStore({ settings: () => options.health ?? HEALTH });
  health.retain(targets.flatMap(({ routes }) => routes));
  const store = createMemoryLedgerStore();
  const base: EnginePorts = {
    clock,
    random: createSeededRandom(options.seed ?? 1),
    http,
    health,
    ledger: {
      ...store,
      append(fact) {
        facts.push(fact);
        store.append(fact);
      },
    },
    telemetry: {
      requestEnded: (ledger) => void ended.push(ledger),
      attemptStarted: () => {},
      attemptEnded: () => {},
      notice: (level, message) => void notices.push({ level, message }),
    },
    translation: createTranslationsHere(),
    owner: { boot: 'boot', worker: 0 },
    failureRows: () => [],
    clean: (text) => text.replaceAll(/key[ -]of[ -]\w+/g, '[secret]'),
  };
  const engine = createEngine({ ...base, ...options.ports?.(base) });
  const asked: SimulatedClient[] = [];
  let ids = 0;

  const bench: EngineBench = {
    clock,
    engine,
    http,
    health,
    model,
    notices,
    ended,
    play(provider, ...list) {
      plays.set(provider, [...list]);
    },
    playEach(play) {
      playEach = play;
    },
    facts,
    ask(ask = {}) {
      const client = createSimulatedClient(clock, ask.client);
      asked.push(client);
      ids += 1;
      const call = callOf(`req_${ids}`, clock.now(), ask, model, options, providers);
      const track = { isDone: false };
      const done = engine.serve(call, client).then(() => {
        track.isDone = true;
        client.stop();
      });
      return createAsked(call, client, done, track, facts);
    },
    callOf: (ask = {}) => callOf('call', clock.now(), ask, model, options, providers),
    pass: (ms) => clock.advanceAsync(ms),
    now: () => clock.advanceAsync(0),
    async run(ask) {
      const one = bench.ask(ask);
      while (!one.isDone && (await clock.step()));
      await bench.now();
      expect(one.isDone, 'the request has no end').toBe(true);
      return one;
    },
    async quiet() {
      while (await clock.step());
      const left = leftOver({ engine, clock, http, violations: store.violations(), clients: asked });
      if (left.length > 0) throw new Error(`the world is not quiet: ${left.join('; ')}`);
    },
    sendsTo: (provider) => http.sends.filter(({ request }) => providerOf(request) === provider),
    word(id) {
      const route = targets.flatMap(({ routes }) => routes).find((one) => one.id === id || one.target === `${id}/m`);
      const plan = engine.plan(callOf('plan', clock.now(), {}, model, options, providers));
      return plan.candidates.find((candidate) => candidate.route.id === route?.id)?.availability.state ?? 'unknown';
    },
  };
  return bench;
}

type Rest = Pick<EngineBench, 'engine' | 'clock' | 'http'> & {
  readonly violations: number;
  readonly clients: readonly SimulatedClient[];
};

/** What is left when nothing can happen any more, and what nobody may do. */
function leftOver({ engine, clock, http, violations, clients }: Rest): readonly string[] {
  const counts: Readonly<Record<string, number>> = {
    'requests under way': engine.inFlight(),
    'bytes held': engine.buffered(),
    'timers left': clock.pending,
    'exchanges left open': http.open(),
    'breaches of the ledger': violations,
  };
  return [
    ...Object.entries(counts).flatMap(([what, count]) => (count === 0 ? [] : [`${count} ${what}`])),
    ...http.thrown.map((error) => `thrown into the HTTP client: ${String(error)}`),
    ...clients.flatMap((client) => client.violations),
  ];
}

function createAsked(
  call: Call,
  client: SimulatedClient,
  done: Promise<void>,
  track: { readonly isDone: boolean },
  facts: readonly Fact[],
): Asked {
  let folded: { readonly count: number; readonly facts: readonly Fact[]; readonly ledger: RequestLedger } | null = null;
  const fold = (): { readonly facts: readonly Fact[]; readonly ledger: RequestLedger } => {
    if (folded === null || folded.count !== facts.length) {
      const own = facts.filter(({ request }) => request === call.id);
      folded = { count: facts.length, facts: own, ledger: foldFacts(own) };
    }
    return folded;
  };
  return {
    id: call.id,
    at: call.receivedAt,
    client,
    done,
    get isDone() {
      return track.isDone;
    },
    get facts() {
      return fold().facts;
    },
    get ledger() {
      return fold().ledger;
    },
    get attempts() {
      return fold().ledger.attempts;
    },
    get outcomes() {
      return fold().ledger.attempts.map(({ outcome }) => outcome);
    },
    get outcome() {
      return fold().ledger.ended?.outcome ?? null;
    },
    get data() {
      return dataOf(client.text);
    },
    get error() {
      return errorIn(client);
    },
  };
}

const dataOf = (text: string): readonly string[] => [...text.matchAll(/^data: (.*)$/gm)].map(([, data]) => data ?? '');

function errorIn(client: SimulatedClient): WireError | null {
  const candidates = client.headers['content-type']?.startsWith('application/json')
    ? [client.text]
    : dataOf(client.text);
  for (const text of candidates) {
    if (!text.startsWith('{')) continue;
    try {
      const value = JSON.parse(text) as { readonly error?: WireError };
      if (value.error !== undefined) return value.error;
    } catch {
      // Cut off: no error that anybody could read.
    }
  }
  return null;
}

const providerOf = ({ origin }: HttpRequest): string => origin.replace('https://', '').replace('.test:443', '');

function nextPlay(plays: Map<string, Play[]>, request: HttpRequest): Play {
  const list = plays.get(providerOf(request));
  if (list === undefined) return says('hello');
  return (list.length > 1 ? list.shift() : list[0]) ?? says('hello');
}
