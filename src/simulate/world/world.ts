import { listRoutes } from '../../config/list-routes.ts';
import type { RuntimeConfig } from '../../config/runtime.ts';
import type { Fact, RequestLedger } from '../../core/attempt/ledger.ts';
import { cleanText, createScrubber } from '../../core/redact/index.ts';
import { createEngine } from '../../engine/create-engine.ts';
import type { Engine, EnginePorts } from '../../engine/index.ts';
import { createTranslationsHere } from '../../engine/translate-here.ts';
import type { HealthStore } from '../../port/health-store.ts';
import { lookOnFailure, type ProberPorts } from '../../prober/index.ts';
import { PRESETS } from '../../provider/registry.ts';
import type { Progress, RunOptions } from '../run-scenario.ts';
import type { OperatorAct } from '../scenario/scenario.ts';
import { type Books, createBooks } from './books.ts';
import { createChance } from './chance.ts';
import { type ClientSide, createClientSide } from './client-side.ts';
import { engineSettings } from './engine-settings.ts';
import { spoilPorts } from './faulty-ports.ts';
import { createProberSide, type ProberSide } from './prober-side.ts';
import { createProviderSide, type ProviderSide } from './provider-side.ts';
import type { HealthChange, Run, SimulatedRequest } from './run.ts';
import { startTraffic } from './traffic.ts';
import { createVirtualClock, type VirtualClock } from './virtual-clock.ts';

/** A scenario come to life: the clock moves it. */
export type World = {
  readonly clock: VirtualClock;
  /** Between two steps: notes how much is held and open. */
  look(): void;
  progress(): Progress;
  /** Nobody asks any more, and what is under way is ended. */
  stop(): void;
  finish(steps: number): Run;
};

const OWNER = { boot: 'boot_simulated', worker: 0 };

/** What plays: `answers` say what providers do in place of the scenario. */
type WorldParts = Pick<RunOptions, 'scenario' | 'config' | 'host' | 'answers' | 'hasProber'>;

export function createWorld({ scenario, config, host, answers = null, hasProber = true }: WorldParts): World {
  const clock = createVirtualClock({ settle: () => host.settle() });
  const startedAt = clock.now();
  const chance = createChance(scenario.seed);
  const ears = createEars(clock, () => prober.look());
  const health = host.createHealthStore({ settings: () => config.health, telemetry: ears });
  health.retain(listRoutes(config));
  const books = createBooks(() => health.snapshot());
  const sides = { clock, config, books, settings: engineSettings(config, hasProber) };
  const providers = createProviderSide({ ...sides, chance: chance.split('providers'), scenario, answers });
  const secrets = secretsOf(config);
  const scrub = host.createScrubber?.(secrets) ?? createScrubber(secrets);
  const ledger = { append: (fact: Fact) => books.note(fact) };
  const ports = spoilPorts({ ledger, health, telemetry: ears }, scenario.stores, clock, startedAt);
  const engine = createEngine({
    clock,
    random: chance.split('engine'),
    http: providers.network,
    ...ports,
    health: lookOnFailure(ports.health, () => prober.look()),
    translation: createTranslationsHere(),
    owner: OWNER,
    failureRows: rowsOf(config),
    clean: (text) => cleanText(text, { scrub }),
  });
  const clients = createClientSide({ ...sides, chance: chance.split('clients'), engine });
  const prober: ProberSide = createProberSide({
    ...sides,
    chance: chance.split('prober'),
    engine,
    health: ports.health,
    telemetry: ears,
    forMs: scenario.forMs,
  });
  const peaks = { bufferedBytes: 0, inFlight: 0, openSends: 0 };
  let isOver = false;
  const stop = (): void => {
    isOver = true;
    clients.stop();
    prober.close();
    engine.abandonAll();
  };

  startTraffic(
    scenario.asks,
    scenario.forMs,
    { clock, chance: chance.split('traffic'), isOver: () => isOver },
    (row, n) => clients.ask(row, n),
  );
  prober.start();
  // Who asks in vain again and again does so until the load is over, too; and so does whoever probes.
  clock.setTimer(scenario.forMs, () => {
    clients.stop();
    prober.close();
  });
  for (const act of scenario.acts) clock.setTimer(act.atMs, () => perform(act, health, stop, clock));

  const seen = (): Omit<Run, 'steps'> =>
    runOf({ scenario, config, startedAt, clock, peaks, books, ears, secrets, engine, providers, clients, prober });
  return {
    clock,
    stop,
    look() {
      peaks.bufferedBytes = Math.max(peaks.bufferedBytes, engine.buffered());
      peaks.inFlight = Math.max(peaks.inFlight, engine.inFlight());
      peaks.openSends = Math.max(peaks.openSends, providers.network.open());
    },
    progress: () => ({ asked: clients.requests.length, atMs: clock.now() - startedAt }),
    finish: (steps) => ({ ...seen(), steps }),
  };
}

