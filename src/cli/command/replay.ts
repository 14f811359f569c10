import type { Env } from '../../app/configuration.ts';
import { playReplay } from '../../app/play-replay.ts';
import { readLedger, recordedOf } from '../../app/recorded-requests.ts';
import { systemNow } from '../../app/system-time.ts';
import type { RequestRecords } from '../../management/contract.ts';
import type { RecordedRequest } from '../../simulate/replay/index.ts';
import { CommandError, EXIT } from '../exit-code.ts';
import { findGateway } from '../find-gateway.ts';
import { askGateway, type Gateway } from '../gateway-client.ts';
import { createLiveLines } from '../live-lines.ts';
import { loadToReadOrEnd, openOrEnd } from '../open-configuration.ts';
import { proseErr } from '../prose.ts';
import { renderReplay } from '../replay-lines.ts';
import type { Terminal } from '../terminal.ts';
import { countOf } from '../words.ts';
import { readSince } from './requests.ts';

export type ReplayOptions = {
  readonly config?: string;
  readonly since: string;
  readonly url?: string;
  readonly stateDir?: string;
  readonly json?: boolean;
};

/** Requests with their attempts are kept in memory, and so is their replay. */
const MOST = 20_000;
const PAGE = 500;

type Source = { readonly name: string; readonly requests: readonly RecordedRequest[] };

/** Asks recorded requests again in virtual time, with a changed configuration; nothing is sent. */
export async function replay(terminal: Terminal, env: Env, options: ReplayOptions): Promise<void> {
  const config = loadToReadOrEnd(
    openOrEnd(options.config === undefined ? {} : { config: options.config }, env, EXIT.configuration),
  );
  const since = momentOf(readSince(options.since, systemNow()));
  const { name, requests } = await readRecords(env, options, since);
  const isCut = requests.length >= MOST;
  if (isCut) terminal.err(proseErr(terminal, `There are more than ${MOST} requests: the newest are replayed.`));
  const live = options.json ? null : createLiveLines(terminal);
  live?.status(`▸ ${countOf(requests.length, 'request')} of ${name}`);
  try {
    const report = await playReplay(requests, config);
    live?.status(null);
    if (options.json) terminal.out(JSON.stringify({ source: name, truncated: isCut, replay: report }, null, 2));
    else terminal.out(renderReplay(terminal, report, name));
  } finally {
    live?.status(null);
  }
}

/** `text` is ISO 8601, or seconds or milliseconds of the epoch. */
function momentOf(text: string): number {
  if (!/^\d+$/.test(text)) return Date.parse(text);
  return Number(text) < 1e11 ? Number(text) * 1000 : Number(text);
}

/** What the gateway that runs has on record; where none answers, what its state directory has. */
async function readRecords(env: Env, options: ReplayOptions, since: number): Promise<Source> {
  if (options.stateDir !== undefined) return fromLedger(env, options.stateDir, since) ?? noLedger(options.stateDir);
  // The configuration to try says nothing of the gateway that runs.
  const gateway = findGateway(options.url === undefined ? {} : { url: options.url }, env);
  try {
    return { name: gateway.url, requests: await askRecords(gateway, since) };
  } catch (error) {
    const isAway = error instanceof CommandError && error.exitCode === EXIT.unreachable && !gateway.isNamed;
    const found = isAway ? fromLedger(env, undefined, since) : null;
    if (found === null) throw error;
    return found;
  }
}

async function askRecords(gateway: Gateway, since: number): Promise<readonly RecordedRequest[]> {
  const read: RecordedRequest[] = [];
  let cursor: string | null = null;
  do {
    const query = new URLSearchParams({ attempts: '1', since: new Date(since).toISOString(), limit: String(PAGE) });
    if (cursor !== null) query.set('cursor', cursor);
    const page = (await askGateway(gateway, `/requests?${query.toString()}`)) as RequestRecords;
    // An older gateway takes no notice of what it does not know.
    if (page.data.some(({ attempts }) => (attempts as unknown) === undefined))
      throw new CommandError(
        EXIT.wrongUse,
        `The gateway at ${gateway.url} is older than this command: name --state-dir.`,
      );
    read.push(...page.data.map(recordedOf));
    cursor = page.next;
  } while (cursor !== null && read.length < MOST);
  return read.slice(0, MOST);
}

/** Null: there is no ledger. */
function fromLedger(env: Env, named: string | undefined, since: number): Source | null {
  const { stateDir } = openOrEnd(named === undefined ? {} : { stateDir: named }, env, EXIT.configuration);
  try {
    const requests = readLedger(stateDir, since, MOST);
    return requests === null ? null : { name: stateDir, requests };
  } catch (error) {
    const why = error instanceof Error ? error.message : String(error);
    throw new CommandError(EXIT.configuration, `The ledger in ${stateDir} can't be read: ${why}.`);
  }
}

function noLedger(dir: string): never {
  throw new CommandError(EXIT.wrongUse, `--state-dir ${dir}: there is no ledger in it.`);
}
