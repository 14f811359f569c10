/**
 * Plays real clients against this checkout: `npm run test:clients -- [NAMES] [--sdks] [--native] [--foreign]
 * [--faults a,b] [--jobs 1] [--write] [--report FILE] [--keep FOLDER] [--verbose]`. Behind the gateway stand scripted providers; the
 * first target of each model fails as its cell says. Those that can are then played once under `understudy run` as well.
 * Prints a line for each cell, the table, and `N passed, N failed` at
 * the end. `--keep` writes what the providers were asked, and what the gateway logged, into a folder.
 */
import { mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';
import type { Protocol } from '../../src/core/model/protocol.ts';
import { cleanUp, type RunningGateway, startGateway } from '../e2e/gateway-process.ts';
import type { Client } from './client.ts';
import { CLIENTS } from './clients.ts';
import { FAULT_NAMES, FAULTS, type FaultName } from './faults.ts';
import { gatewayConfig } from './gateway-config.ts';
import { install } from './install.ts';
import { judge, type Verdict } from './judge.ts';
import { type Outcome, type Pair, rowOf, rowsOf, tableOf, withTable } from './page.ts';
import { createProviders, type Providers, type Seen } from './provider.ts';
import { createQuietProxy, type QuietProxy } from './quiet-proxy.ts';
import { type Run, runClient, stopClients } from './run-client.ts';
import { hasSidecar, playSidecar } from './sidecar.ts';

const PAGE = fileURLToPath(new URL('../../docs/clients-tested.md', import.meta.url));

type Cell = {
  readonly id: string;
  readonly name: string;
  readonly client: Client;
  readonly pair: Pair;
  readonly fault: FaultName;
  /** What its targets speak. */
  readonly protocol: Protocol;
};

type Stage = { readonly gateway: RunningGateway; readonly providers: Providers; readonly proxy: QuietProxy };

type Options = ReturnType<typeof readOptions>;

function readOptions() {
  const { values, positionals } = parseArgs({
    allowPositionals: true,
    options: {
      sdks: { type: 'boolean', default: false },
      native: { type: 'boolean', default: false },
      foreign: { type: 'boolean', default: false },
      faults: { type: 'string' },
      jobs: { type: 'string', default: '1' },
      write: { type: 'boolean', default: false },
      report: { type: 'string' },
      keep: { type: 'string' },
      verbose: { type: 'boolean', default: false },
    },
  });
  return { ...values, names: positionals };
}

/** By its name, or by what stands before a dash: `opencode` is all three. */
const isNamed = (name: string, names: readonly string[]): boolean =>
  names.length === 0 || names.some((word) => name === word || name.startsWith(`${word}-`));

function listCells({ names, sdks, native, foreign, faults }: Options): readonly Cell[] {
  const pairs: readonly Pair[] = native === foreign ? ['native', 'foreign'] : [native ? 'native' : 'foreign'];
  const chosen = FAULT_NAMES.filter((fault) => faults === undefined || isNamed(fault, faults.split(',')));
  return [...CLIENTS]
    .filter(([name, client]) => isNamed(name, names) && (!sdks || client.isSdk === true))
    .flatMap(([name, client]) =>
      pairs.flatMap((pair) =>
        chosen.map((fault) => {
          const protocol = pair === 'native' ? client.protocol : client.foreign;
          return { id: `${name}-${pair}-${fault}`, name, client, pair, fault, protocol };
        }),
      ),
    );
}

async function play(cell: Cell, { gateway, providers, proxy }: Stage): Promise<{ run: Run; verdict: Verdict }> {
  const installed = await install(cell.client.package);
  const run = await runClient(cell.client, { url: gateway.url, model: cell.id, installed, proxy: proxy.url });
  return { run, verdict: judge(run, providers.seen(cell.id), FAULTS[cell.fault], cell.client) };
}

function tell(cell: Pick<Cell, 'id'>, run: Run, verdict: Verdict, seen: Seen, isVerbose: boolean): void {
  const requests = `${seen.first} + ${seen.second} requests, ${seen.aside} beside`;
  const time = `${(run.ms / 1000).toFixed(1)} s`;
  console.log(`${verdict.word.padEnd(7)} ${cell.id.padEnd(44)} ${time.padStart(7)}  ${requests}`);
  for (const fault of verdict.faults) console.log(`        ${fault}`);
  if (verdict.faults.length === 0 && !isVerbose) return;
  for (const [name, text] of Object.entries({ printed: run.out, errors: run.err })) {
    if (text.trim() !== '') console.log(`        ${name}:\n${indent(text)}`);
  }
}

const indent = (text: string): string =>
  text
    .trim()
    .split('\n')
    .slice(-15)
    .map((line) => `          ${line.slice(0, 300)}`)
    .join('\n');

/** What a provider was asked, into a folder, for whoever looks into a failure. */
function keep(folder: string, cell: Cell, seen: Seen, log: string): void {
  const at = join(folder, cell.id);
  rmSync(at, { recursive: true, force: true });
  mkdirSync(at, { recursive: true });
  writeFileSync(join(at, 'gateway.log'), log);
  for (const [n, { target, body }] of seen.bodies.entries()) writeFileSync(join(at, `${n + 1}-${target}.json`), body);
}

/** Each client that was chosen, once, under `understudy run`. */
async function playSidecars(cells: readonly Cell[], { verbose }: Options): Promise<readonly Verdict['word'][]> {
  const names = new Set(cells.filter(({ pair }) => pair === 'native').map(({ name }) => name));
  const clients = [...CLIENTS].filter(([name]) => names.has(name) && hasSidecar(name));
  const providers = await createProviders();
  const proxy = await createQuietProxy();
  const words: Verdict['word'][] = [];
  try {
    for (const [name, client] of clients) {
      const { id, run, verdict, seen } = await playSidecar(name, client, { providers, proxy: proxy.url });
      tell({ id }, run, verdict, seen, verbose);
      words.push(verdict.word);
    }
  } finally {
    await Promise.all([providers.close(), proxy.close()]);
  }
  return words;
}

async function playAll(cells: readonly Cell[], options: Options): Promise<readonly Outcome[]> {
  for (const name of new Set(cells.map(({ client }) => client.package))) await install(name);
  const providers = await createProviders();
  const proxy = await createQuietProxy();
  for (const { id, protocol, fault } of cells) providers.open(id, protocol, FAULTS[fault]);
  const gateway = await startGateway(gatewayConfig(cells, providers.port));
  const outcomes: Outcome[] = [];
  const left = cells.values();
  const playSome = async (): Promise<void> => {
    for (const cell of left) {
      const logged = gateway.out().length;
      const { run, verdict } = await play(cell, { gateway, providers, proxy });
      const seen = providers.seen(cell.id);
      tell(cell, run, verdict, seen, options.verbose);
      if (options.keep !== undefined) keep(options.keep, cell, seen, gateway.out().slice(logged));
      const { name, pair, fault } = cell;
      outcomes.push({ name, pair, fault, word: verdict.word });
    }
  };
  try {
    await Promise.all(Array.from({ length: Number(options.jobs) }, playSome));
  } finally {
    cleanUp();
    await Promise.all([providers.close(), proxy.close()]);
  }
  if (proxy.wanted.size > 0) console.log(`\nnot let out: ${[...proxy.wanted].join(', ')}`);
  return outcomes;
}

/** Rows of clients of which not every cell was played stay as they are. */
function writePage(outcomes: readonly Outcome[]): void {
  const page = readFileSync(PAGE, 'utf8');
  const all = 2 * FAULT_NAMES.length;
  const rows = [...CLIENTS].flatMap(([name, client]) => {
    if (outcomes.filter((outcome) => outcome.name === name).length === all) return [rowOf(name, client, outcomes)];
    return rowsOf(page).filter(([title]) => title === client.title);
  });
  writeFileSync(PAGE, withTable(page, tableOf(rows)));
}

async function main(): Promise<number> {
  const options = readOptions();
  const cells = listCells(options);
  if (cells.length === 0) {
    console.error(`No cell fits. Clients: ${[...CLIENTS.keys()].join(', ')}. Faults: ${FAULT_NAMES.join(', ')}.`);
    return 2;
  }
  const outcomes = await playAll(cells, options);
  const runs = await playSidecars(cells, options);
  const played = [...CLIENTS].filter(([name]) => cells.some((cell) => cell.name === name));
  const table = tableOf(played.map(([name, client]) => rowOf(name, client, outcomes)));
  console.log(`\n${table}`);
  if (options.write) writePage(outcomes);
  const words = [...outcomes.map(({ word }) => word), ...runs];
  const fail = words.filter((word) => word === 'broken').length;
  const pass = words.length - fail;
  if (options.report !== undefined) {
    writeFileSync(options.report, JSON.stringify({ totals: { pass, fail, notRunnable: 0 }, notRun: 0, outcomes }));
  }
  console.log(`\n${pass} passed, ${fail} failed`);
  return fail > 0 ? 1 : 0;
}

for (const signal of ['SIGINT', 'SIGTERM'] as const) {
  process.once(signal, () => {
    stopClients();
    cleanUp();
    process.exit(1);
  });
}
process.exitCode = await main();
