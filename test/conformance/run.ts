/**
 * Plays the judge's cases against this checkout: `npm run conformance [-- --only mid-01,ra --splits event --verbose]`.
 * Prints `N passed, N failed` at the end. A case that could not be played counts as failed; so do, without `--only`, a
 * split in which another number of cases was played than is pinned, and an exception whose case passes.
 */
import { spawn } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';
import { EXCEPTIONS, findMissing, findNeedless, JUDGE, loadCases, type Played, selectCases } from './select.ts';

type Results = {
  readonly totals: { readonly pass: number; readonly fail: number; readonly notRunnable: number };
  readonly notRun: number;
  readonly cases: readonly Played[];
};

const TOP = fileURLToPath(new URL('../..', import.meta.url));

type Options = ReturnType<typeof readOptions>;

function readOptions() {
  const { values } = parseArgs({
    options: {
      only: { type: 'string' },
      splits: { type: 'string', default: 'event,whole,byte' },
      concurrency: { type: 'string', default: '4' },
      gateway: { type: 'string', default: `'${TOP}bin/understudy' serve --config {config} --port {port}` },
      report: { type: 'string' },
      verbose: { type: 'boolean', default: false },
    },
  });
  return values;
}

/** Ids, or what stands before their number: `mid` is every `mid-…`. */
function narrow(ids: readonly string[], only: string | undefined): string[] {
  if (only === undefined) return [...ids];
  const words = only.split(',');
  return ids.filter((id) => words.includes(id) || words.includes(id.replace(/-\d+$/, '')));
}

function play(args: readonly string[]): Promise<number> {
  return new Promise((resolve, reject) => {
    const child = spawn(process.execPath, args, { stdio: ['ignore', 'inherit', 'inherit'] });
    child.once('error', reject).once('close', (code) => resolve(code ?? 1));
  });
}

/**
 * Many cases measure time, and beside others on a busy machine a gateway may come too late. What failed is played once
 * more with the machine to itself; a fault fails there too. Gives the number of those that pass then.
 */
async function playAlone(
  { cases }: Results,
  judge: (only: readonly string[], splits: string) => Promise<Results>,
): Promise<number> {
  const failed = cases.filter(({ status }) => status === 'fail');
  if (failed.length === 0 || failed.length > MOST_ALONE) return 0;
  console.log(`\nonce more, alone: ${failed.map(({ id, split }) => `${id}@${split}`).join(', ')}`);
  const list = (of: readonly string[]): string[] => [...new Set(of)];
  const alone = await judge(list(failed.map(({ id }) => id)), list(failed.map(({ split }) => split)).join(','));
  const passes = ({ id, split }: Played): boolean =>
    alone.cases.some((each) => each.id === id && each.split === split && each.status === 'pass');
  return failed.filter(passes).length;
}

/** More than these are no matter of load. */
const MOST_ALONE = 12;

type Judge = (only: readonly string[], splits: string, concurrency: string, report: string) => Promise<Results>;

function createJudge(options: Options): Judge {
  return async (only, splits, concurrency, report) => {
    const args = [join(JUDGE, 'run.mjs'), '--gateway', options.gateway, '--only', only.join(','), '--keep-going'];
    args.push('--splits', splits, '--concurrency', concurrency, '--json', report);
    await play(options.verbose ? [...args, '--verbose'] : args);
    return JSON.parse(readFileSync(report, 'utf8'));
  };
}

/** The excepted cases must fail. Those that don't, in words. */
async function playExceptions(
  judge: Judge,
  { splits, concurrency }: Pick<Options, 'splits' | 'concurrency'>,
  folder: string,
) {
  const ids = Object.keys(EXCEPTIONS);
  if (ids.length === 0) return [];
  console.log(`\nmust fail, by their exceptions: ${ids.join(', ')}`);
  const { cases } = await judge(ids, splits, concurrency, join(folder, 'exceptions.json'));
  return findNeedless(cases).map((id) => `${id} passes: its exception is no longer needed`);
}

async function main(): Promise<number> {
  const options = readOptions();
  const ids = narrow(selectCases(loadCases()), options.only);
  if (ids.length === 0) {
    console.error(`No case fits ${options.only}.`);
    return 2;
  }
  const folder = mkdtempSync(join(tmpdir(), 'understudy-conformance-'));
  const report = options.report ?? join(folder, 'results.json');
  const judge = createJudge(options);
  try {
    const first = await judge(ids, options.splits, options.concurrency, report);
    const again = await playAlone(first, (only, splits) => judge(only, splits, '1', join(folder, 'alone.json')));
    const problems =
      options.only === undefined
        ? [...findMissing(first.cases, options.splits.split(',')), ...(await playExceptions(judge, options, folder))]
        : [];
    for (const problem of problems) console.error(`\nFAIL  ${problem}`);
    const { pass, fail } = first.totals;
    const totals = { ...first.totals, pass: pass + again, fail: fail - again + problems.length };
    writeFileSync(report, JSON.stringify({ ...first, totals, problems }));
    const failed = totals.fail + totals.notRunnable + first.notRun;
    console.log(`\n${totals.pass} passed, ${failed} failed`);
    return failed > 0 || totals.pass === 0 ? 1 : 0;
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

process.exitCode = await main();
