import type { ReportInput } from '../core/readiness/build-report.ts';
import type { ReportedProvider } from '../core/readiness/report.ts';
import type { Round } from '../core/readiness/round.ts';
import type { ListedRoute } from './ask-route.ts';
import { type Asker, createAsker } from './asker.ts';
import type { ProbedConfig, ProberPorts } from './ports.ts';
import type { ProbeProgress } from './types.ts';

/** What the parts of a prober share. */
export type ProberHost = {
  readonly ports: ProberPorts;
  readonly asker: Asker;
  tell(progress: ProbeProgress): void;
  watch(listener: (progress: ProbeProgress) => void): () => void;
  /** Something that is waited for may have come: everything is looked at anew, soon. */
  changed(): void;
  /** Each route of the configuration in force once, where a model lists it first. */
  listed(): ReadonlyMap<string, ListedRoute>;
  /** The last round of each model. */
  readonly rounds: Map<string, Round>;
  providers: readonly ReportedProvider[];
  /** What a report is made of now. */
  reported(): Omit<ReportInput, 'models'>;
};

export function createHost(ports: ProberPorts, changed: () => void): ProberHost {
  const listeners = new Set<(progress: ProbeProgress) => void>();
  const tell = (progress: ProbeProgress): void => {
    for (const listener of listeners) {
      try {
        listener(progress);
      } catch {
        // Whoever watches must not disturb what is watched.
      }
    }
  };
  let seen: { readonly config: ProbedConfig; readonly listed: ReadonlyMap<string, ListedRoute> } | null = null;
  const host: ProberHost = {
    ports,
    asker: createAsker(ports, tell),
    tell,
    changed,
    watch(listener) {
      listeners.add(listener);
      return () => void listeners.delete(listener);
    },
    listed() {
      const config = ports.config();
      if (seen?.config !== config) seen = { config, listed: listRoutes(config) };
      return seen.listed;
    },
    rounds: new Map(),
    providers: [],
    reported: () => ({
      now: ports.clock.now(),
      health: ports.health.snapshot(),
      settings: ports.config().readiness.probe,
      rounds: host.rounds,
      providers: ports.providers?.() ?? (host.providers.length > 0 ? host.providers : unasked(ports)),
    }),
  };
  return host;
}

function listRoutes({ models }: ProbedConfig): ReadonlyMap<string, ListedRoute> {
  const listed = new Map<string, ListedRoute>();
  for (const { name, targets } of models.values()) {
    for (const target of targets) {
      for (const route of target.routes)
        if (!listed.has(route.id)) listed.set(route.id, { model: name, target, route });
    }
  }
  return listed;
}

const unasked = ({ settings }: ProberPorts): readonly ReportedProvider[] =>
  [...settings().providers.keys()].map((provider) => ({ provider, discovered: null }));
