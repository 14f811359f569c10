// Breaks the product on purpose, one fault at a time, in a copy of the tree, and asks the tests named beside each fault
// to see it. A fault that no test sees is a survivor, and fails the run.
//
//   npm run mutation -- [WORDS OF A NAME OR FILE …] [--workers N] [--report FILE]
import { writeFileSync } from 'node:fs';
import { availableParallelism } from 'node:os';
import { parseArgs } from 'node:util';
import { mutants } from './mutants.ts';
import { createTree, type Tree } from './tree.ts';
import type { Job, Mutant, Seen } from './types.ts';

/** A fault that makes the code run for ever is caught as well: the test would have hung. */
const LIMIT_MS = 90_000;

type Verdict = { readonly name: string; readonly file: string; readonly isCaught: boolean; readonly why: string };

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: { report: { type: 'string' }, workers: { type: 'string' } },
});
const wanted = mutants.filter(({ name, file }) => positionals.every((word) => `${name} ${file}`.includes(word)));
const tests = [...new Set(wanted.flatMap((mutant) => mutant.tests))];
const workers = Math.max(1, Number(values.workers ?? availableParallelism()));
const trees = Array.from({ length: workers }, createTree);
const close = (): void => {
  for (const tree of trees) tree.close();
};
process.once('exit', close);
for (const signal of ['SIGINT', 'SIGTERM'] as const) process.once(signal, () => process.exit(1));

const unsound = await findUnsound();
const verdicts = await inTurns(wanted, tryMutant);
close();
const survivors = verdicts.filter(({ isCaught }) => !isCaught);
for (const { name, file, why } of survivors) console.log(`\nSURVIVED  ${name}\n          src/${file}: ${why}`);
console.log(`\n${verdicts.length - survivors.length} caught, ${survivors.length} survived`);
if (values.report !== undefined) {
  const totals = { pass: verdicts.length - survivors.length, fail: survivors.length, notRunnable: 0 };
  writeFileSync(values.report, JSON.stringify({ totals, notRun: wanted.length - verdicts.length, verdicts }));
}
process.exitCode = survivors.length > 0 || verdicts.length === 0 ? 1 : 0;

/** Each tree does one thing at a time, so that two faults never meet. */
async function inTurns<T, R>(list: readonly T[], run: (tree: Tree, item: T) => Promise<R>): Promise<R[]> {
  const queue = [...list];
  const done: R[] = [];
  const work = async (tree: Tree): Promise<void> => {
    for (let item = queue.shift(); item !== undefined; item = queue.shift()) done.push(await run(tree, item));
  };
  await Promise.all(trees.map(work));
  return done;
}

/** Tests that fail before anything is broken, and what they say: they would catch everything. */
async function findUnsound(): Promise<ReadonlyMap<string, string>> {
  const found = new Map<string, string>();
  await inTurns(tests, async (tree, test) => {
    const { passed, failed, trouble } = await ask(tree, { fault: null, tests: [test] });
    const [first = trouble ?? (passed === 0 ? 'there is no test' : null)] = failed;
    if (first === null) return;
    found.set(test, first);
    console.log(`fails before anything is broken: ${test}: ${first}`);
  });
  return found;
}

async function tryMutant(tree: Tree, { name, file, from, to, tests: own }: Mutant): Promise<Verdict> {
  const bad = own.find((test) => unsound.has(test));
  if (bad !== undefined) return { name, file, isCaught: false, why: `${bad} fails before anything is broken` };
  const since = performance.now();
  const verdict = { name, file, ...judge(await ask(tree, { fault: { file, from, to }, tests: own })) };
  const ms = String(Math.round(performance.now() - since)).padStart(6);
  console.log(`${verdict.isCaught ? 'caught  ' : 'SURVIVED'} ${ms} ms  ${name}`);
  return verdict;
}

async function ask(tree: Tree, job: Job): Promise<Seen> {
  return (await tree.ask(job, LIMIT_MS)) ?? { passed: 0, failed: ['the tests hung'], trouble: null };
}

/** A tree in which nothing ran has caught nothing. */
function judge({ passed, failed, trouble }: Seen): Pick<Verdict, 'isCaught' | 'why'> {
  const [first] = failed;
  if (first !== undefined) return { isCaught: true, why: first };
  if (passed === 0) return { isCaught: false, why: `no test ran: ${trouble ?? 'there is none'}` };
  return trouble === null ? { isCaught: false, why: 'every test passed' } : { isCaught: true, why: trouble };
}
