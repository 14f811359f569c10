import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it, vi } from 'vitest';
import { attemptOf, factsOf, foldFacts, wholeRequest } from '../../../test/kit/facts.ts';
import { appendAll, createIdleThread, idsOf, openStore, typesOf } from '../../../test/kit/sqlite-store.ts';
import { makeStateDir } from '../../../test/kit/state-dir.ts';
import type { Fact } from '../../core/attempt/ledger.ts';
import type { Plan } from '../../core/routing/plan.ts';
import { journalFolder } from './journal-files.ts';
import { openLedgerReader } from './ledger-reader.ts';

const AT = 1_700_000_000_000;

const PLAN: Plan = {
  at: AT,
  order: ['a/m'],
  missing: [],
  candidates: [
    {
      route: {
        id: 'a/m#default',
        target: 'a/m',
        provider: 'a',
        model: 'm',
        credential: 'default',
        endpoint: 'a.test:443',
        protocol: 'openai-chat',
        identity: 'x',
        accountWideLimit: false,
      },
      target: { id: 'a/m', tier: 0 } as never,
      rank: 1,
      use: 'serve',
      skip: null,
      availability: {
        state: 'ready',
        cause: null,
        reason: null,
        since: null,
        until: null,
        told: false,
        scope: 'route',
      },
      reason: 'first',
    },
  ],
};

describe('append', () => {
  it('has an attempt in the journal when it returns, behind its request', () => {
    const { store, stateDir } = openStore({ startThread: createIdleThread().start });
    const facts = factsOf('r1');
    store.append(facts.started());
    expect(typesOf(stateDir)).toEqual([]);
    store.append(facts.attempt());
    expect(typesOf(stateDir)).toEqual(['request_started', 'attempt_started']);
  });

  it('has everything else there within 50 ms', () => {
    const thread = createIdleThread();
    const { store, stateDir, clock } = openStore({ startThread: thread.start });
    appendAll(store, wholeRequest('r1'));
    expect(typesOf(stateDir)).toHaveLength(2);
    clock.advance(49);
    expect(typesOf(stateDir)).toHaveLength(2);
    clock.advance(1);
    expect(typesOf(stateDir)).toEqual(wholeRequest('r1').map(({ type }) => type));
    expect(thread.posts.at(-1)).toEqual({ type: 'wake' });
    // The lock and the age of records are looked at again and again.
    expect(clock.pending).toBe(2);
  });

  it('does not wait for the clock when much comes at once', () => {
    const { store, stateDir } = openStore({ startThread: createIdleThread().start });
    for (let n = 0; n < 1_000; n++) store.append(factsOf(`r${n}`).started());
    expect(typesOf(stateDir).length).toBeGreaterThan(500);
  });

  it('writes a fact that is there already no second time', () => {
    const { store, stateDir, clock } = openStore({ startThread: createIdleThread().start });
    const facts = wholeRequest('r1');
    appendAll(store, [...facts.flatMap((fact) => [fact, fact]), ...facts]);
    clock.advance(50);
    expect(typesOf(stateDir)).toEqual(facts.map(({ type }) => type));
  });

  it('never throws, whatever is thrown at it', () => {
    const { store, troubles } = openStore({
      startThread: createIdleThread().start,
      onViolation: () => {
        throw new Error('a bad listener');
      },
    });
    store.append(factsOf('none').ended());
    store.append({ type: 'request_started', request: 'r' } as never);
    store.append(null as never);
    expect(store.violations()).toBe(1);
    expect(troubles.map(({ kind }) => kind)).toContain('damage');
  });

  it('cuts a name that a client made up', async () => {
    const { store } = openStore({ startThread: createIdleThread().start });
    store.append(factsOf('r1').started({ model: 'x'.repeat(1_000_000) }));
    expect((await store.get('r1'))?.started.model).toHaveLength(1_024);
  });
});

