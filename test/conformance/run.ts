/**
 * Plays the judge's cases against this checkout: `npm run conformance [-- --only mid-01,ra --splits event --verbose]`.
 * Prints `N passed, N failed` at the end. A case that could not be played counts as failed.
 */
import { spawn } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';
import { JUDGE, loadCases, selectCases } from './select.ts';

type Results = {
  readonly totals: { readonly pass: number; readonly fail: number; readonly notRunnable: number };
  readonly notRun: number;
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

async function main(): Promise<number> {
  const options = readOptions();
  const ids = narrow(selectCases(loadCases()), options.only);
  if (ids.length === 0) {
    console.error(`No case fits ${options.only}.`);
    return 2;
  }
  const folder = mkdtempSync(join(tmpdir(), 'understudy-conformance-'));
  const report = options.report ?? join(folder, 'results.json');
  const args = [join(JUDGE, 'run.mjs'), '--gateway', options.gateway, '--only', ids.join(','), '--keep-going'];
  args.push('--splits', options.splits, '--concurrency', options.concurrency, '--json', report);
  if (options.verbose) args.push('--verbose');
  try {
    const code = await play(args);
    const { totals, notRun }: Results = JSON.parse(readFileSync(report, 'utf8'));
    const failed = totals.fail + totals.notRunnable + notRun;
    console.log(`\n${totals.pass} passed, ${failed} failed`);
    return failed > 0 ? 1 : code;
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

process.exitCode = await main();
