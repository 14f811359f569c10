import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { playScenario } from './play.ts';
import { REGRESSIONS, readReplay } from './replay-file.ts';

/** Worlds in which something broke once, each shrunk to what it took. */
const files = readdirSync(REGRESSIONS)
  .filter((name) => /\.(yaml|json)$/.test(name))
  .sort();

it.for(files)('%s', async (name) => {
  const { breaches } = await playScenario(readReplay(join(REGRESSIONS, name)));
  expect(breaches).toEqual([]);
});

it('are all read', () => {
  expect(files.length).toBe(
    readdirSync(REGRESSIONS).filter((name) => !name.startsWith('.') && name !== 'README.md').length,
  );
});
