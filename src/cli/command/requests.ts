import type { RequestList } from '../../management/contract.ts';
import { askGateway, type Gateway } from '../gateway-client.ts';
import { renderTable } from '../table.ts';
import type { Terminal } from '../terminal.ts';
import { formatClock, formatDuration, styleOf } from '../words.ts';

export type RequestsOptions = {
  readonly json?: boolean;
  readonly limit?: string;
  readonly model?: string;
  readonly target?: string;
  readonly outcome?: string;
  readonly key?: string;
  readonly since?: string;
};

const FILTERS = ['limit', 'model', 'target', 'outcome', 'key', 'since'] as const;
const DEFAULT_LIMIT = '20';

/** Lists what was asked of the gateway, newest first. */
export async function listRequests(terminal: Terminal, gateway: Gateway, options: RequestsOptions): Promise<void> {
  const query = new URLSearchParams({ limit: DEFAULT_LIMIT });
  for (const name of FILTERS) {
    const value = options[name];
    if (value !== undefined) query.set(name, value);
  }
  const list = (await askGateway(gateway, `/requests?${query.toString()}`)) as RequestList;
  if (options.json) terminal.out(JSON.stringify(list, null, 2));
  else terminal.out(list.data.length === 0 ? 'No requests yet.' : renderRequests(terminal, list));
}

function renderRequests(terminal: Terminal, list: RequestList): string {
  const columns = [
    { title: 'time', drop: 3 },
    { title: 'id' },
    { title: 'model', fit: 'cut' as const },
    { title: 'status', align: 'right' as const, drop: 1 },
    { title: 'outcome' },
    { title: 'served by', fit: 'cut' as const },
    { title: 'tries', align: 'right' as const, drop: 4 },
    { title: 'took', align: 'right' as const, drop: 2 },
  ];
  const rows = list.data.map((request) => [
    formatClock(request.started_at),
    request.id,
    request.model ?? '–',
    String(request.status ?? '–'),
    terminal.paint(styleOf(request.outcome), request.outcome ?? 'running'),
    request.served_by ?? '–',
    request.attempt_count > 1 ? terminal.paint('yellow', String(request.attempt_count)) : String(request.attempt_count),
    formatDuration(request.duration_ms),
  ]);
  const more = list.next === null ? '' : `\n${terminal.paint('dim', 'There are more: see --limit and the filters.')}`;
  return `${renderTable(terminal, columns, rows)}${more}`;
}
