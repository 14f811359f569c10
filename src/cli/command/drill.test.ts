import { expect, it } from 'vitest';
import { listDrills } from '../../app/drill/run-drill.ts';
import { CommandError } from '../exit-code.ts';
import { createTerminal } from '../terminal.ts';
import { chooseDrills, leftOut } from './drill.ts';

const all = listDrills();
const chosen = (...words: string[]) => chooseDrills(all, words).map(({ fault, shape }) => `${fault.name} ${shape}`);

it('plays all of it, or what words choose', () => {
  expect(chooseDrills(all, [])).toEqual(all);
  expect(new Set(chosen('silent', 'JSON'))).toEqual(new Set(['silent json']));
  expect(new Set(chosen('stall,empty', 'stream'))).toEqual(new Set(['empty stream', 'stall stream']));
  for (const protocol of ['openai-chat', 'Chat']) {
    expect(chosen(protocol, 'down')).toEqual(['down stream', 'down json']);
  }
});

it('refuses a word that it does not know, and names those that it does', () => {
  expect(() => chosen('silnt')).toThrow(CommandError);
  expect(() => chosen('silent,silnt')).toThrow(
    /silnt.*\n.*silent.*\n.*chat, responses, messages, gemini.*stream, json/,
  );
});

it.each([
  [80, true, ['no room for: added, what the first target does']],
  [100, true, ['no room for: what the first target does']],
  [140, true, []],
  [80, false, []],
])('says which columns %d columns have no room for (terminal: %s)', (columns, isTTY, said) => {
  const side = { write: () => {}, isTTY, columns };
  expect(leftOut(createTerminal(side, side, { NO_COLOR: '1' }))).toEqual(said);
});
