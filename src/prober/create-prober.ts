import { buildReport, countProved } from '../core/readiness/build-report.ts';
import type { VirtualModel } from '../core/routing/candidate.ts';
import { createWake } from '../engine/wake.ts';
import { guardPorts } from './guard-ports.ts';
import { createHost } from './host.ts';
import type { ProbedConfig, ProberPorts } from './ports.ts';
import { createRecovery } from './recover.ts';
import { createRounds } from './rounds.ts';
import { createSchedule } from './schedule.ts';
import type { Prober } from './types.ts';

export type WatchingProber = Prober & {
  /** Health or the configuration is another now. Costs nothing where nobody listens. */
  look(): void;
  /** Probes that are under way. */
  underway(): number;
};

/**
 * Keeps the readiness of routes: recovery probes where one is out, rounds where the mode asks for them. Nothing is begun
 * before `start`, but for what somebody asks for; one timer, for the soonest of all moments.
 */
export function createProber(given: ProberPorts): WatchingProber {
  const ports = guardPorts(given);
  const { clock, config } = ports;
  let isStarted = false;
  let isClosed = false;
  const isWatching = (): boolean => isStarted && config().readiness.probe.mode !== 'off';
  const wake = createWake(clock, () => lookAll());
  const changed = (): void => wake.by(clock.now());
  const host = createHost(ports, changed);
  const rounds = createRounds(host);
  const recovery = createRecovery(host);
  const schedule = createSchedule(host, rounds);

  const lookAll = (): void => {
    if (isClosed) return;
    const now = clock.now();
    rounds.look();
    if (!isWatching()) return;
    for (const at of [schedule.look(roundModels(config()), now), recovery.look(now)]) if (at !== null) wake.by(at);
  };
  const report: Prober['report'] = () => buildReport({ ...host.reported(), models: [...config().models.values()] });

  return {
    start() {
      isStarted = true;
      changed();
    },
    look() {
      if (isWatching() || rounds.isOn()) changed();
    },
    async probe(models) {
      const names = [...config().models.keys()].filter((name) => models === null || models.includes(name));
      if (!isClosed) await rounds.run(names);
      const full = report();
      return { ...full, models: full.models.filter(({ model }) => names.includes(model) || models === null) };
    },
    report,
    // Of a route that nobody has asked yet nobody knows that it is ready.
    ready: () =>
      new Map([...config().models.values()].map((model) => [model.name, countProved(model, host.reported())])),
    underway: () => host.asker.underway(),
    watch: (listener) => host.watch(listener),
    async close() {
      isClosed = true;
      wake.stop();
      rounds.stop();
      await host.asker.stop();
    },
  };
}

/** Which models have rounds: where nobody has said, those whose targets come out of lists. */
function roundModels({ models, catalogue: lists, readiness }: ProbedConfig): readonly VirtualModel[] {
  const { mode } = readiness.probe;
  const isListed = ({ name, targets }: VirtualModel): boolean =>
    lists?.models.has(name) === true ||
    targets.length === 0 ||
    targets.some(({ catalogue }) => catalogue !== undefined);
  return [...models.values()].filter((model) => mode === 'full' || (mode === null && isListed(model)));
}
