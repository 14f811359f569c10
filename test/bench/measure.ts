import { join } from 'node:path';
import type { Native } from './build-native.ts';
import type { Contestant, Stage } from './contestants.ts';
import type { Measured } from './metrics.ts';
import { readUsage, type Usage } from './read-process.ts';
import { type LoadArguments, type Loaded, runLoad, type Times } from './run-load.ts';
import { type Provider, statsOf } from './start-provider.ts';
import type { Server } from './start-server.ts';
import type { Fault, Workload } from './workloads.ts';

export type Bench = {
  readonly native: Native;
  readonly provider: Provider;
  readonly stage: Stage;
  /** The core of provider and clients. */
  readonly loadCore: number;
  readonly seconds: number;
};

export type Round = { readonly measured: Measured; readonly problems: readonly string[] };

/** Streams that are opened in a second, before they are measured. */
const OPENED_PER_SECOND = 500;
/** Clients at a given rate: more than are ever under way, so that none has to wait. */
const OPEN_CONNECTIONS = 64;
/** How long all streams go at full pace before they count. */
const SETTLE_MS = 2_000;
/** Of the requests to a provider that fails: so many must have failed, or something else was measured. */
const LEAST_FAULTS: Readonly<Record<Fault, number>> = { status: 0.9, error: 0.9, reset: 0.9, half: 0.4 };
/** What the clients expect of a provider that fails, asked directly. */
const EXPECT: Readonly<Record<Fault, string>> = { status: 'status', error: 'error', reset: 'reset', half: 'ok' };

export const bodyFile = (folder: string, { name }: Workload): string => join(folder, `${name}.json`);

/** Clients at once while a new process becomes warm. */
const WARMING_CONNECTIONS = 16;
const LONGEST_WARMING_MS = 20_000;

/**
 * Keeps a new process busy until it has used so many seconds of CPU: its code is compiled then. Counted in CPU and not in
 * time, since on a shared core a second may be a quarter of one.
 */
export async function warmUp(
  bench: Bench,
  workload: Workload,
  contestant: Contestant,
  server: Server,
  cpu: number,
): Promise<void> {
  const limit = performance.now() + LONGEST_WARMING_MS;
  const { rate: _rate, ...args } = argumentsOf(bench, workload, contestant, server.port, 0);
  while (performance.now() < limit && readUsage(server.child.pid).cpu < cpu) {
    await load(bench, { ...args, connections: WARMING_CONNECTIONS, seconds: 1 }, null);
  }
}

/** One contestant in one workload, once. `server`: null for the provider itself. */
export async function measure(
  bench: Bench,
  workload: Workload,
  contestant: Contestant,
  server: Server | null,
  warmMs: number,
): Promise<Round> {
  if (server !== null && workload.load.kind === 'start') {
    return { measured: { startMs: server.startMs, rss: readUsage(server.child.pid).rss }, problems: [] };
  }
  const args = argumentsOf(bench, workload, contestant, server?.port ?? bench.provider.port, warmMs);
  const before = await statsOf(bench.provider);
  const watched = await load(bench, args, server);
  const { loaded } = watched;
  const after = await statsOf(bench.provider);
  const own = server === null ? await askFailing(bench, workload, args) : NO_TIME;
  const faults =
    (after.faults - before.faults) / Math.max(1, after.requests - before.requests - (after.faults - before.faults));
  return {
    measured: measuredOf(workload, watched, own),
    problems: [
      ...(loaded.errors === 0 ? [] : [`${loaded.errors} wrong answers, the first: ${loaded.firstError}`]),
      ...(after.bad === before.bad ? [] : [`${after.bad - before.bad} requests that the provider does not understand`]),
      ...(workload.fault === null || server === null || faults >= LEAST_FAULTS[workload.fault]
        ? []
        : [`only ${faults.toFixed(2)} faults for each answer`]),
      ...own.problems,
    ],
  };
}

