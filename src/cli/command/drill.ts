import { type DrillCell, type DrillResult, listDrills, runDrill } from '../../app/drill/run-drill.ts';
import { systemNow } from '../../app/system-time.ts';
import { nameOfProtocol, SPOKEN } from '../../config/service-order.ts';
import { CommandError, EXIT, type ExitCode } from '../exit-code.ts';
import { createLiveLines } from '../live-lines.ts';
import { proseOut } from '../prose.ts';
import { type Column, measureColumns, noRoomFor, renderRow } from '../table.ts';
import type { Terminal } from '../terminal.ts';
import { readVersion } from '../version.ts';
import { countOf, formatDuration } from '../words.ts';

export type DrillOptions = { readonly json?: boolean; readonly only?: readonly string[] };

/** Breaks fake providers behind a private gateway and shows what a client sees of it. */
export async function drill(terminal: Terminal, options: DrillOptions): Promise<ExitCode> {
  const cells = chooseDrills(listDrills(), options.only ?? []);
  const startedAt = systemNow();
  const show = options.json ? null : createStage(terminal, cells);
  const results = await runDrill(cells, { version: readVersion(), ...show });
  const failed = results.filter((result) => !result.ok).length;
  if (options.json)
    terminal.out(JSON.stringify({ ok: failed === 0, played: results.length, failed, results }, null, 2));
  else {
    terminal.out([...leftOut(terminal), '', summarise(terminal, results, systemNow() - startedAt)].join('\n'));
  }
  return failed === 0 ? EXIT.fine : EXIT.checkFailed;
}

/** Protocols by their short names or those of the file. */
function shortName(word: string): string {
  const protocol = SPOKEN.find((each) => each === word);
  return protocol === undefined ? word : nameOfProtocol(protocol).toLowerCase();
}

/** Words of one kind widen the choice, words of different kinds narrow it: "silent stall json" are two drills. */
export function chooseDrills(all: readonly DrillCell[], only: readonly string[]): readonly DrillCell[] {
  const kinds = [
    (cell: DrillCell) => cell.fault.name,
    (cell: DrillCell): string => nameOfProtocol(cell.protocol.protocol).toLowerCase(),
    (cell: DrillCell): string => cell.shape,
  ];
  const words = only.flatMap((text) => text.split(',')).map((text) => shortName(text.trim().toLowerCase()));
  const chosen = kinds.map((nameOf) => words.filter((word) => all.some((cell) => nameOf(cell) === word)));
  const unknown = words.filter((word) => !chosen.flat().includes(word));
  if (unknown.length > 0) {
    const names = kinds.map((nameOf) => [...new Set(all.map(nameOf))].join(', '));
    throw new CommandError(
      EXIT.wrongUse,
      `--only ${unknown.join(',')}: there is no such drill.\nFaults: ${names[0]}.\nProtocols: ${names[1]}. Shapes: ${names[2]}.`,
    );
  }
  return all.filter((cell) => kinds.every((nameOf, i) => chosen[i]?.length === 0 || chosen[i]?.includes(nameOf(cell))));
}

const COLUMNS: readonly Column[] = [
  { title: ' ' },
  { title: 'fault' },
  { title: 'shape' },
  { title: 'served by' },
  { title: 'tries', align: 'right' },
  { title: 'added', align: 'right' },
  { title: 'the client saw', fit: 'cut' as const },
];
const MEANING: Column = { title: 'what the first target does' };
/** On fewer columns than these what the client saw would be cut, which is what counts. */
const NARROW = 96;
/** So many columns has a terminal in which there is room for the meaning of each fault. */
const WIDE = 130;
const SEEN_WIDTH = 30;

/** The widest words of each column, so that the first row stands where the last one will. */
const widest = (cells: readonly DrillCell[]): readonly (readonly string[])[] =>
  cells.map(({ fault }) => [' ', fault.name, 'stream', 'backup', '88', '8888 ms', ' '.repeat(SEEN_WIDTH), fault.title]);

const ALL: readonly Column[] = [...COLUMNS, MEANING];
/** Of a row with a cell for each column, the cells of these. */
const pick = (columns: readonly Column[], cells: readonly string[]): readonly string[] =>
  cells.filter((_, i) => ALL.some((column, at) => at === i && columns.includes(column)));

function chooseColumns({ isInteractive, columns }: Terminal): readonly Column[] {
  if (!isInteractive || columns >= WIDE) return ALL;
  return columns >= NARROW ? COLUMNS : COLUMNS.filter(({ title }) => title !== 'added');
}

