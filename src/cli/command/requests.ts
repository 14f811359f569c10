import { systemNow } from '../../app/system-time.ts';
import { parseDuration } from '../../config/units.ts';
import type { RequestList } from '../../management/contract.ts';
import { CommandError, EXIT } from '../exit-code.ts';
import { askGateway, type Gateway } from '../gateway-client.ts';
import { renderTable } from '../table.ts';
import type { Terminal } from '../terminal.ts';
import { formatClock, formatDuration, kindWords, styleOf } from '../words.ts';

export type RequestsOptions = {
  readonly json?: boolean;
  readonly limit?: string;
  readonly model?: string;
  readonly target?: string;
  readonly outcome?: string;
  readonly key?: string;
  readonly kind?: string;
  readonly since?: string;
};

const FILTERS = ['model', 'target', 'outcome', 'key', 'kind'] as const;
const DEFAULT_LIMIT = '20';
const MAX_LIMIT = 500;

/** Lists what was asked of the gateway, newest first. */
export async function listRequests(terminal: Terminal, gateway: Gateway, options: RequestsOptions): Promise<void> {
  const query = new URLSearchParams({ limit: readLimit(options.limit) });
  const since = options.since === undefined ? undefined : readSince(options.since, systemNow());
  const filters = { ...Object.fromEntries(FILTERS.map((name) => [name, options[name]])), since };
  for (const [name, value] of Object.entries(filters)) if (value !== undefined) query.set(name, value);
  const isFiltered = Object.values(filters).some((value) => value !== undefined);
  const list = (await askGateway(gateway, `/requests?${query.toString()}`)) as RequestList;
  if (options.json) terminal.out(JSON.stringify(list, null, 2));
  else terminal.out(list.data.length === 0 ? nothing(isFiltered) : renderRequests(terminal, list));
}

const nothing = (isFiltered: boolean): string =>
  isFiltered ? 'None of the requests on record match.' : 'No requests yet.';

function readLimit(text: string = DEFAULT_LIMIT): string {
  if (!/^[1-9]\d*$/.test(text)) throw new CommandError(EXIT.wrongUse, `--limit ${text}: a whole number from 1.`);
  if (Number(text) <= MAX_LIMIT) return text;
  const older = 'The API gives older ones page by page (cursor).';
  throw new CommandError(EXIT.wrongUse, `--limit ${text}: ${MAX_LIMIT} is the most. ${older}`);
}

/** A moment as it was written; so long before `now` for a duration. */
export function readSince(text: string, now: number): string {
  const ago = parseDuration(text);
  if (ago.ok) return new Date(now - ago.value).toISOString();
  if (/^\d{9,13}$/.test(text) || !Number.isNaN(Date.parse(text))) return text;
  const forms = 'a time such as 2026-01-31T12:00:00Z, or how long ago: 90s, 15m, 1h, 2d';
  throw new CommandError(EXIT.wrongUse, `--since ${text}: write ${forms}.`);
}

/** On fewer columns than these an id takes the room of what happened. */
const ROOMY = 100;
/** Two requests whose ids end alike are a matter of millions. */
const ID_END = 8;

/** The model, and what it was asked for where that is no answer. */
function modelCell(terminal: Terminal, request: RequestList['data'][number]): string {
  const words = kindWords(request);
  return `${request.model ?? '–'}${words === null ? '' : terminal.paint('dim', ` (${words})`)}`;
}

function renderRequests(terminal: Terminal, list: RequestList): string {
  const isShort = terminal.isInteractive && terminal.columns < ROOMY;
  const columns = [
    { title: 'time', drop: 3 },
    { title: isShort ? '…id' : 'id' },
    { title: 'model', fit: 'cut' as const },
    { title: 'status', align: 'right' as const, drop: 1 },
    { title: 'outcome' },
    { title: 'served by', fit: 'cut' as const },
    { title: 'tries', align: 'right' as const, drop: 4 },
    { title: 'took', align: 'right' as const, drop: 2 },
  ];
  const rows = list.data.map((request) => [
    formatClock(request.started_at),
    isShort ? request.id.slice(-ID_END) : request.id,
    modelCell(terminal, request),
    String(request.status ?? '–'),
    terminal.paint(styleOf(request.outcome), request.outcome ?? 'running'),
    request.served_by ?? '–',
    request.attempt_count > 1 ? terminal.paint('yellow', String(request.attempt_count)) : String(request.attempt_count),
    formatDuration(request.duration_ms),
  ]);
  const more = list.next === null ? '' : `\n${terminal.paint('dim', 'There are more: see --limit and the filters.')}`;
  return `${renderTable(terminal, columns, rows)}${more}`;
}
