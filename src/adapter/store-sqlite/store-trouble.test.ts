import { renameSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it, vi } from 'vitest';
import { wholeRequest } from '../../../test/kit/facts.ts';
import { appendAll, createIdleThread, openStore, typesOf } from '../../../test/kit/sqlite-store.ts';
import { makeStateDir } from '../../../test/kit/state-dir.ts';
import { databaseFile } from './database.ts';
import { NODE_FILES } from './journal-files.ts';
import { type StartThread, startWriterThread } from './worker-thread.ts';

const AT = 1_700_000_000_000;

const errorOf = (asked: Promise<unknown>): Promise<string> => asked.then(String, (error: unknown) => String(error));

describe('trouble', () => {
  it.each(['lock.db', ''])(
    'is a lock that somebody took away, told once and soon: state directory/%s',
    async (gone) => {
      const { store, clock, stateDir, troubles } = openStore({});
      await store.opened;
      clock.advance(10_000);
      expect(troubles).toEqual([]);
      rmSync(join(stateDir, gone), { recursive: true });
      clock.advance(2_000);
      expect(troubles).toHaveLength(1);
      clock.advance(60_000);
      expect(troubles).toMatchObject([{ kind: 'lock', state: 'trouble', message: expect.stringContaining(stateDir) }]);
      expect(store.backlog().isTroubled).toBe(true);
      await store.close();
    },
  );

  it('with a thread that does nothing holds up nobody and stays within bounds', async () => {
    const thread = createIdleThread({ mute: true });
    const recent = { maxRequests: 10, maxBytes: 1_000_000 };
    const { store, clock, stateDir } = openStore({
      startThread: thread.start,
      recent,
      journal: { maxPendingBytes: 200_000 },
    });
    const times: number[] = [];
    for (let n = 0; n < 3_000; n++) {
      for (const fact of wholeRequest(`r${n}`, AT + n)) {
        const at = performance.now();
        store.append(fact);
        times.push(performance.now() - at);
      }
      clock.advance(1);
    }
    // Nearly all: the machine takes the processor away at times.
    expect(times.filter((ms) => ms >= 1).length).toBeLessThan(times.length / 100);
    clock.advance(50);
    // All of it is on the disk, the latest can be read, and memory holds no more than it may.
    expect(typesOf(stateDir)).toHaveLength(18_000);
    const listed = store.list({ limit: 1_000 });
    await clock.advanceAsync(10_000);
    const ids = (await listed).data.map(({ id }) => id);
    expect(ids[0]).toBe('r2999');
    expect(ids.length).toBeGreaterThan(100);
    expect(ids.length).toBeLessThan(1_000);
    const missing = errorOf(store.get('r0'));
    await clock.advanceAsync(10_000);
    expect(await missing).toContain('no answer in time');
    const closed = store.close();
    await clock.advanceAsync(10_000);
    await closed;
  });

  it('with a thread that dies is told once, and over when it runs again', async () => {
    const thread = createIdleThread();
    const { store, clock, troubles } = openStore({ startThread: thread.start });
    appendAll(store, wholeRequest('r1'));
    clock.advance(50);
    const asked = errorOf(store.flush());
    thread.die();
    expect(await asked).toContain('out of memory');
    await expect(store.flush()).rejects.toThrow('its thread is down');
    expect((await store.list({ limit: 5 })).data).toHaveLength(1);
    thread.posts.length = 0;
    clock.advance(1_000);
    expect(thread.starts()).toBe(2);
    // It is told again where the journal is.
    expect(thread.posts[0]).toMatchObject({ type: 'file', seq: 1 });
    thread.die();
    clock.advance(1_000);
    thread.say({ type: 'opened', abandoned: 0 });
    expect(troubles.map(({ kind, state }) => `${kind} ${state}`)).toEqual(['worker trouble', 'worker recovered']);
  });

  it('with a thread that was killed loses nothing', async () => {
    const threads: ReturnType<StartThread>[] = [];
    const onDeath: (() => void)[] = [];
    const { store, clock, troubles } = openStore({
      startThread: (settings, events) => {
        const thread = startWriterThread(settings, events);
        threads.push(thread);
        onDeath.push(() => events.onDeath(new Error('killed')));
        return thread;
      },
    });
    for (let round = 0; round < 3; round++) {
      for (let n = 0; n < 200; n++) appendAll(store, wholeRequest(`r${round}-${n}`, AT + round * 200 + n));
      if (round === 1) await store.opened;
      clock.advance(50);
      await threads.at(-1)?.terminate();
      onDeath.at(-1)?.();
      clock.advance(1_000);
    }
    await store.flush();
    const { requests, breachCount } = await store.reconcile(0);
    expect(requests).toMatchObject({ total: 600, ended: 600 });
    expect(breachCount).toBe(0);
    expect(store.violations()).toBe(0);
    expect(troubles.every(({ kind }) => kind === 'worker')).toBe(true);
  });

  it('with the disk of the journal is told once each way; what waits in memory is bounded and goes out later', async () => {
    let isFull = false;
    const files = {
      ...NODE_FILES,
      write(fd: number, bytes: Uint8Array, offset: number) {
        if (isFull) throw Object.assign(new Error('ENOSPC: no space left on device'), { code: 'ENOSPC' });
        return NODE_FILES.write(fd, bytes, offset);
      },
    };
    const { store, clock, troubles } = openStore({ files });
    await store.opened;
    appendAll(store, wholeRequest('before', AT));
    await store.flush();
    isFull = true;
    for (let n = 0; n < 500; n++) {
      appendAll(store, wholeRequest(`r${n}`, AT + 1 + n));
      clock.advance(100);
    }
    await expect(store.flush()).resolves.toBeUndefined();
    expect(troubles.map(({ kind, state, code }) => [kind, state, code])).toEqual([['journal', 'trouble', 'ENOSPC']]);
    expect((await store.list({ limit: 3 })).data.map(({ id }) => id)).toEqual(['r499', 'r498', 'r497']);
    isFull = false;
    clock.advance(20_000);
    await store.flush();
    expect(troubles.at(-1)).toMatchObject({ kind: 'journal', state: 'recovered', lost: 0 });
    expect(await store.reconcile(0)).toMatchObject({ requests: { total: 501, ended: 501 } });
  });

  it('with a database that is none serves on, and makes a new one when it is moved away', async () => {
    const stateDir = makeStateDir();
    writeFileSync(databaseFile(stateDir), 'this is a letter, not a database. '.repeat(100));
    const { store, clock, troubles } = openStore({ stateDir });
    appendAll(store, wholeRequest('r1', AT));
    clock.advance(50);
    await vi.waitFor(() => expect(troubles).toHaveLength(1), { timeout: 10_000 });
    expect(troubles[0]).toMatchObject({ kind: 'database', state: 'trouble', code: 'SQLITE_NOTADB' });
    expect((await store.list({ limit: 5 })).data).toHaveLength(1);
    expect(typesOf(stateDir)).toHaveLength(6);
    expect(await errorOf(store.flush())).toContain('LedgerUnavailableError');
    for (let n = 0; n < 5; n++) await clock.advanceAsync(1_000);
    expect(troubles).toHaveLength(1);
    renameSync(databaseFile(stateDir), join(stateDir, 'letter'));
    await vi.waitFor(
      async () => {
        await clock.advanceAsync(1_000);
        await store.flush();
      },
      { timeout: 10_000 },
    );
    expect(await store.opened).toEqual({ abandoned: 0 });
    expect((await store.reconcile(0)).requests.ended).toBe(1);
    await vi.waitFor(() => expect(troubles.at(-1)).toMatchObject({ kind: 'database', state: 'recovered' }));
  });
});