type Parts = Pick<Run, 'scenario' | 'config' | 'startedAt' | 'peaks' | 'secrets'> & {
  readonly clock: VirtualClock;
  readonly books: Books;
  readonly ears: Ears;
  readonly engine: Engine;
  readonly providers: ProviderSide;
  readonly clients: ClientSide;
  readonly prober: ProberSide;
};

/** All that was seen by now. */
function runOf(parts: Parts): Omit<Run, 'steps'> {
  const { scenario, config, startedAt, clock, peaks, books, ears, secrets, engine, providers, clients, prober } = parts;
  return {
    scenario,
    config,
    startedAt,
    quietAt: clock.now(),
    requests: clients.requests,
    sends: providers.sends,
    log: books.log,
    probes: prober.probes,
    rounds: prober.rounds,
    reports: prober.reports,
    probedUntil: prober.closedAt,
    told: ears.told,
    toldProbes: ears.probes,
    healthChanges: ears.changes,
    notices: ears.notices,
    peaks,
    answersOf: (route, request, at) => providers.answersOf(route, request, at),
    leftovers: [
      ...countLeft({
        'requests under way': engine.inFlight(),
        'bytes held': engine.buffered(),
        'timers left': clock.pending,
        'exchanges left open': providers.network.open(),
      }),
      ...leftoversOf(providers, clients.requests),
      ...books.violations,
    ],
    secrets,
  };
}

function perform(act: OperatorAct, health: HealthStore, stop: () => void, clock: VirtualClock): void {
  if (act.does === 'drain') stop();
  else health.operate(act.does, act.id, clock.now());
}

const countLeft = (counts: Readonly<Record<string, number>>): readonly string[] =>
  Object.entries(counts).flatMap(([what, count]) => (count === 0 ? [] : [`${count} ${what}`]));

function leftoversOf({ network, strays }: ProviderSide, requests: readonly SimulatedRequest[]): readonly string[] {
  return [
    ...network.thrown.map((error) => `thrown into the HTTP client: ${String(error)}`),
    ...strays,
    ...requests.flatMap(({ id, client, servedAt }) => [
      ...client.violations.map((violation) => `${id}: ${violation}`),
      ...(servedAt === null ? [`${id}: serve never came back`] : []),
    ]),
  ];
}

/** Whoever listens to the gateway. */
type Ears = EnginePorts['telemetry'] &
  ProberPorts['telemetry'] & {
    healthChanged(change: Omit<HealthChange, 'at'>): void;
    readonly told: readonly RequestLedger[];
    readonly probes: readonly string[];
    readonly changes: readonly HealthChange[];
    readonly notices: readonly string[];
  };

function createEars(clock: VirtualClock, onHealth: () => void): Ears {
  const told: RequestLedger[] = [];
  const probes: string[] = [];
  const changes: HealthChange[] = [];
  const notices: string[] = [];
  return {
    told,
    probes,
    changes,
    notices,
    requestEnded: (ledger) => void told.push(ledger),
    attemptStarted: () => {},
    attemptEnded: () => {},
    probeEnded: ({ request }) => void (request !== null && probes.push(request)),
    healthChanged(change) {
      changes.push({ at: clock.now(), ...change });
      onHealth();
    },
    notice: (level, message, fields) => void notices.push(`${level} ${message} ${JSON.stringify(fields ?? {})}`),
  };
}

function rowsOf({ providers }: RuntimeConfig): EnginePorts['failureRows'] {
  const rows = new Map(
    [...providers].map(([name, { preset }]) => [name, PRESETS.find((each) => each.name === preset)?.failureRows ?? []]),
  );
  return (provider) => rows.get(provider) ?? [];
}

function secretsOf({ providers, auth }: RuntimeConfig): readonly string[] {
  const all = [...[...providers.values()].flatMap(({ credentials }) => credentials), ...auth.keys];
  return [...new Set(all.filter(({ secret }) => !secret.isEmpty).map(({ secret }) => secret.reveal()))];
}
