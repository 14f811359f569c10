import { mkdirSync, rmSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { wholeRequest } from '../../../test/kit/facts.ts';
import { appendAll, createIdleThread, openStore } from '../../../test/kit/sqlite-store.ts';
import { makeStateDir } from '../../../test/kit/state-dir.ts';
import { createBacklog } from './backlog.ts';
import { databaseFile } from './database.ts';

describe('the backlog of the ledger', () => {
  it('counts facts until the database has them', async () => {
    const thread = createIdleThread();
    const { store, clock } = openStore({ startThread: thread.start });
    expect(store.backlog()).toMatchObject({ facts: 0, writtenAt: null, isTroubled: false });
    appendAll(store, wholeRequest('r1'));
    expect(store.backlog()).toMatchObject({ facts: 6 });
    clock.advance(50);
    thread.say({ type: 'applied', ended: [], recorded: { facts: 4, reached: { seq: 1, offset: 9 } } });
    expect(store.backlog()).toMatchObject({ facts: 2, writtenAt: clock.now() });
    expect(store.backlog().journalBytes).toBeGreaterThan(500);
    thread.say({ type: 'applied', ended: [], recorded: null });
    expect(store.backlog().facts).toBe(2);
  });

  it('is empty when all is written, the journal too', async () => {
    const { store } = openStore();
    appendAll(store, wholeRequest('r1'));
    expect(store.backlog().facts).toBe(6);
    await store.flush();
    expect(store.backlog()).toMatchObject({ facts: 0, failures: { journal: 0, database: 0, thread: 0 } });
    expect(store.backlog().writtenAt).not.toBeNull();
  });

  it('counts each try that failed, and is in trouble until one succeeds', async () => {
    const stateDir = makeStateDir();
    mkdirSync(databaseFile(stateDir));
    const { store, clock, troubles } = openStore({ stateDir });
    await expect.poll(() => store.backlog().failures.database, { timeout: 10_000 }).toBe(1);
    clock.advance(1_000);
    await expect.poll(() => store.backlog().failures.database, { timeout: 10_000 }).toBe(2);
    expect(store.backlog().isTroubled).toBe(true);
    rmSync(databaseFile(stateDir), { recursive: true });
    clock.advance(1_000);
    await expect.poll(() => store.backlog().isTroubled, { timeout: 10_000 }).toBe(false);
    expect(troubles.map(({ state }) => state)).toEqual(['trouble', 'recovered']);
  });

  it('is right again when all is recorded, whatever was counted twice or never', () => {
    const backlog = createBacklog();
    for (let n = 0; n < 10; n++) backlog.add();
    backlog.record(3, false, 1);
    backlog.lose(2);
    expect(backlog.read().facts).toBe(5);
    backlog.record(99, false, 2);
    expect(backlog.read().facts).toBe(0);
    for (let n = 0; n < 4; n++) backlog.add();
    backlog.record(1, true, 3);
    expect(backlog.read()).toMatchObject({ facts: 0, writtenAt: 3 });
  });
});