function argumentsOf(
  { stage, provider, seconds }: Bench,
  workload: Workload,
  contestant: Contestant,
  port: number,
  warmMs: number,
): LoadArguments {
  const { load: how, isStream, answer } = workload;
  const { path, headers } = contestant.ask(workload, stage);
  return {
    port,
    path,
    body: bodyFile(stage.folder, workload),
    seconds,
    'warm-ms': how.kind === 'held' ? SETTLE_MS : warmMs,
    ...(headers === '' ? {} : { headers }),
    ...(workload.speaks === 'messages' ? { end: 'message_stop' } : {}),
    ...(isStream ? { stream: 1, tokens: answer } : contestant.isVerbatim ? { bytes: answer } : {}),
    ...(how.kind === 'closed' ? { connections: how.connections } : {}),
    ...(how.kind === 'open' ? { rate: how.rate, connections: OPEN_CONNECTIONS } : {}),
    ...(how.kind === 'held'
      ? { hold: OPENED_PER_SECOND, connections: how.streams, 'control-port': provider.port }
      : {}),
  };
}

type Watched = { readonly loaded: Loaded; readonly idle: Usage | null; readonly usage: readonly [Usage, Usage] | null };

/** Looks at the gateway before the clients come, and as the measured time begins and ends. */
async function load({ native, loadCore, stage }: Bench, args: LoadArguments, server: Server | null): Promise<Watched> {
  const look = (): Usage | null => (server === null ? null : readUsage(server.child.pid));
  const idle = look();
  const seen: Usage[] = [];
  const loaded = await runLoad(native.load, args, { core: loadCore, folder: stage.folder }, () => {
    const usage = look();
    if (usage !== null) seen.push(usage);
  });
  const [first, last] = seen;
  return { loaded, idle, usage: first === undefined || last === undefined ? null : [first, last] };
}

type OwnTime = { readonly p50: number; readonly p99: number; readonly problems: readonly string[] };
const NO_TIME: OwnTime = { p50: 0, p99: 0, problems: [] };

/** How long the failing provider takes to fail, µs: asked directly, at the same rate. */
async function askFailing(bench: Bench, { fault, load: how }: Workload, args: LoadArguments): Promise<OwnTime> {
  if (fault === null || how.kind !== 'open') return NO_TIME;
  const asked = { ...args, port: bench.provider.faultPort, expect: EXPECT[fault] };
  const { loaded } = await load(bench, asked, null);
  const problems = loaded.errors === 0 ? [] : [`the failing provider: ${loaded.firstError}`];
  return { p50: loaded.latency?.p50 ?? Number.NaN, p99: loaded.latency?.p99 ?? Number.NaN, problems };
}

/** Of both providers together, where the first one fails. */
const addTimes = (times: Times | null, own: OwnTime): { readonly p50: number; readonly p99: number } =>
  times === null ? { p50: Number.NaN, p99: Number.NaN } : { p50: times.p50 + own.p50, p99: times.p99 + own.p99 };

const delayOf = (delay: Times | null): Measured => (delay === null ? {} : { delayP50: delay.p50, delayP99: delay.p99 });

/** What the process used while it was measured. */
function usageOf({ requests, tokens, seconds, open }: Loaded, { usage, idle }: Watched): Measured {
  if (usage === null || idle === null) return {};
  const [from, to] = usage;
  const cpu = (to.cpu - from.cpu) * 1e6;
  return {
    cpu: cpu / requests,
    cpuPerToken: cpu / tokens,
    cores: cpu / seconds / 1e6,
    perStream: (to.rss - idle.rss) / open,
    rss: to.rss,
  };
}

function measuredOf({ load: how, isStream }: Workload, watched: Watched, own: OwnTime): Measured {
  const { loaded } = watched;
  const { requests, tokens, seconds, latency, first, delay } = loaded;
  const measured = {
    perSecond: requests / seconds,
    tokensPerSecond: tokens / seconds,
    ...addTimes(isStream && how.kind === 'open' ? first : latency, own),
    ...delayOf(delay),
    ...usageOf(loaded, watched),
  };
  return Object.fromEntries(Object.entries(measured).filter(([, value]) => Number.isFinite(value)));
}
