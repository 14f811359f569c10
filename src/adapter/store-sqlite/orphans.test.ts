import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it, onTestFinished } from 'vitest';
import { factsOf } from '../../../test/kit/facts.ts';
import { makeStateDir } from '../../../test/kit/state-dir.ts';
import { journalFolder, journalName } from './journal-files.ts';
import { encodeLine } from './journal-line.ts';
import { createLedgerWriter } from './writer.ts';

it('a start closes all that a dead owner left open, however much it is, before it is open itself', () => {
  const stateDir = makeStateDir();
  const owner = { boot: 'old', worker: 0 };
  const name = journalName(owner.boot, owner.worker, 1, 'mark');
  const facts = Array.from({ length: 250 }, (_, n) => factsOf(`open${n}`).started({ owner }));
  const lines = [{ type: 'journal', version: 1, owner } as const, ...facts].map(encodeLine);
  mkdirSync(journalFolder(stateDir), { recursive: true });
  writeFileSync(join(journalFolder(stateDir), name), lines.join(''));
  const opened: number[] = [];
  const limits = { keepMs: Number.POSITIVE_INFINITY, maxBytes: Number.POSITIVE_INFINITY };
  const writer = createLedgerWriter(
    { stateDir, owner: { boot: 'now', worker: 0 }, limits, left: [name] },
    { onApplied: () => {}, onReleased: () => {}, onOpened: (abandoned) => void opened.push(abandoned) },
  );
  onTestFinished(() => writer.close(false));
  while (writer.step());
  expect(opened).toEqual([250]);
  const all = writer.queries().list({ after: null, limit: 999 });
  expect(all.filter(({ ended }) => ended?.outcome === 'abandoned')).toHaveLength(250);
});
