import { expect, it } from 'vitest';
import { listDrills } from '../../app/drill/run-drill.ts';
import { CommandError } from '../exit-code.ts';
import { chooseDrills } from './drill.ts';

const all = listDrills();
const chosen = (...words: string[]) => chooseDrills(all, words).map(({ fault, shape }) => `${fault.name} ${shape}`);

it('plays all of it, or what words choose', () => {
  expect(chooseDrills(all, [])).toEqual(all);
  expect(new Set(chosen('silent', 'JSON'))).toEqual(new Set(['silent json']));
  expect(new Set(chosen('stall,empty', 'stream'))).toEqual(new Set(['empty stream', 'stall stream']));
  expect(chosen('openai-chat', 'down')).toEqual(['down stream', 'down json']);
});

it('refuses a word that it does not know, and names those that it does', () => {
  expect(() => chosen('silnt')).toThrow(CommandError);
  expect(() => chosen('silent,silnt')).toThrow(/silnt.*\n.*silent.*\n.*openai-chat.*stream, json/);
});
