import { setTimeout as sleep } from 'node:timers/promises';
import { ask, openDoor } from './ask.ts';
import { becomeQuiet, closeCircuits, reconcile } from './come-to-rest.ts';
import { randomOf } from './draw.ts';
import { drawRequest, pinnedRequest } from './draw-request.ts';
import { type Books, keepBooks } from './keep-books.ts';
import type { SoakOptions } from './options.ts';
import type { Asked } from './seen.ts';
import { type Providers, type Soaked, startProviders, startSoaked } from './start-soaked.ts';
import { inQuarters, judgeSteadiness, type Sample, type Steadiness } from './steadiness.ts';
import { takeSample } from './take-sample.ts';
import { createTally, faultCount, injected, type Tally } from './tally.ts';
import { configOf } from './world.ts';

/** What a run has found. */
export type SoakReport = {
  readonly options: SoakOptions;
  readonly seconds: number;
  readonly tally: Tally;
  readonly records: { readonly records: number; readonly attempts: number; readonly unsent: number };
  /** Clients that left before their request had arrived. */
  readonly unarrived: number;
  readonly steadiness: readonly Steadiness[];
  /** Longest times for which the loops stood still, ms, the gateway's by quarters: a busy machine, or one that computes. */
  readonly lagMs: { readonly gateway: readonly number[]; readonly providers: number };
  readonly logLines: number;
  /** What is wrong with the whole, beside the requests. */
  readonly problems: readonly string[];
};

/** Requests that began this long ago should be over, and on record. */
const SETTLED_MS = 120_000;
const TURN_MS = 400;
/** So often the process is looked at: four hundred times in a long run. */
const LOOKS = 400;
const LONGEST_LOOK_MS = 5_000;
/** Less than this share of the faults that were asked for: the run has been kept off them, and shows nothing. */
const LEAST_INJECTED = 0.5;

type Run = {
  readonly options: SoakOptions;
  readonly gateway: Soaked;
  readonly providers: Providers;
  readonly books: Books;
  readonly tally: Tally;
  readonly samples: Sample[];
  readonly state: { next: number; isOver: boolean; lagMs: number; auditedAt: number };
};

/** Runs it all in a folder of its own. `tell` gets a line now and then. */
export async function runSoak(options: SoakOptions, folder: string, tell: (line: string) => void): Promise<SoakReport> {
  const tally = createTally();
  const early: { books: Books | null } = { books: null };
  const providers = await startProviders({ seed: options.seed, share: options.faults }, (send) =>
    early.books?.send(send),
  );
  let gateway: Soaked | null = null;
  try {
    gateway = await startSoaked(folder, configOf(providers.ports));
    const books = keepBooks(gateway.stateDir, tally);
    early.books = books;
    const state = { next: 0, isOver: false, lagMs: 0, auditedAt: Date.now() };
    return await soak({ options, gateway, providers, books, tally, samples: [], state }, tell);
  } finally {
    gateway?.child.kill('SIGKILL');
    providers.stop();
  }
}

async function soak(run: Run, tell: (line: string) => void): Promise<SoakReport> {
  const { options, gateway, providers, books, tally, state } = run;
  const startedAt = performance.now();
  const door = openDoor(gateway.port, options.concurrency);
  const send = async (asked: Asked): Promise<void> => {
    books.over(asked, await ask(door, asked, randomOf(options.seed, 'client', asked.tag)));
  };
  const keeper = Promise.all([keep(run, startedAt, tell), watch(run, startedAt)]);
  await Promise.race([load(run, startedAt, send), keeper]);
  const seconds = (performance.now() - startedAt) / 1_000;
  state.isOver = true;
  await keeper;
  providers.calm();
  const stuck = await closeCircuits(gateway, (name, protocol) => send(pinnedRequest(state.next++, name, protocol)));
  const held = await becomeQuiet(gateway, providers);
  await books.turn(providers, true);
  const { totals, unarrived } = books.close();
  const due = { requests: totals.records, attempts: totals.attempts };
  const unlike = await reconcile(gateway, due);
  const code = await gateway.stop();
  const { count, first } = gateway.log.problems();
  const steadiness = judgeSteadiness(run.samples);
  return {
    options,
    seconds,
    tally,
    records: totals,
    unarrived,
    steadiness,
    lagMs: { gateway: pausesOf(run.samples), providers: state.lagMs },
    logLines: gateway.log.lines(),
    problems: [
      ...stuck,
      ...held,
      ...unlike,
      ...(code === 0 ? [] : [`the gateway has ended with code ${code}`]),
      ...(count === 0 ? [] : [`${count} lines of the log:`, ...first]),
      ...(gateway.log.requests() === totals.records
        ? []
        : [`${gateway.log.requests()} requests in the log, ${totals.records} on record`]),
      ...unrest(steadiness, seconds),
      ...degeneration(tally, options.faults),
    ],
  };
}