/** Which columns there was no room for, as tables say it. */
export const leftOut = (terminal: Terminal): readonly string[] =>
  noRoomFor(
    terminal,
    ALL.filter((column) => !chooseColumns(terminal).includes(column)).map(({ title }) => title),
  );

type Show = {
  readonly onStart: (index: number) => void;
  readonly onResult: (index: number, result: DrillResult) => void;
};

/** Rows appear in their order, each as soon as those above it are known; what is playing stands below. */
function createStage(terminal: Terminal, cells: readonly DrillCell[]): Show {
  const live = createLiveLines(terminal);
  const columns = chooseColumns(terminal);
  const widths = measureColumns(
    terminal,
    columns,
    widest(cells).map((row) => pick(columns, row)),
  );
  const results = new Map<number, DrillResult>();
  const playing = new Set<number>();
  let printed = 0;

  const printReady = (): void => {
    for (let result = results.get(printed); result !== undefined; result = results.get(printed)) {
      const cell = cells[printed];
      const before = cells[printed - 1];
      if (cell === undefined) return;
      if (before?.protocol !== cell.protocol) printHead(cell);
      const isSame = before?.fault === cell.fault && before.protocol === cell.protocol;
      live.print(renderRow(columns, widths, pick(columns, rowOf(terminal, cell, result, isSame))));
      printed += 1;
    }
  };
  const printHead = ({ protocol }: DrillCell): void => {
    if (printed > 0) live.print('');
    const name = nameOfProtocol(protocol.protocol);
    live.print(`${terminal.paint('bold', name)}  ${terminal.paint('dim', `POST ${protocol.path}`)}`);
    const titles = columns.map((column) => column.title);
    live.print(terminal.paint('dim', renderRow(columns, widths, titles)));
  };
  const tell = (): void => {
    const names = [...playing].map((index) => `${cells[index]?.fault.name} (${cells[index]?.shape})`);
    live.status(names.length === 0 ? null : `▸ ${results.size} of ${cells.length} · ${names.join(' · ')}`);
  };
  return {
    onStart(index) {
      playing.add(index);
      tell();
    },
    onResult(index, result) {
      playing.delete(index);
      results.set(index, result);
      printReady();
      tell();
    },
  };
}

function rowOf(terminal: Terminal, { fault }: DrillCell, result: DrillResult, isSame: boolean): readonly string[] {
  const tries = result.attempts.length;
  return [
    result.ok ? terminal.paint('green', '✓') : terminal.paint(['bold', 'red'], '✗'),
    isSame ? terminal.paint('dim', fault.name) : fault.name,
    result.shape === 'json' ? 'JSON' : 'stream',
    result.served_by ?? terminal.paint('dim', '–'),
    tries > 1 ? terminal.paint('yellow', String(tries)) : String(tries),
    result.added_ms === null ? terminal.paint('dim', '–') : formatDuration(result.added_ms),
    describeSeen(terminal, result),
    terminal.paint('dim', isSame ? '' : fault.title),
  ];
}

function describeSeen(terminal: Terminal, { seen, ok, status, error, had_output: hadOutput }: DrillResult): string {
  if (seen === 'whole') return terminal.paint('green', 'the whole answer');
  if (seen === 'cut') return terminal.paint('red', 'an answer without an end');
  if (seen === 'lie') return terminal.paint('red', 'half an answer as a whole one');
  const told = hadOutput ? `half, then ${error}` : status === 200 ? `${error}` : `${status} ${error}`;
  return terminal.paint(ok ? 'yellow' : 'red', told);
}

function summarise(terminal: Terminal, results: readonly DrillResult[], tookMs: number): string {
  const hidden = results.filter((result) => result.seen === 'whole').length;
  const honest = results.filter((result) => result.ok && result.seen === 'error').length;
  const failed = results.filter((result) => !result.ok).length;
  const counts = [
    terminal.paint('green', `${hidden} hidden`),
    ...(honest === 0 ? [] : [terminal.paint('yellow', `${honest} told honestly`)]),
    ...(failed === 0 ? [] : [terminal.paint(['bold', 'red'], `${failed} that should not have been seen`)]),
  ];
  const head = `${countOf(results.length, 'failure')} played in ${formatDuration(tookMs)}: ${counts.join(', ')}.`;
  const why = "Told honestly: nobody was left, or half was said already; then the protocol's own error ends it.";
  return honest === 0 ? head : `${proseOut(terminal, head)}\n${proseOut(terminal, terminal.paint('dim', why))}`;
}
