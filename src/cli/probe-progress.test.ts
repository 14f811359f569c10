import { stripVTControlCharacters } from 'node:util';
import { describe, expect, it } from 'vitest';
import type { ManagementEvent } from '../management/types.ts';
import { createEventReader } from './event-reader.ts';
import { createLiveBlock } from './live-block.ts';
import { followProgress, NOTHING_YET, renderProgress } from './probe-progress.ts';
import { createTerminal } from './terminal.ts';

const started = (route: string): ManagementEvent => ({
  type: 'probe_started',
  route,
  provider: route.split('/')[0] ?? '',
});
const ended = (route: string, state: string): ManagementEvent => ({
  type: 'probe_ended',
  route,
  provider: route.split('/')[0] ?? '',
  state,
  ms: 100,
});
const PROBING: ManagementEvent = {
  type: 'probing',
  models: ['main'],
  providers: [
    { provider: 'a', candidates: 4 },
    { provider: 'second', candidates: 1 },
  ],
};

function linesAfter(events: readonly ManagementEvent[], tick = 0): readonly string[] {
  const side = { write: () => {}, isTTY: true, columns: 120 };
  const view = events.reduce(followProgress, NOTHING_YET);
  const lines = renderProgress(createTerminal(side, side, {}), view, { elapsedMs: 1300, tick });
  return lines.map((line) => stripVTControlCharacters(line));
}

describe('the lines of a round that runs', () => {
  it('has one for each provider: what came of its probes, what is asked now, what is left', () => {
    const events = [PROBING, started('a/1#k'), ended('a/1#k', 'ready'), started('a/2#k'), ended('a/2#k', 'open')];
    expect(linesAfter([...events, started('a/3#k')])).toEqual([
      '⠋ asking main  1.3 s',
      '  a       ●○⠋·  1 ready · 1 deferred  a/3#k',
      '  second  ·',
    ]);
    expect(linesAfter([PROBING], 3)[0]).toBe('⠸ asking main  1.3 s');
  });

  it('shows lists of models, and a provider that nobody knew of', () => {
    const lines = linesAfter([
      PROBING,
      { type: 'discovered', provider: 'a', models: 118, error: null },
      { type: 'discovered', provider: 'second', models: null, error: null },
      { type: 'discovered', provider: 'new', models: null, error: 'timeout_whole' },
      { type: 'round_started', models: ['main'], candidates: 5 },
    ]);
    expect(lines.slice(1)).toEqual([
      '  a       ····  118 models listed',
      '  second  ·',
      '  new           no list: timeout_whole',
    ]);
  });

  it('follows a round whose beginning it has not seen, and more probes than candidates', () => {
    const lines = linesAfter([PROBING, ended('second/1#k', 'slow'), ended('second/2#k', 'rejected')]);
    expect(lines[2]).toBe('  second  ◐✗    1 slow · 1 rejected');
  });

  it('is bounded, however many there are', () => {
    const providers = Array.from({ length: 40 }, (_, n) => ({ provider: `${'p'.repeat(30)}${n}`, candidates: 900 }));
    const lines = linesAfter([{ type: 'probing', models: ['a', 'b', 'c', 'd'], providers }]);
    expect(lines).toHaveLength(14);
    expect(lines[0]).toContain('asking 4 models');
    expect(Math.max(...lines.map((line) => line.length))).toBeLessThan(60);
    expect(lines.at(-1)).toBe('  … and 28 more providers');
  });
});

describe('live lines', () => {
  it('are taken back before others are shown, and cut to the terminal', () => {
    const written: string[] = [];
    const side = { write: (text: string) => written.push(text), isTTY: true, columns: 10 };
    const block = createLiveBlock(createTerminal(side, side, {}));
    block.show(['one', 'a line that is too long']);
    block.show(['two']);
    block.clear();
    block.clear();
    const up = '\u001b[1A\u001b[2K\r';
    expect(written).toEqual(['one\na line t…\n', `${up}${up}two\n`, up]);
  });

  it('are for terminals only', () => {
    const written: string[] = [];
    const side = { write: (text: string) => written.push(text) };
    createLiveBlock(createTerminal(side, side, {})).show(['one']);
    expect(written).toEqual([]);
  });
});

describe('a growing answer', () => {
  it.each([1, 7, 10_000])('is read in pieces of %d characters, and ends with its last event', (size) => {
    const told: unknown[] = [];
    const reader = createEventReader((event) => told.push(event));
    const text =
      'event: probing\ndata: {"type":"probing","models":["ä"]}\n\n: nothing new\n\ndata: {broken\n\nevent: report\ndata: {"type":"report"}\n\n';
    for (let from = 0; from < text.length; from += size) reader.push(text.slice(from, from + size));
    expect(told).toEqual([{ type: 'probing', models: ['ä'] }, { type: 'report' }]);
    expect(reader.end()).toBe('{"type":"report"}');
  });
});
