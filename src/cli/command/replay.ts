import type { Env } from '../../app/configuration.ts';
import { playReplay } from '../../app/play-replay.ts';
import { type Records, readLedger } from '../../app/recorded-requests.ts';
import { systemNow } from '../../app/system-time.ts';
import { askRecords } from '../ask-records.ts';
import { CommandError, EXIT } from '../exit-code.ts';
import { findGateway } from '../find-gateway.ts';
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

type Source = Records & { readonly name: string };

/** Asks recorded requests again in virtual time, with a changed configuration; nothing is sent. */
export async function replay(terminal: Terminal, env: Env, options: ReplayOptions): Promise<void> {
  const config = loadToReadOrEnd(
    openOrEnd(options.config === undefined ? {} : { config: options.config }, env, EXIT.configuration),
  );
  const since = momentOf(readSince(options.since, systemNow()));
  const { name, requests, hasMore: isCut } = await readRecords(env, options, since);
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
    return { name: gateway.url, ...(await askRecords(gateway, since, MOST)) };
  } catch (error) {
    const isAway = error instanceof CommandError && error.exitCode === EXIT.unreachable && !gateway.isNamed;
    const found = isAway ? fromLedger(env, undefined, since) : null;
    if (found === null) throw error;
    return found;
  }
}

/** Null: there is no ledger. */
function fromLedger(env: Env, named: string | undefined, since: number): Source | null {
  const { stateDir } = openOrEnd(named === undefined ? {} : { stateDir: named }, env, EXIT.configuration);
  try {
    const records = readLedger(stateDir, since, MOST);
    return records === null ? null : { name: stateDir, ...records };
  } catch (error) {
    const why = error instanceof Error ? error.message : String(error);
    throw new CommandError(EXIT.configuration, `The ledger in ${stateDir} can't be read: ${why}.`);
  }
}

function noLedger(dir: string): never {
  throw new CommandError(EXIT.wrongUse, `--state-dir ${dir}: there is no ledger in it.`);
}