const pausesOf = (samples: readonly Sample[]): readonly number[] =>
  inQuarters(samples).map((own) => Math.round(Math.max(0, ...own.map(({ lag }) => lag))));

/** All that a report has against the gateway. */
export const problemCount = ({ tally, problems }: SoakReport): number => faultCount(tally) + problems.length;

/** A run of less than a minute may be too short to tell; a longer one may not. */
const TELLING_S = 60;

function unrest(steadiness: readonly Steadiness[], seconds: number): readonly string[] {
  return steadiness.flatMap(({ measure, isSteady }) => {
    if (isSteady === null) return seconds < TELLING_S ? [] : [`too few looks at ${measure}`];
    return isSteady ? [] : [`${measure} has not come to rest`];
  });
}

function degeneration(tally: Tally, share: number): readonly string[] {
  const got = injected(tally) / tally.sends;
  return got >= share * LEAST_INJECTED ? [] : [`only ${(got * 100).toFixed(1)} % of the sends have failed`];
}

/** As many clients at once as asked for, each with one request after another. */
async function load(run: Run, startedAt: number, send: (asked: Asked) => Promise<void>): Promise<void> {
  const { options, state } = run;
  const isMore = (): boolean =>
    !state.isOver && (options.requests === null || state.next < options.requests) && progressOf(run, startedAt) < 1;
  const client = async (): Promise<void> => {
    while (isMore()) await send(drawRequest(options.seed, state.next++));
  };
  await Promise.all(Array.from({ length: options.concurrency }, client));
}

/** Share of the run that is over. */
function progressOf({ options, state }: Run, startedAt: number): number {
  const ofTime = options.minutes === null ? 0 : (performance.now() - startedAt) / (options.minutes * 60_000);
  const ofRequests = options.requests === null ? 0 : Math.max(0, state.next - options.concurrency) / options.requests;
  return Math.max(ofTime, ofRequests);
}

/** Beside the load: looks at the process. */
async function watch(run: Run, startedAt: number): Promise<void> {
  const { minutes } = run.options;
  const everyMs = Math.min(LONGEST_LOOK_MS, Math.max(TURN_MS, ((minutes ?? 0) * 60_000) / LOOKS));
  while (!run.state.isOver) {
    const sample = await takeSample(run.gateway, () => progressOf(run, startedAt));
    if (sample.at < 1) run.samples.push(sample);
    await sleep(everyMs);
  }
}

/** Beside the load: brings the books up to date and says how it goes. */
async function keep(run: Run, startedAt: number, tell: (line: string) => void): Promise<void> {
  const { options, providers, books, state } = run;
  const everyMs = options.minutes === null ? 10_000 : 60_000;
  let toldAt = startedAt;
  while (!state.isOver) {
    await sleep(TURN_MS);
    await books.turn(providers);
    const { lagMs } = await providers.sync([]);
    state.lagMs = Math.max(state.lagMs, lagMs);
    if (Date.now() - state.auditedAt > SETTLED_MS * 1.5) {
      state.auditedAt = Date.now();
      books.audit(Date.now() - SETTLED_MS);
    }
    if (performance.now() - toldAt < everyMs) continue;
    toldAt = performance.now();
    tell(describeNow(run, (toldAt - startedAt) / 1_000));
  }
}

function describeNow({ tally, samples }: Run, seconds: number): string {
  const last = samples.at(-1);
  const mib = (bytes = 0): string => `${Math.round(bytes / 1024 / 1024)} MiB`;
  return [
    `${Math.round(seconds)} s`,
    `${tally.requests} requests`,
    `${Math.round(tally.requests / seconds)}/s`,
    `${injected(tally)} of ${tally.sends} sends failed`,
    `${tally.rescued} rescued`,
    `RSS ${mib(last?.rss)}`,
    `heap ${mib(last?.heap)}`,
    `outside ${mib(last?.external)}`,
    `${last?.fds} fds`,
    `${faultCount(tally)} faults`,
  ].join(', ');
}
