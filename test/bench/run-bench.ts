import { writeFileSync } from 'node:fs';
import { buildNative } from './build-native.ts';
import { type Contestant, MAIN, nginxPath, PORTKEY, PRICES, type Stage, takesPart } from './contestants.ts';
import { installPortkey } from './install-portkey.ts';
import { checkFiles, checkTools, pickCores } from './machine.ts';
import { type Bench, bodyFile, measure, type Round, warmUp } from './measure.ts';
import type { BenchOptions } from './options.ts';
import { printTable } from './print-table.ts';
import type { Result } from './results.ts';
import { startProvider } from './start-provider.ts';
import type { Server } from './start-server.ts';
import { filesOf, requestOf, type Workload } from './workloads.ts';

/** CPU seconds of a new process before its first round, and how long it is asked before each. */
const WARM = { cpu: 4, ms: 300 };
const QUICK_WARM = { cpu: 2, ms: 200 };

/** Runs all that was asked for, in a folder of its own; tells each result as soon as it is there. */
export async function runBench(
  options: BenchOptions,
  folder: string,
  tell: (line: string) => void,
): Promise<readonly Result[]> {
  checkTools();
  checkFiles(Math.max(...options.workloads.map(filesOf)));
  const cores = pickCores();
  const native = buildNative(folder);
  const contestants = pickContestants(options, tell);
  const portkey = options.withPortkey ? installPortkey(folder) : null;
  const results: Result[] = [];
  for (const workload of options.workloads) {
    const provider = await startProvider(native.provider, folder, cores.load);
    const stage: Stage = { folder, core: cores.gateway, ports: provider, portkey };
    writeFileSync(bodyFile(folder, workload), requestOf(workload));
    const bench: Bench = { native, provider, stage, loadCore: cores.load, seconds: options.seconds };
    const result = await runWorkload(
      bench,
      workload,
      contestants.filter((contestant) => takesPart(contestant, workload)),
      options,
    );
    await provider.child.stop();
    results.push(result);
    tell(`\n${printTable(result)}`);
  }
  return results;
}

function pickContestants(options: BenchOptions, tell: (line: string) => void): readonly Contestant[] {
  const all = [...MAIN, ...(options.withPrices ? PRICES : []), ...(options.withPortkey ? PORTKEY : [])];
  const unknown = (options.only ?? []).filter((name) => !all.some((contestant) => contestant.name === name));
  if (unknown.length > 0) {
    throw new Error(`No contestant ${unknown.join(', ')}; there are ${all.map(({ name }) => name).join('; ')}`);
  }
  const hasNginx = nginxPath() !== null;
  if (!hasNginx) tell('There is no nginx here (apt-get install nginx): it is left out.');
  return all.filter(({ name }) => (options.only?.includes(name) ?? true) && (hasNginx || name !== 'nginx'));
}

/** All contestants one after the other, round by round, so that a slow moment of the machine meets all of them. */
async function runWorkload(
  bench: Bench,
  workload: Workload,
  contestants: readonly Contestant[],
  { rounds, isQuick }: BenchOptions,
): Promise<Result> {
  // Memory and starts are those of a new process; all others keep theirs, with its code compiled.
  const isFresh = workload.load.kind === 'held' || workload.load.kind === 'start';
  const servers = new Map<string, Server>();
  const entries = contestants.map(({ name }) => ({ name, rounds: [] as Round[] }));
  const warm = isQuick ? QUICK_WARM : WARM;
  for (let round = 0; round < rounds; round++) {
    for (const [i, contestant] of contestants.entries()) {
      const known = servers.get(contestant.name);
      const server = known ?? (await contestant.start?.(workload, bench.stage)) ?? null;
      if (server !== null) servers.set(contestant.name, server);
      if (server !== null && known === undefined && !isFresh) {
        await warmUp(bench, workload, contestant, server, warm.cpu);
      }
      entries[i]?.rounds.push(await measure(bench, workload, contestant, server, warm.ms));
      if (!isFresh) continue;
      await server?.child.stop();
      servers.delete(contestant.name);
    }
  }
  await Promise.all([...servers.values()].map(({ child }) => child.stop()));
  return {
    workload,
    entries: entries.map((entry) => ({
      name: entry.name,
      rounds: entry.rounds.map(({ measured }) => measured),
      problems: [...new Set(entry.rounds.flatMap(({ problems }) => problems))],
    })),
  };
}
