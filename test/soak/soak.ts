/**
 * The real gateway under load with faults: `npm run soak -- --requests 10000 --concurrency 100 --faults 0.3`, or for an
 * hour: `--minutes 60`. `--seed N` repeats the same requests, faults and manners.
 *
 * Three processes, and real sockets between them: the command with ledger, log, metrics and keys; providers of three
 * protocols, whose every send has words of its own (`world.ts` says who stands where and why this does not run dry); here
 * the clients, some of which leave or read slowly. What each client saw is held against the sends that were made for it
 * (`check-answer.ts`), the ledger against both (`check-record.ts`), and the process against itself (`steadiness.ts`).
 *
 * Ends with code 1 on any fault, and names the seed and the requests.
 */
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { readSoakOptions } from './options.ts';
import { printReport } from './print-report.ts';
import { problemCount, runSoak } from './run-soak.ts';

async function main(): Promise<number> {
  const options = readSoakOptions(process.argv.slice(2));
  console.log(
    `soak: seed ${options.seed}, ${options.concurrency} at once, ${options.faults * 100} % of the sends fail`,
  );
  const folder = mkdtempSync(join(tmpdir(), 'understudy-soak-'));
  const report = await runSoak(options, folder, (line) => console.log(line));
  console.log(printReport(report));
  if (options.report !== null) writeFileSync(options.report, JSON.stringify(report, replaceMaps, 2));
  if (problemCount(report) === 0) {
    rmSync(folder, { recursive: true, force: true });
    return 0;
  }
  console.log(`The ledger is kept in ${folder}. --seed ${options.seed} repeats this run.`);
  return 1;
}

const replaceMaps = (_key: string, value: unknown): unknown =>
  value instanceof Map ? Object.fromEntries(value) : value;

process.exitCode = await main();
