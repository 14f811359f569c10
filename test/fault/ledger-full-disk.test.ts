import { spawnSync } from 'node:child_process';
import { rmSync, statfsSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it, onTestFinished, vi } from 'vitest';
import { factsOf, wholeRequest } from '../kit/facts.ts';
import { appendAll, type OpenedStore, openStore } from '../kit/sqlite-store.ts';
import { makeStateDir } from '../kit/state-dir.ts';

const AT = 1_700_000_000_000;

/** A disk of its own; null where nothing can be mounted. */
function mountSmallDisk(): string | null {
  const folder = makeStateDir();
  const mounted = spawnSync('mount', ['-t', 'tmpfs', '-o', 'size=4m', 'tmpfs', folder]);
  if (mounted.status !== 0) return null;
  onTestFinished(() => void spawnSync('umount', ['-l', folder]));
  return folder;
}

function fill(stateDir: string): string {
  const file = join(stateDir, 'filler');
  writeFileSync(file, '');
  for (let free = 1; free > 0; ) {
    const { bavail, bsize } = statfsSync(stateDir);
    free = bavail * bsize;
    try {
      writeFileSync(file, Buffer.alloc(Math.max(1, free)), { flag: 'a' });
    } catch {
      break;
    }
  }
  return file;
}

/** The database has all, after however many tries. */
const untilWritten = ({ store, clock }: Pick<OpenedStore, 'store' | 'clock'>): Promise<void> =>
  vi.waitFor(
    async () => {
      await clock.advanceAsync(5_000);
      await store.flush();
    },
    { timeout: 10_000, interval: 50 },
  );

it('serves on over a full disk, says so once, and has it all when there is room again', async (context) => {
  const stateDir = mountSmallDisk();
  if (stateDir === null) {
    context.skip('nothing can be mounted here');
    return;
  }
  const { store, clock, troubles } = openStore({ stateDir, recent: { maxRequests: 5, maxBytes: 100_000 } });
  await store.opened;
  appendAll(store, wholeRequest('before', AT));
  const open = factsOf('open', AT + 1);
  appendAll(store, [open.started(), open.attempt()]);
  await store.flush();

  const filler = fill(stateDir);
  for (let n = 0; n < 1_000; n++) {
    appendAll(store, wholeRequest(`r${n}`, AT + 2 + n));
    clock.advance(5);
  }
  appendAll(store, [open.head(), open.committed(), open.attemptEnded(), open.ended()]);
  // As long as the database does what it can.
  await vi.waitFor(() => expect(troubles.some(({ kind }) => kind === 'journal')).toBe(true), { timeout: 10_000 });
  for (let n = 0; n < 20; n++) await clock.advanceAsync(1_000);
  expect((await store.list({ limit: 1 })).data.map(({ id }) => id)).toEqual(['r999']);
  const kinds = troubles.filter(({ state }) => state === 'trouble').map(({ kind }) => kind);
  expect(kinds).toEqual([...new Set(kinds)]);
  expect(troubles.filter(({ state }) => state === 'recovered')).toEqual([]);

  rmSync(filler);
  await untilWritten({ store, clock });
  expect(troubles.filter(({ state }) => state === 'recovered').map(({ kind }) => kind)).toContain('journal');
  expect(troubles.reduce((sum, { lost }) => sum + lost, 0)).toBe(0);
  const check = await store.reconcile(0);
  expect(check).toMatchObject({ requests: { total: 1_002, ended: 1_002, abandoned: 0 }, violations: { count: 0 } });
  expect(check.breaches).toEqual([]);
});

it('starts on a full disk', async (context) => {
  const stateDir = mountSmallDisk();
  if (stateDir === null) {
    context.skip('nothing can be mounted here');
    return;
  }
  await openStore({ stateDir }).store.close();
  const filler = fill(stateDir);
  const { store, clock, troubles } = openStore({ stateDir });
  appendAll(store, wholeRequest('r1', AT));
  await clock.advanceAsync(1_000);
  expect((await store.list({ limit: 5 })).data.map(({ id }) => id)).toEqual(['r1']);
  await vi.waitFor(() => expect(troubles.map(({ kind }) => kind)).toContain('journal'), { timeout: 10_000 });
  rmSync(filler);
  await untilWritten({ store, clock });
  expect((await store.reconcile(0)).requests.ended).toBe(1);
});
