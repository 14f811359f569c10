/**
 * Plays the judge's cases against this checkout: `npm run conformance [-- --only mid-01,ra --splits event --verbose]`.
 * Prints `N passed, N failed` at the end. A case that could not be played counts as failed.
 */
import { spawn } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';
import { JUDGE, loadCases, selectCases } from './select.ts';

type Played = { readonly id: string; readonly split: string; readonly status: 'pass' | 'fail' | 'not-runnable' };

type Results = {
  readonly totals: { readonly pass: number; readonly fail: number; readonly notRunnable: number };
  readonly notRun: number;
  readonly cases: readonly Played[];
};

const TOP = fileURLToPath(new URL('../..', import.meta.url));

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
  judge: (only: readonly string[], splits: string) => Promise<number>,
  folder: string,
): Promise<number> {
  const failed = cases.filter(({ status }) => status === 'fail');
  if (failed.length === 0 || failed.length > MOST_ALONE) return 0;
  console.log(`\nonce more, alone: ${failed.map(({ id, split }) => `${id}@${split}`).join(', ')}`);
  const list = (of: readonly string[]): string[] => [...new Set(of)];
  await judge(list(failed.map(({ id }) => id)), list(failed.map(({ split }) => split)).join(','));
  const alone: Results = JSON.parse(readFileSync(join(folder, 'alone.json'), 'utf8'));
  const passes = ({ id, split }: Played): boolean =>
    alone.cases.some((each) => each.id === id && each.split === split && each.status === 'pass');
  return failed.filter(passes).length;
}

/** More than these are no matter of load. */
const MOST_ALONE = 12;

async function main(): Promise<number> {
  const options = readOptions();
  const ids = narrow(selectCases(loadCases()), options.only);
  if (ids.length === 0) {
    console.error(`No case fits ${options.only}.`);
    return 2;
  }
  const folder = mkdtempSync(join(tmpdir(), 'understudy-conformance-'));
  const report = options.report ?? join(folder, 'results.json');
  const judge = (only: readonly string[], splits: string, concurrency: string, file: string): Promise<number> => {
    const args = [join(JUDGE, 'run.mjs'), '--gateway', options.gateway, '--only', only.join(','), '--keep-going'];
    args.push('--splits', splits, '--concurrency', concurrency, '--json', file);
    return play(options.verbose ? [...args, '--verbose'] : args);
  };
  try {
    await judge(ids, options.splits, options.concurrency, report);
    const first: Results = JSON.parse(readFileSync(report, 'utf8'));
    const again = await playAlone(
      first,
      (only, splits) => judge(only, splits, '1', join(folder, 'alone.json')),
      folder,
    );
    const whole = {
      ...first,
      totals: { ...first.totals, pass: first.totals.pass + again, fail: first.totals.fail - again },
    };
    writeFileSync(report, JSON.stringify(whole));
    const failed = whole.totals.fail + whole.totals.notRunnable + whole.notRun;
    console.log(`\n${whole.totals.pass} passed, ${failed} failed`);
    return failed > 0 || whole.totals.pass === 0 ? 1 : 0;
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

process.exitCode = await main();
