import type { RuntimeConfig } from '../../config/runtime.ts';
import type { Engine, EngineSettings } from '../../engine/index.ts';
import type { HealthStore } from '../../port/health-store.ts';
import { createProber, type ProberPorts } from '../../prober/index.ts';
import type { Books } from './books.ts';
import type { Chance } from './chance.ts';
import type { SeenReport, SimulatedProbe, SimulatedRound } from './run.ts';
import type { VirtualClock } from './virtual-clock.ts';

/** The gateway's prober, and what it was seen to do. */
export type ProberSide = {
  readonly probes: readonly SimulatedProbe[];
  readonly rounds: readonly SimulatedRound[];
  readonly reports: readonly SeenReport[];
  /** Null: nobody probed, or it was never closed. */
  readonly closedAt: number | null;
  start(): void;
  /** Health is another now. */
  look(): void;
  close(): void;
};

export type ProberSideParts = {
  readonly clock: VirtualClock;
  readonly chance: Chance;
  readonly config: RuntimeConfig;
  readonly settings: EngineSettings;
  readonly engine: Pick<Engine, 'probe'>;
  readonly health: Pick<HealthStore, 'snapshot' | 'observe'>;
  readonly telemetry: ProberPorts['telemetry'];
  readonly books: Books;
  /** So long the world is asked, ms. */
  readonly forMs: number;
};

type Mutable<T> = { -readonly [K in keyof T]: T[K] };

/** Moments at which somebody asks for a report, beside the ends of rounds. */
const REPORTS = 2;

export function createProberSide(parts: ProberSideParts): ProberSide {
  const { clock, chance, config, settings, health, telemetry, forMs } = parts;
  const rounds: Mutable<SimulatedRound>[] = [];
  const reports: SeenReport[] = [];
  const { probes, probe } = notingProbes(parts, rounds);
  let closedAt: number | null = null;
  let isClosed = false;
  const prober = createProber({
    engine: { probe },
    health,
    clock,
    telemetry,
    config: () => config,
    settings: () => settings,
    ids: () => probeId(probes.length + 1),
  });
  const report = (): void => void reports.push({ at: clock.now(), report: prober.report(), health: health.snapshot() });
  prober.watch((progress) => {
    if (progress.type === 'round_started') rounds.push({ at: clock.now(), models: progress.models, endedAt: null });
    if (progress.type !== 'round_ended') return;
    const round = rounds.at(-1);
    if (round !== undefined) round.endedAt = clock.now();
    report();
  });

  return {
    probes,
    rounds,
    reports,
    get closedAt() {
      return closedAt;
    },
    start() {
      if (settings.isProbing !== true) return;
      for (let n = 0; n < REPORTS; n++) clock.setTimer(chance.next() * forMs, report);
      prober.start();
    },
    look: () => prober.look(),
    close() {
      if (isClosed) return;
      report();
      if (settings.isProbing === true) closedAt = clock.now();
      isClosed = true;
      void prober.close();
    },
  };
}

/** The id of the n-th probe of a world, from 1. */
const probeId = (n: number): string => `prb_${String(n).padStart(7, '0')}`;

type Noting = { readonly probes: readonly SimulatedProbe[]; readonly probe: Engine['probe'] };

function notingProbes({ clock, health, engine, books }: ProberSideParts, rounds: readonly SimulatedRound[]): Noting {
  const probes: SimulatedProbe[] = [];
  const probe: Engine['probe'] = async (asked) => {
    const { id, route, model, tokens, limitMs } = asked;
    const isInRound = rounds.at(-1)?.endedAt === null;
    const noted: Mutable<SimulatedProbe> = {
      id,
      at: clock.now(),
      route,
      model,
      tokens,
      limitMs,
      health: health.snapshot(),
      round: isInRound ? rounds.length - 1 : null,
      get facts() {
        return books.of(id).facts;
      },
      get ledger() {
        return books.of(id).ledger;
      },
      hasOutput: false,
      endedAt: null,
    };
    probes.push(noted);
    const probed = await engine.probe(asked);
    noted.hasOutput = probed.hasOutput;
    noted.endedAt = clock.now();
    return probed;
  };
  return { probes, probe };
}
