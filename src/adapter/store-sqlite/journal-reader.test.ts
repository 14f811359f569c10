import { appendFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it, onTestFinished } from 'vitest';
import { makeStateDir } from '../../../test/kit/state-dir.ts';
import { openJournal } from './journal-reader.ts';

it('reads a line once it is whole, however it came', () => {
  const folder = makeStateDir();
  const file = join(folder, 'one.jsonl');
  writeFileSync(file, 'one\ntw');
  const reader = openJournal(folder, 'one.jsonl', 0);
  onTestFinished(() => reader.close());
  const next = (): readonly string[] => {
    const { lines, end } = reader.read();
    reader.offset = end;
    return lines;
  };
  expect([next(), next()]).toEqual([['one'], []]);
  appendFileSync(file, 'o\nthree\nfo');
  expect([next(), reader.offset]).toEqual([['two', 'three'], 'one\ntwo\nthree\n'.length]);
});
