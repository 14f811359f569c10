// Plays worlds that are drawn from seeds and checks what must hold in each. What breaks is shrunk and written down.
//
//   npm run simulate -- [--seeds N] [--from S] [--keep-going] [--no-shrink] [--trace FILE] [--report FILE]
//   npm run simulate -- --replay FILE [--trace FILE]
//   npm run simulate -- --requests N [--from S]      long worlds, until so many requests were made
import { closeSync, openSync, writeFileSync, writeSync } from 'node:fs';
import { relative } from 'node:path';
import { parseArgs } from 'node:util';
import { drawLongScenario, drawScenario } from '../../src/simulate/draw/index.ts';
import type { Scenario } from '../../src/simulate/scenario/scenario.ts';
import { shrinkScenario } from '../../src/simulate/shrink/index.ts';
import type { Run } from '../../src/simulate/world/run.ts';
import { type Breach, configOf, playScenario } from './play.ts';
import { readReplay, writeReplay } from './replay-file.ts';
import { addRun, describeTally, NOTHING } from './tally.ts';
import { traceOf } from './trace.ts';

/** A long run is a chain of worlds of this many requests: each is checked as a whole and then forgotten. */
const EPOCH = 2500;
const LONG_TURNS = 20_000_000;
const SHRINK_RUNS = 1500;

type Failure = { readonly seed: number; readonly invariants: readonly string[]; readonly breach: Breach };

const wordsOf = (breaches: readonly Breach[]): readonly string[] => [
  ...new Set(breaches.map(({ invariant }) => invariant)),
];

const { values } = parseArgs({
  options: {
    seeds: { type: 'string', default: '1000' },
    from: { type: 'string', default: '1' },
    replay: { type: 'string' },
    requests: { type: 'string' },
    except: { type: 'string', default: '' },
    trace: { type: 'string' },
    report: { type: 'string' },
    'keep-going': { type: 'boolean', default: false },
    'no-shrink': { type: 'boolean', default: false },
  },
});

const trace = values.trace === undefined ? null : openSync(values.trace, 'w');
const startedAt = performance.now();
const cpu = process.cpuUsage();
const failures: Failure[] = [];
let tally = NOTHING;
let strays: readonly string[] = [];
// A promise that the engine left alone and that failed: of the world that was played just then.
process.on('unhandledRejection', (error) => {
  strays = [...strays, error instanceof Error ? (error.stack ?? error.message) : String(error)];
});

if (values.replay !== undefined) await replay(values.replay);
else if (values.requests === undefined) await playSeeds(count('seeds'), count('from'));
else await playLong(count('requests'), count('from'));
finish();

async function playSeeds(seeds: number, from: number): Promise<void> {
  const except = new Set(
    values.except
      .split(',')
      .filter((word) => word !== '')
      .map(Number),
  );
  for (let seed = from; seed < from + seeds; seed++) {
    if (!except.has(seed) && (await fails(drawScenario(seed))) && !values['keep-going']) return;
  }
}

async function playLong(requests: number, from: number): Promise<void> {
  for (let seed = from; tally.requests < requests; seed++) {
    if ((await fails(drawLongScenario(seed, EPOCH), LONG_TURNS)) && !values['keep-going']) return;
    if (seed % 20 === 0)
      console.log(`… ${tally.requests} requests, ${Math.round(process.memoryUsage().rss / 1024 ** 2)} MiB`);
  }
}

async function replay(path: string): Promise<void> {
  const scenario = readReplay(path);
  const { run, breaches } = await play(scenario);
  note(run);
  for (const each of breaches) console.log(describe(each));
  const [first] = breaches;
  if (first !== undefined) failures.push({ seed: scenario.seed, invariants: wordsOf(breaches), breach: first });
}

/** Plays a world; what breaks is told, shrunk and written down. */
async function fails(scenario: Scenario, maxTurns?: number): Promise<boolean> {
  const { seed } = scenario;
  const { run, breaches } = await play(scenario, maxTurns);
  note(run);
  const [first] = breaches;
  if (first === undefined) return false;
  failures.push({ seed, invariants: wordsOf(breaches), breach: first });
  console.log(`\nseed ${seed}: ${describe(first)}`);
  for (const each of breaches.slice(1, 5)) console.log(`  also ${describe(each)}`);
  if (breaches.length > 5) console.log(`  … ${breaches.length} in all`);
  if (!values['no-shrink']) await shrink(scenario, first);
  return true;
}

async function shrink(scenario: Scenario, { invariant }: Breach): Promise<void> {
  let last: Breach | undefined;
  const breaksAgain = async (candidate: Scenario): Promise<boolean> => {
    if (configOf(candidate) === null) return false;
    const found = (await play(candidate)).breaches.find((each) => each.invariant === invariant);
    last = found ?? last;
    return found !== undefined;
  };
  const { scenario: small, runs, isMinimal } = await shrinkScenario(scenario, breaksAgain, { maxRuns: SHRINK_RUNS });
  const what = last === undefined ? [] : describe(last).split('\n').slice(0, 3);
  const path = writeReplay(`seed-${scenario.seed}-${invariant}`, small, what);
  console.log(`shrunk in ${runs} runs${isMinimal ? '' : ' (and could be smaller)'}; to see it again:`);
  console.log(`  npm run simulate -- --replay ${relative(process.cwd(), path)}`);
}

async function play(scenario: Scenario, maxTurns?: number): ReturnType<typeof playScenario> {
  strays = [];
  const { run, breaches } = await playScenario(scenario, maxTurns);
  const stray = strays.map((what): Breach => ({ invariant: 'crash', request: null, what: `unhandled: ${what}` }));
  return { run, breaches: [...stray, ...breaches] };
}

function note(run: Run | null): void {
  if (run === null) return;
  tally = addRun(tally, run);
  if (trace === null) return;
  writeSync(trace, `seed ${run.scenario.seed}\n`);
  for (const line of traceOf(run)) writeSync(trace, `${line}\n`);
}

function describe({ invariant, request, what }: Breach): string {
  return `(${invariant})${request === null ? '' : ` ${request}`}: ${what}`;
}

function finish(): void {
  if (trace !== null) closeSync(trace);
  const { user, system } = process.cpuUsage(cpu);
  console.log(`\n${describeTally(tally, performance.now() - startedAt, (user + system) / 1000)}`);
  const bad = new Set(failures.map(({ seed }) => seed)).size;
  const pass = Math.max(0, tally.worlds - bad);
  console.log(`${pass} passed, ${bad} failed`);
  if (values.report !== undefined) {
    const totals = { pass, fail: bad, notRunnable: 0 };
    writeFileSync(values.report, JSON.stringify({ totals, notRun: 0, failures }));
  }
  process.exitCode = bad > 0 || pass === 0 ? 1 : 0;
}

function count(name: 'seeds' | 'from' | 'requests'): number {
  const value = Number(values[name]);
  if (Number.isSafeInteger(value) && value >= 0) return value;
  console.error(`--${name} wants a whole number`);
  return process.exit(2);
}
