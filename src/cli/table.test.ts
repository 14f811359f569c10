import { describe, expect, it } from 'vitest';
import { renderTable, wrapText } from './table.ts';
import { createTerminal } from './terminal.ts';

const terminalOf = (columns: number, isTTY = true) =>
  createTerminal({ write: () => {}, isTTY, columns }, { write: () => {} }, { NO_COLOR: '1' });

const ID = 'req_01M8N11YS4JBCE0P3JV44102DP';
const WHY = 'status 503, server_error: the provider is overloaded, which it says at length';
const COLUMNS = [
  { title: 'time', drop: 2 },
  { title: 'id' },
  { title: 'model', fit: 'cut' as const },
  { title: 'tries', align: 'right' as const, drop: 1 },
  { title: 'why', fit: 'wrap' as const },
];
const ROWS = [
  ['01:28:05', ID, 'a-model-with-a-long-name', '2', WHY],
  ['01:28:04', ID, 'main', '1', ''],
];
const render = (columns: number, isTTY = true) => renderTable(terminalOf(columns, isTTY), COLUMNS, ROWS).split('\n');

describe('a table', () => {
  it.each([60, 66, 72, 80, 100, 120, 160, 400])('fits into %d columns, ids and reasons whole', (columns) => {
    const lines = render(columns);
    expect(lines.filter((line) => line.length > Math.max(columns, 66))).toEqual([]);
    expect(lines.filter((line) => line.includes(ID))).toHaveLength(2);
    const words = lines.join(' ').split(/ +/);
    expect(WHY.split(' ').filter((word) => !words.includes(word))).toEqual([]);
  });

  it('leaves columns out only when nothing else helps, and says which', () => {
    expect(render(66).at(-1)).toBe('no room for: time, tries');
    expect(render(80).at(-1)).toBe('no room for: tries');
    expect(render(120).join('\n')).not.toContain('no room');
  });

  it('cuts names with an ellipsis, and is whole where no terminal is', () => {
    expect(render(80).join('\n')).toMatch(/ a-model-\S*… /);
    expect(render(40, false)[1]).toBe(`01:28:05  ${ID}  a-model-with-a-long-name      2  ${WHY}`);
  });
});

describe('a table of which nothing may be left out any more', () => {
  const routes = (id: string) => [
    { cells: [id, 'rejected', 'in 23 h 59 m', 'status 410, model_retired: This model has reached its end of life.'] },
  ];
  const columns = [{ title: 'route' }, { title: 'state' }, { title: 'back' }, { title: 'why', fit: 'wrap' as const }];

  it.each([
    ['demo/cut-after-20-words#default', 80],
    ['demo/cut-after-20-words#default', 72],
    ['demo/cut-after-20-words#a-name-of-a-key', 80],
    ['a-provider/of-some/model-with-a-long-name#default', 80],
  ])('fits %s into %d columns, no word broken', (id, width) => {
    const rows = routes(id).map(({ cells }) => cells);
    const lines = renderTable(terminalOf(width), columns, rows).split('\n');
    expect(lines.filter((line) => line.length > width)).toEqual([]);
    const words = lines.join(' ').split(/ +/);
    for (const word of rows.flat().join(' ').split(' ')) expect(words).toContain(word);
  });
});

describe('wrapText', () => {
  it('keeps words whole where they fit, and breaks those that do not', () => {
    expect(wrapText('one two three', 7)).toEqual(['one two', 'three']);
    expect(wrapText('abcdefghij k', 4)).toEqual(['abcd', 'efgh', 'ij k']);
    expect(wrapText('', 4)).toEqual(['']);
    expect(wrapText('see http://a.test/b', 8)).toEqual(['see', 'http://a.test/b']);
  });
});
