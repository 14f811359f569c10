import { DEFAULT_PROBE } from '../../src/config/defaults.ts';
import { availability } from '../../src/core/health/availability-of.ts';
import type { ReadinessReport, ReportedModel } from '../../src/core/readiness/report.ts';
import type { ProbeSettings } from '../../src/core/readiness/settings.ts';
import type { VirtualModel } from '../../src/core/routing/candidate.ts';
import type { ProbeEnd } from '../../src/port/telemetry.ts';
import { createProber, type ProberPorts, type WatchingProber } from '../../src/prober/index.ts';
import { createNetwork, type Network, type Play } from '../../src/simulate/world/network.ts';
import { type BenchOptions, callOf, providersOf } from './bench-call.ts';
import { DONE, delta } from './chat-stream.ts';
import { createEngineBench, type EngineBench } from './engine-bench.ts';
import { fails, says, streams } from './plays.ts';

/** A send as a provider sees it. `isProbe`: nobody but a prober asks like this. */
export type Sent = {
  readonly provider: string;
  readonly credential: string;
  readonly model: string;
  readonly at: number;
  readonly tokens: number | null;
  readonly isProbe: boolean;
};

export type ProberBenchOptions = BenchOptions & {
  readonly probe?: Partial<ProbeSettings>;
  /** What a provider does; says hello where nothing is said. */
  readonly answer?: (sent: Sent) => Play;
  /** The models of the configuration, made of the bench's own one. */
  readonly models?: (main: VirtualModel) => readonly VirtualModel[];
  readonly discover?: ProberPorts['discover'];
  /** Models that take targets out of lists. */
  readonly lists?: readonly string[];
  readonly savedAt?: number;
};

export type ProberBench = {
  readonly bench: EngineBench;
  readonly prober: WatchingProber;
  readonly sent: readonly Sent[];
  readonly ended: readonly ProbeEnd[];
  readonly http: Network;
  /** Seconds since the start. */
  readonly seconds: () => number;
  readonly word: (route: string) => string;
  /** What is in force from now on. */
  readonly use: (change: {
    readonly models?: readonly VirtualModel[];
    readonly probe?: Partial<ProbeSettings>;
  }) => void;
  /** Runs a round, as long as it takes, and gives what is known of the first model. */
  readonly round: (models?: readonly string[] | null) => Promise<ReportedModel>;
};

export const LIMITED = fails(429);
export const MISSING = fails(404, { code: 'model_not_found' });
export const BROKEN = fails(500);
export const REFUSED = fails(401);
export const DOWN: Play = { refuse: 'refused' };
/** Thoughts that nobody sees have used up all tokens. */
export const HIDDEN = streams([delta({ role: 'assistant', content: '' }), delta({}, 'length'), DONE]);
/** A filter has taken all of it. */
export const FILTERED = streams([delta({ role: 'assistant', content: '' }), delta({}, 'content_filter'), DONE]);
export const later = (ms: number): Play => says('OK', { headMs: ms });
export const told = (seconds: number): Play => fails(429, {}, { headers: { 'retry-after': String(seconds) } });

/** One target for each model name, all with these credentials. */
export const poolOf = (provider: string, credentials: readonly string[], models: readonly string[]) =>
  models.map((model) => ({ id: `${provider}/${model}`, credentials }));

export const routeIdOf = ({ provider, model, credential }: Sent): string => `${provider}/${model}#${credential}`;

/** A prober over the engine, scripts and virtual time. */
export function createProberBench(options: ProberBenchOptions = {}): ProberBench {
  const sent: Sent[] = [];
  const ended: ProbeEnd[] = [];
  let look = (): void => {};
  let network: Network | null = null;
  const bench = createEngineBench({
    ...options,
    engine: { isProbing: options.probe?.mode !== 'off', ...options.engine },
    ports(ports) {
      const { clock, health } = ports;
      network = createNetwork(clock, (request) => {
        const one = readSent(request.headers['authorization'] ?? '', request.body, clock.now());
        sent.push(one);
        return options.answer?.(one) ?? says('hello');
      });
      return {
        http: network,
        health: {
          snapshot: () => health.snapshot(),
          observe(observation) {
            health.observe(observation);
            look();
          },
          claimTrial(route, now) {
            const granted = health.claimTrial(route, now);
            look();
            return granted;
          },
        },
        ...options.ports?.(ports),
      };
    },
  });
  if (network === null) throw new Error('the engine has no network');
  const { clock, model, health } = bench;
  const providers = providersOf(model.targets, options.limits ?? {});
  let config = configOf(options.models?.(model) ?? [model], { ...DEFAULT_PROBE, ...options.probe });
  let ids = 0;
  const prober = createProber({
    engine: bench.engine,
    health,
    clock,
    telemetry: { probeEnded: (probe) => void ended.push(probe), notice: () => {} },
    config: () => ({ ...config, catalogue: { models: new Map((options.lists ?? []).map((name) => [name, null])) } }),
    settings: () => callOf('settings', 0, {}, model, { ...options, engine: { isProbing: true } }, providers).settings,
    ids: () => `probe_${++ids}`,
    ...(options.discover === undefined ? {} : { discover: options.discover }),
    savedAt: options.savedAt ?? null,
  });
  look = () => prober.look();
  const startedAt = clock.now();
  return {
    bench,
    prober,
    sent,
    ended,
    http: network,
    seconds: () => (clock.now() - startedAt) / 1000,
    word(id) {
      const routes = [...config.models.values()].flatMap(({ targets }) => targets.flatMap((target) => target.routes));
      const route = routes.find((one) => one.id === id);
      return route === undefined ? 'unknown' : availability(health.snapshot(), route, clock.now()).state;
    },
    use(change) {
      config = configOf(change.models ?? [...config.models.values()], { ...config.readiness.probe, ...change.probe });
      prober.look();
    },
    async round(models = null) {
      const ended: { report: ReadinessReport | null } = { report: null };
      void prober.probe(models).then((report) => {
        ended.report = report;
      });
      while (ended.report === null && (await clock.step()));
      const [first] = ended.report?.models ?? [];
      if (first === undefined) throw new Error('the round has no end');
      return first;
    },
  };
}

const configOf = (models: readonly VirtualModel[], probe: ProbeSettings) => ({
  models: new Map(models.map((model) => [model.name, model])),
  readiness: { probe },
});

function readSent(authorization: string, body: readonly Uint8Array[], at: number): Sent {
  const [, provider = '', credential = ''] = /key of (\w+?)_(\w+)/.exec(authorization) ?? [];
  const read = JSON.parse(Buffer.concat(body).toString()) as {
    readonly model: string;
    readonly max_tokens?: number;
    readonly max_completion_tokens?: number;
    readonly messages: readonly { readonly content: unknown }[];
  };
  const tokens = read.max_tokens ?? read.max_completion_tokens ?? null;
  const isProbe = JSON.stringify(read.messages).includes('Reply with OK');
  return { provider, credential, model: read.model, at, tokens, isProbe };
}
