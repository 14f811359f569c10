// Breaks core, engine, prober and translation on purpose, one fault at a time in a copy of the tree, and plays worlds until one
// of the invariants sees it. A fault that none sees within the seeds is a survivor, and fails the run.
//
//   npm run simulate:mutants -- [WORDS OF A NAME OR FILE …] [--seeds N] [--workers N] [--report FILE]
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { availableParallelism } from 'node:os';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { type Copy, copySources } from '../mutation/tree.ts';
import { FAULTS, type Fault } from './faults/index.ts';

/** For the run in which nothing is broken. */
const LIMIT_MS = 900_000;

type Seen = { readonly seed: number | null; readonly invariants: readonly string[]; readonly what: string };
type Verdict = { readonly fault: Fault; readonly seen: Seen | null; readonly ms: number };

const HANG: Seen = { seed: null, invariants: ['hang'], what: 'never came to an end' };

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: {
    report: { type: 'string' },
    workers: { type: 'string' },
    seeds: { type: 'string', default: '2500' },
  },
});
const wanted = FAULTS.filter(({ name, file }) => positionals.every((word) => `${name} ${file}`.includes(word)));
const trees = Array.from({ length: Number(values.workers ?? availableParallelism()) }, copySources);
const removeAll = (): void => {
  for (const tree of trees) tree.remove();
};
process.once('exit', removeAll);
for (const signal of ['SIGINT', 'SIGTERM'] as const) process.once(signal, () => process.exit(1));

const seeds = Number(values.seeds);
// Worlds that break before anything is broken would see every fault.
const since = performance.now();
const unsound =
  trees[0] === undefined ? [] : (await play(trees[0], ['--keep-going'], LIMIT_MS)).map(({ seed }) => seed);
if (unsound.length > 0) console.log(`break before anything is broken, and are left out: seeds ${unsound.join(', ')}`);
// As much time for each, and then some: other faults are tried beside it.
const limitMs = (performance.now() - since) * 3;
const queue = [...wanted];
const verdicts: Verdict[] = [];
await Promise.all(trees.map(work));
printTable();

async function work(tree: Copy): Promise<void> {
  for (let fault = queue.shift(); fault !== undefined; fault = queue.shift()) {
    const begunAt = performance.now();
    const verdict = { fault, seen: await tryFault(tree, fault), ms: performance.now() - begunAt };
    verdicts.push(verdict);
    console.log(line(verdict));
  }
}

async function tryFault(tree: Copy, { file, from, to }: Fault): Promise<Seen | null> {
  const path = join(tree.folder, 'src', file);
  const text = readFileSync(path, 'utf8');
  if (text.split(from).length !== 2) throw new Error(`src/${file} does not have the text to break once`);
  writeFileSync(
    path,
    text.replace(from, () => to),
  );
  try {
    const [failure] = await play(tree, ['--except', unsound.join()], limitMs);
    return failure ?? null;
  } finally {
    writeFileSync(path, text);
  }
}

/** Plays seeds in a process of its own: what breaks, in order; by default it stops at the first. */
async function play({ folder }: Copy, more: readonly string[], mostMs: number): Promise<readonly Seen[]> {
  const report = join(folder, 'report.json');
  rmSync(report, { force: true });
  const command = [
    '--max-semi-space-size=64',
    'test/simulate/run.ts',
    '--no-shrink',
    '--seeds',
    String(seeds),
    '--report',
    report,
    ...more,
  ];
  const child = spawn(process.execPath, command, {
    cwd: folder,
    stdio: ['ignore', 'ignore', 'pipe'],
    env: { ...process.env, NODE_NO_WARNINGS: '1' },
  });
  let trouble = '';
  child.stderr.setEncoding('utf8').on('data', (text: string) => {
    trouble = (trouble + text).slice(-4000);
  });
  let isLate = false;
  const timer = setTimeout(() => {
    isLate = true;
    child.kill('SIGKILL');
  }, mostMs);
  await once(child, 'close');
  clearTimeout(timer);
  return isLate ? [HANG] : readReport(report, trouble);
}

/** Throws if there is none: then nothing has been tried at all. */
function readReport(path: string, trouble: string): readonly Seen[] {
  if (!existsSync(path)) throw new Error(`the worlds were not played: ${trouble}`);
  type Failure = Omit<Seen, 'what'> & { readonly breach: { readonly what: string } };
  const { failures } = JSON.parse(readFileSync(path, 'utf8')) as { readonly failures: readonly Failure[] };
  return failures.map(({ seed, invariants, breach }) => ({ seed, invariants, what: breach.what }));
}

function line({ fault, seen, ms }: Verdict): string {
  const took = `${String(Math.round(ms / 1000)).padStart(4)} s`;
  if (seen === null) return `SURVIVED ${took}  ${fault.name} (src/${fault.file})`;
  return `caught   ${took}  ${fault.name}: (${seen.invariants.join(', ')}) at seed ${seen.seed ?? '?'}`;
}

function printTable(): void {
  const inOrder = [...verdicts].sort((a, b) => FAULTS.indexOf(a.fault) - FAULTS.indexOf(b.fault));
  const survivors = verdicts.filter(({ seen }) => seen === null);
  console.log('\n| fault | in | seen by | seeds |\n|---|---|---|---|');
  for (const { fault, seen } of inOrder) {
    const by = seen === null ? '**nobody**' : seen.invariants.join(', ');
    console.log(`| ${fault.name} | ${fault.file} | ${by} | ${seen?.seed ?? '–'} |`);
  }
  console.log(`\n${verdicts.length - survivors.length} caught, ${survivors.length} survived`);
  if (values.report !== undefined) {
    const totals = { pass: verdicts.length - survivors.length, fail: survivors.length, notRunnable: 0 };
    writeFileSync(values.report, JSON.stringify({ totals, notRun: wanted.length - verdicts.length, verdicts }));
  }
  process.exitCode = survivors.length > 0 || verdicts.length === 0 ? 1 : 0;
}
