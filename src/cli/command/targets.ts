import type { OperatorAction } from '../../app/command-words.ts';
import { systemNow } from '../../app/system-time.ts';
import { nameOfProtocol } from '../../config/service-order.ts';
import type { ScopeList, ScopeView, TargetView } from '../../management/contract.ts';
import { ownCommand } from '../command-name.ts';
import { askGateway, type Gateway } from '../gateway-client.ts';
import { renderTable } from '../table.ts';
import type { Terminal } from '../terminal.ts';
import { formatUntil, styleOf } from '../words.ts';

/** Shows the live health of routes, credentials and endpoints. */
export async function listTargets(terminal: Terminal, gateway: Gateway, isJson: boolean): Promise<void> {
  const list = (await askGateway(gateway, '/targets')) as ScopeList;
  if (isJson) terminal.out(JSON.stringify(list, null, 2));
  else terminal.out(renderScopes(terminal, list.data, systemNow()));
}

/**
 * Forgets holds and failures of a target, route, credential or endpoint, or takes it out of service or back; then shows
 * it.
 */
export async function operateTarget(
  terminal: Terminal,
  gateway: Gateway,
  { action, id, isJson }: { readonly action: OperatorAction; readonly id: string; readonly isJson: boolean },
): Promise<void> {
  const path = `/targets/${encodeURIComponent(id)}/${action}`;
  const onMissing = `See which there are: ${ownCommand()} targets --json.`;
  const shown = (await askGateway(gateway, path, { sent: new TextEncoder().encode('{}'), onMissing })) as
    | ScopeView
    | TargetView;
  if (isJson) terminal.out(JSON.stringify(shown, null, 2));
  else terminal.out(renderScopes(terminal, shown.kind === 'target' ? shown.routes : [shown], systemNow(), true));
}

const KINDS = [
  { kind: 'route', title: 'route', always: true },
  { kind: 'credential', title: 'credential', always: false },
  { kind: 'endpoint', title: 'endpoint', always: false },
] as const;

/** Routes always; credentials and endpoints where something is to be said of them. */
function renderScopes(terminal: Terminal, scopes: readonly ScopeView[], now: number, isAsked = false): string {
  const tables = KINDS.flatMap(({ kind, title, always }) => {
    const rows = scopes.filter((scope) => scope.kind === kind);
    const shown = always || isAsked ? rows : rows.filter((scope) => scope.state !== 'ready' || scope.failures > 0);
    return shown.length === 0 ? [] : [renderKind(terminal, title, shown, now)];
  });
  return tables.length === 0 ? 'There are no targets.' : tables.join('\n\n');
}

const nameOf = (protocol: ScopeView['protocol']): string => (protocol === null ? '–' : nameOfProtocol(protocol));

function renderKind(terminal: Terminal, title: string, scopes: readonly ScopeView[], now: number): string {
  const columns = [
    { title },
    ...(title === 'route' ? [{ title: 'protocol', drop: 3 }] : []),
    { title: 'state' },
    { title: 'back' },
    { title: 'failures', align: 'right' as const, drop: 1 },
    { title: 'last', drop: 2 },
    { title: 'why', fit: 'wrap' as const },
  ];
  const rows = scopes.map((scope) => [
    scope.id,
    ...(title === 'route' ? [nameOf(scope.protocol)] : []),
    terminal.paint(styleOf(scope.state), scope.state),
    formatUntil(scope.until, now),
    scope.failures > 0 ? terminal.paint('yellow', String(scope.failures)) : '0',
    scope.last === null ? terminal.paint('dim', '–') : terminal.paint(styleOf(scope.last.outcome), scope.last.outcome),
    scope.reason ?? (scope.failures > 0 ? terminal.paint('dim', scope.last?.reason ?? '') : ''),
  ]);
  return renderTable(terminal, columns, rows);
}
