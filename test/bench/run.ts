/**
 * How fast the gateway is, beside a bare relay, nginx and the provider itself: `npm run bench`, shortly `npm run bench --
 * --quick`, one workload `npm run bench -- json-1k`. What is measured: `workloads.ts`; against whom: `contestants.ts`; how
 * to read it: docs/performance.md.
 *
 * The gateway has one core for itself; provider and clients, in C so that they are never what is measured, have another.
 * Ends with code 1 if any answer was wrong.
 */
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { killChildren } from './children.ts';
import { drawSvg } from './draw-svg.ts';
import { describeMachine } from './machine.ts';
import { type BenchOptions, readBenchOptions, USAGE } from './options.ts';
import { linesOf, type Result } from './results.ts';
import { runBench } from './run-bench.ts';

async function main(): Promise<number> {
  const options = readOptions();
  if (options === null) return 2;
  const folder = mkdtempSync(join(tmpdir(), 'understudy-bench-'));
  const leave = (): void => {
    killChildren();
    rmSync(folder, { recursive: true, force: true, maxRetries: 3 });
  };
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) {
    process.once(signal, () => {
      leave();
      process.exit(130);
    });
  }
  const machine = describeMachine();
  console.log(
    `bench: ${machine.cpu}, ${machine.cores} cores, load ${machine.load.toFixed(1)}, Node ${machine.node}; ${options.rounds} rounds of ${options.seconds} s`,
  );
  try {
    const results = await runBench(options, folder, (line) => console.log(line));
    write(options, results, machine);
    return results.some(({ entries }) => entries.some(({ problems }) => problems.length > 0)) ? 1 : 0;
  } catch (error) {
    console.error(messageOf(error));
    return 2;
  } finally {
    leave();
  }
}

const messageOf = (error: unknown): string => (error instanceof Error ? error.message : String(error));

function readOptions(): BenchOptions | null {
  try {
    return readBenchOptions(process.argv.slice(2));
  } catch (error) {
    console.error(`${messageOf(error)}\n\n${USAGE}`);
    return null;
  }
}

function write({ json, svg }: BenchOptions, results: readonly Result[], machine: object): void {
  const figures = results.map((result) => ({
    workload: result.workload,
    lines: linesOf(result),
    rounds: Object.fromEntries(result.entries.map(({ name, rounds }) => [name, rounds])),
  }));
  if (json !== null) writeFileSync(json, `${JSON.stringify({ machine, results: figures }, null, 2)}\n`);
  if (svg !== null) writeFileSync(svg, drawSvg(results));
}

process.exitCode = await main();