describe('a ledger on disk', () => {
  it('is there after a restart, and cursors of before go on', async () => {
    const one = openStore();
    for (let n = 1; n <= 5; n++) appendAll(one.store, wholeRequest(`r${n}`, AT + n));
    const page = await one.store.list({ limit: 2 });
    await one.store.close();
    expect(readdirSync(journalFolder(one.stateDir))).toEqual([]);
    const two = openStore({ stateDir: one.stateDir });
    expect(await two.store.opened).toEqual({ abandoned: 0 });
    expect(await two.store.get('r1')).toEqual(foldFacts(wholeRequest('r1', AT + 1)));
    const next = await two.store.list({ limit: 2, cursor: page.next ?? '' });
    expect(next.data.map(({ id }) => id)).toEqual(['r3', 'r2']);
  });

  it('records what a store that was never closed had in its journal', async () => {
    const stateDir = makeStateDir();
    const thread = createIdleThread();
    const dead = openStore({ stateDir, startThread: thread.start });
    const facts = factsOf('open');
    appendAll(dead.store, [...wholeRequest('whole', AT), facts.started(), facts.attempt()]);
    // Its thread never wrote a thing; the journal has it all.
    await dead.store.close();
    const { store } = openStore({ stateDir });
    expect(await store.opened).toEqual({ abandoned: 1 });
    expect(await store.get('whole')).toEqual(foldFacts(wholeRequest('whole', AT)));
    expect(attemptOf((await store.get('open')) as never, 1).outcome).toBe('abandoned');
  });

  it('refuses a second writer while it is open', async () => {
    const { store, stateDir } = openStore();
    expect(() => openStore({ stateDir })).toThrow('Another gateway');
    await store.close();
    await openStore({ stateDir }).store.opened;
  });

  it('can be read from beside, and changes nothing by that', async () => {
    const { store, stateDir } = openStore();
    appendAll(store, wholeRequest('r1'));
    await store.flush();
    const reader = openLedgerReader({ stateDir });
    expect(reader.get('r1')).toEqual(foldFacts(wholeRequest('r1')));
    expect(reader.list({ limit: 5 }).data).toHaveLength(1);
    reader.close();
    await store.close();
    const alone = openLedgerReader({ stateDir });
    expect(alone.get('r1')?.id).toBe('r1');
    alone.close();
    expect(() => openLedgerReader({ stateDir: join(stateDir, 'none') })).toThrow('unable to open');
  });

  it('drops what is older than it is to be kept, in the background', async () => {
    const { store, clock } = openStore({ keepMs: 3_600_000, recent: { maxRequests: 0, maxBytes: 1e6 } });
    appendAll(store, wholeRequest('old', clock.now() - 4_000_000));
    appendAll(store, wholeRequest('new', clock.now()));
    await store.flush();
    expect(await idsOf(store)).toEqual(['new', 'old']);
    clock.advance(10_000);
    await vi.waitFor(async () => expect(await idsOf(store)).toEqual(['new']));
  });

  it('counts a breach that only the rows show', async () => {
    const { store, refused } = openStore({ recent: { maxRequests: 0, maxBytes: 1e6 } });
    appendAll(store, wholeRequest('r1'));
    await store.flush();
    store.append(factsOf('r1', AT + 5).started());
    await store.flush();
    expect(refused).toEqual(['second start of r1']);
    expect(store.violations()).toBe(1);
  });

  it('takes the end of the ledger for the last word', async () => {
    const { store, stateDir, troubles } = openStore();
    await Promise.all([store.close(), store.close()]);
    store.append(factsOf('late').started());
    expect(troubles.map(({ kind }) => kind)).toEqual(['closed']);
    expect(typesOf(stateDir)).toEqual([]);
  });
});

describe('reconcile', () => {
  it('adds up what was appended, the violations included', async () => {
    const { store } = openStore({ owner: { boot: 'boot', worker: 0 } });
    for (let n = 0; n < 1_100; n++) appendAll(store, wholeRequest(`r${n}`, AT + n));
    const open = factsOf('open', AT + 2_000);
    appendAll(store, [open.started(), open.attempt()]);
    store.append(factsOf('r0').attemptEnded(1, { outcome: 'server_error' }));
    const check = await store.reconcile(AT);
    expect(check).toMatchObject({
      since: AT,
      requests: { total: 1_101, open: 1, ended: 1_100 },
      attempts: { total: 1_101, open: 1, ended: 1_100, committed: 1_100 },
      usage: { all: { answers: 1_100, unknown: 1_100, inputTokens: null } },
      breachCount: 0,
      violations: {
        count: 1,
        first: [{ request: 'r0', fact: 'attempt_ended', law: expect.stringContaining('second end') }],
      },
    });
    expect(await store.reconcile(AT + 1_000)).toMatchObject({ requests: { total: 101 }, violations: { count: 0 } });
  });
});

describe('plans', () => {
  const planned = (id: string, outcome: 'ok' | 'server_error'): Fact[] => {
    const facts = factsOf(id);
    return [
      facts.started({ plan: PLAN }),
      facts.attempt(1, { plan: { ...PLAN, at: AT + 5 } }),
      facts.head(),
      ...(outcome === 'ok' ? [facts.committed()] : []),
      facts.attemptEnded(1, { outcome }),
      facts.ended({ outcome }),
    ];
  };
  const kept = async (explain: 'failures' | 'all' | 'sample', id: string, outcome: 'ok' | 'server_error') => {
    const { store, stateDir } = openStore({ explain });
    appendAll(store, planned(id, outcome));
    await store.flush();
    // In memory they are all there.
    expect(await store.get(id)).toEqual(foldFacts(planned(id, outcome)));
    const reader = openLedgerReader({ stateDir });
    const ledger = reader.get(id);
    reader.close();
    return ledger;
  };

  it('of requests that failed are kept, by default of those alone', async () => {
    expect(await kept('failures', 'r1', 'server_error')).toEqual(foldFacts(planned('r1', 'server_error')));
    expect(await kept('failures', 'r1', 'ok')).toMatchObject({ plans: [], started: { plan: null } });
  });

  it('are all kept on demand', async () => {
    expect(await kept('all', 'r1', 'ok')).toEqual(foldFacts(planned('r1', 'ok')));
  });

  it('of a few smooth requests are kept as a sample', async () => {
    const { isExplained } = await import('./explain.ts');
    const ids = Array.from({ length: 10_000 }, (_, n) => `req_${n}`);
    const smooth = foldFacts(wholeRequest('r'));
    const chosen = ids.filter((id) => isExplained({ ...smooth, id }, 'sample'));
    expect(chosen.length).toBeGreaterThan(50);
    expect(chosen.length).toBeLessThan(200);
    expect((await kept('sample', chosen[0] ?? '', 'ok'))?.plans).toHaveLength(2);
  });
});
