import type { ShownEvent, ShownRequest } from '../simulate/report/index.ts';
import { formatMoment, titleOf, writeCount } from './simulation-lines.ts';
import { type Column, renderTable } from './table.ts';
import type { Terminal } from './terminal.ts';
import { countOf, formatDuration } from './words.ts';

/** The events of one request, with times: what the client sees, and between it what providers do. */
export function renderShown(terminal: Terminal, shown: ShownRequest): string {
  const head = titleOf(terminal, `Request ${writeCount(shown.n)},`, `${shown.why}, at ${formatMoment(shown.at_ms)}`);
  const columns: readonly Column[] = [
    { title: 'after', align: 'right' },
    { title: '' },
    { title: 'what' },
    { title: '', fit: 'cut' },
  ];
  const rows = shown.events.map((event) => {
    const isClient = event.side === 'client';
    const dim = (text: string): string => (isClient ? text : terminal.paint('dim', text));
    return [
      formatDuration(event.ms),
      terminal.paint(isClient ? 'cyan' : 'dim', isClient ? 'client' : 'provider'),
      dim(event.what),
      dim(textOf(event)),
    ];
  });
  return `${head}\n${renderTable(terminal, columns, rows)}`;
}

function textOf({ text, frames, ms, last_ms: lastMs }: ShownEvent): string {
  if (frames === 1) return text;
  const until = lastMs === ms ? '' : ` until ${formatDuration(lastMs)}`;
  return `${countOf(frames, 'frame')}${until}: ${text}`;
}
