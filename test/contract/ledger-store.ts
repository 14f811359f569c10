import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { countUsage, type UsageGroup } from '../../src/core/attempt/count-usage.ts';
import type { Fact } from '../../src/core/attempt/ledger.ts';
import { UNKNOWN_USAGE } from '../../src/core/model/usage.ts';
import type { LedgerStore, RequestQuery } from '../../src/port/ledger-store.ts';
import { factsOf, foldFacts, wholeRequest } from '../kit/facts.ts';

export function ledgerStoreContract(name: string, create: () => LedgerStore | Promise<LedgerStore>): void {
  describe(`LedgerStore: ${name}`, () => {
    let store: LedgerStore;
    const start = 1_700_000_000_000;

    beforeEach(async () => {
      store = await create();
    });
    afterEach(() => store.close());

    const append = (facts: readonly Fact[]) => {
      for (const fact of facts) store.append(fact);
    };
    const ids = async (query: Partial<RequestQuery> = {}) =>
      (await store.list({ limit: 100, ...query })).data.map(({ id }) => id);

    it('is empty at first', async () => {
      expect(await store.list({ limit: 10 })).toEqual({ data: [], next: null });
      expect(await store.get('r1')).toBeUndefined();
      expect(store.violations()).toBe(0);
    });

    it('gives back what the facts add up to, at every moment', async () => {
      const facts = wholeRequest('r1');
      for (const [n, fact] of facts.entries()) {
        store.append(fact);
        const expected = foldFacts(facts.slice(0, n + 1));
        expect(await store.get('r1')).toEqual(expected);
        expect((await store.list({ limit: 10 })).data).toEqual([expected]);
      }
      expect(store.violations()).toBe(0);
    });

    it('keeps requests that run beside each other apart', async () => {
      const [one, two] = [wholeRequest('r1', start), wholeRequest('r2', start + 1)];
      for (const n of one.keys()) append([one[n] as Fact, two[n] as Fact]);
      expect(await store.get('r1')).toEqual(foldFacts(one));
      expect(await store.get('r2')).toEqual(foldFacts(two));
    });

    it('lists the newest first, page by page, each once', async () => {
      for (let n = 1; n <= 7; n++) append(wholeRequest(`r${n}`, start + n));
      const pages: string[][] = [];
      let cursor: string | null | undefined;
      do {
        const page = await store.list({ limit: 3, ...(cursor ? { cursor } : {}) });
        pages.push(page.data.map(({ id }) => id));
        cursor = page.next;
      } while (cursor !== null);
      expect(pages).toEqual([['r7', 'r6', 'r5'], ['r4', 'r3', 'r2'], ['r1']]);
    });

    it('has no next page behind the last one, also where it is full', async () => {
      for (let n = 1; n <= 4; n++) append(wholeRequest(`r${n}`, start + n));
      const first = await store.list({ limit: 2 });
      const second = await store.list({ limit: 2, cursor: first.next ?? '' });
      expect(second.data.map(({ id }) => id)).toEqual(['r2', 'r1']);
      expect(second.next).toBeNull();
    });

    it('pages on from where it was while requests come in', async () => {
      for (let n = 1; n <= 4; n++) append(wholeRequest(`r${n}`, start + n));
      const first = await store.list({ limit: 2 });
      for (let n = 5; n <= 9; n++) append(wholeRequest(`r${n}`, start + n));
      const second = await store.list({ limit: 2, cursor: first.next ?? '' });
      expect(second.data.map(({ id }) => id)).toEqual(['r2', 'r1']);
    });

    it('gives an empty page for a cursor that it does not know', async () => {
      append(wholeRequest('r1'));
      append(wholeRequest('r2', start + 1));
      const made = (await store.list({ limit: 1 })).next ?? '';
      for (const cursor of ['', 'x', '0', 'r1', '9'.repeat(400), `${made}x.`, `x${made}`, "' or 1=1", '../..']) {
        expect(await store.list({ limit: 10, cursor }), cursor).toEqual({ data: [], next: null });
      }
    });

    it('finds by model, key, outcome, time and target', async () => {
      const facts = factsOf('failed', start + 20);
      append(wholeRequest('plain', start));
      append(wholeRequest('keyed', start + 10, { key: 'ci', model: 'other' }));
      append([
        facts.started(),
        facts.attempt(1, { target: 'b/m', route: 'b/m#k' }),
        facts.attemptEnded(1, { outcome: 'overloaded' }),
        facts.attempt(2),
        facts.attemptEnded(2, { outcome: 'server_error' }),
        facts.ended({ outcome: 'server_error', servedBy: null, status: 502 }),
      ]);
      store.append(factsOf('open', start + 30).started());
      expect(await ids()).toEqual(['open', 'failed', 'keyed', 'plain']);
      expect(await ids({ model: 'other' })).toEqual(['keyed']);
      expect(await ids({ key: 'ci' })).toEqual(['keyed']);
      expect(await ids({ outcome: 'ok' })).toEqual(['keyed', 'plain']);
      expect(await ids({ outcome: 'server_error' })).toEqual(['failed']);
      expect(await ids({ since: start + 20 })).toEqual(['open', 'failed']);
      expect(await ids({ target: 'b/m' })).toEqual(['failed']);
      expect(await ids({ target: 'a/m' })).toEqual(['failed', 'keyed', 'plain']);
      expect(await ids({ target: 'a/m', outcome: 'ok', key: 'ci' })).toEqual(['keyed']);
      expect(await ids({ model: 'nothing' })).toEqual([]);
    });

    it('finds by kind; what says none is an answer', async () => {
      append(wholeRequest('plain', start));
      append(wholeRequest('probed', start + 1, { kind: 'probe' }));
      append(wholeRequest('counted', start + 2, { kind: 'count' }));
      store.append(factsOf('open', start + 3).started({ kind: 'probe' }));
      expect(await ids()).toEqual(['open', 'counted', 'probed', 'plain']);
      expect(await ids({ kinds: ['probe'] })).toEqual(['open', 'probed']);
      expect(await ids({ kinds: ['answer'] })).toEqual(['plain']);
      expect(await ids({ kinds: ['answer', 'count', 'compact'] })).toEqual(['counted', 'plain']);
      expect(await ids({ kinds: ['probe'], target: 'a/m', limit: 1 })).toEqual(['probed']);
    });

    it('pages over what was asked for alone', async () => {
      for (let n = 1; n <= 9; n++) append(wholeRequest(`r${n}`, start + n, { key: n % 2 ? 'odd' : 'even' }));
      const first = await store.list({ limit: 2, key: 'even' });
      expect(first.data.map(({ id }) => id)).toEqual(['r8', 'r6']);
      const second = await store.list({ limit: 2, key: 'even', cursor: first.next ?? '' });
      expect(second.data.map(({ id }) => id)).toEqual(['r4', 'r2']);
      expect(second.next).toBeNull();
    });

    it('gives at least one and never more than asked for', async () => {
      for (let n = 1; n <= 3; n++) append(wholeRequest(`r${n}`, start + n));
      expect(await ids({ limit: 1 })).toEqual(['r3']);
      expect(await ids({ limit: 0 })).toEqual(['r3']);
      expect(await ids({ limit: -4 })).toEqual(['r3']);
    });

    it('adds up what began since a moment', async () => {
      append(wholeRequest('before', start));
      append(wholeRequest('whole', start + 1_000));
      const failed = factsOf('failed', start + 2_000);
      append([
        failed.started(),
        failed.attempt(1),
        failed.attemptEnded(1, { outcome: 'overloaded' }),
        failed.ended({ outcome: 'overloaded', servedBy: null, status: 503 }),
      ]);
      append([
        factsOf('refused', start + 3_000).started(),
        factsOf('refused', start + 3_000).ended({ outcome: 'rejected', rejected: true, servedBy: null, status: 404 }),
      ]);
      const open = factsOf('open', start + 4_000);
      append([open.started(), open.attempt(1)]);
      const check = await store.reconcile(start + 1_000);
      expect(check).toMatchObject({
        since: start + 1_000,
        requests: { total: 4, open: 1, ended: 3, rejected: 1, abandoned: 0 },
        attempts: { total: 3, open: 1, ended: 2, committed: 1, abandoned: 0 },
        usage: { delivered: { answers: 1, unknown: 1, inputTokens: null }, all: { answers: 2, unknown: 2 } },
        breachCount: 0,
        breaches: [],
        violations: { count: 0, first: [] },
      });
      expect((await store.reconcile(0)).requests.total).toBe(5);
      expect((await store.reconcile(start + 9_000)).requests.total).toBe(0);
    });

    it('names what a check finds: an end that never came, and facts that were refused', async () => {
      const facts = factsOf('torn', start);
      // The request ended, its attempt did not.
      append([facts.started(), facts.attempt(1), facts.ended({ outcome: 'interrupted', servedBy: null })]);
      append(wholeRequest('twice', start + 1_000));
      const second = factsOf('twice', start + 1_000).attemptEnded(1, { outcome: 'server_error', at: start + 1_500 });
      store.append(second);
      const all = await store.reconcile(start);
      const known = await store.get('torn');
      const isKept = known?.ended !== null && known?.attempts[0]?.outcome === null;
      expect(all.breaches).toEqual(isKept ? [{ request: 'torn', attempt: 1, law: 'attempt_without_end' }] : []);
      expect(all.violations.first.at(-1)).toMatchObject({ request: 'twice', fact: 'attempt_ended', at: start + 1_500 });
      expect(all.violations.count).toBe(store.violations());
      expect((await store.reconcile(start + 1_501)).violations).toEqual({ count: 0, first: [] });
    });

    it('adds up more than is looked at in one go', async () => {
      for (let n = 0; n < 520; n++) append(wholeRequest(`r${n}`, start + n, { key: n % 2 ? 'odd' : 'even' }));
      const { requests, attempts, breachCount } = await store.reconcile(0);
      expect([requests.total, requests.ended, attempts.committed, breachCount]).toEqual([520, 520, 520, 0]);
      const counted = sorted(await store.usage({ since: 0, by: ['key'] }));
      expect(counted.map((group) => [group.by.key, group.requests])).toEqual([
        ['even', 260],
        ['odd', 260],
      ]);
    });

    it('counts usage by what is asked for, of what began since a moment', async () => {
      append(wholeRequest('before', start));
      append(wholeRequest('plain', start + 1_000));
      const facts = factsOf('over', start + 2_000);
      const usage = { ...UNKNOWN_USAGE, inputTokens: 10, outputTokens: 2, source: 'reported' } as const;
      append([
        facts.started({ key: 'ci', kind: 'compact' }),
        facts.attempt(1, { target: 'b/m', route: 'b/m#k' }),
        facts.attemptEnded(1, { outcome: 'incomplete_stream', usage }),
        facts.attempt(2),
        facts.head(2),
        facts.committed(2),
        facts.attemptEnded(2, { usage }),
        facts.ended(),
      ]);
      const refused = factsOf('refused', start + 3_000);
      append([refused.started(), refused.ended({ outcome: 'rejected', rejected: true, servedBy: null, status: 404 })]);
      const records = [];
      for (const id of ['plain', 'over', 'refused']) records.push((await store.get(id)) ?? expect.fail(id));
      for (const by of [[], ['model'], ['target'], ['key', 'kind'], ['day', 'target']] as const) {
        const counted = await store.usage({ since: start + 1_000, by });
        expect(sorted(counted), by.join()).toEqual(sorted(countUsage(records, by)));
      }
      expect((await store.usage({ since: start + 1_000, by: [] }))[0]).toMatchObject({
        requests: 3,
        failed: 1,
        attempts: 3,
        failedAttempts: 1,
        delivered: { answers: 2, unknown: 1, inputTokens: 10 },
        all: { answers: 3, inputTokens: 20, outputTokens: 4 },
      });
      for (const kinds of [['compact'], ['answer', 'count'], ['probe'], []] as const) {
        const counted = await store.usage({ since: start + 1_000, by: ['kind'], kinds });
        expect(sorted(counted), kinds.join()).toEqual(sorted(countUsage(records, ['kind'], kinds)));
        expect(counted.map(({ by }) => by.kind)).toEqual(
          kinds.filter((kind) => kind === 'compact' || kind === 'answer'),
        );
      }
      expect(await store.usage({ since: start + 9_000, by: [] })).toEqual([]);
    });

    it('takes a fact twice for one', async () => {
      const facts = wholeRequest('r1');
      append(facts.flatMap((fact) => [fact, fact]));
      append([facts.at(-1) as Fact, facts.at(-2) as Fact]);
      expect(await store.get('r1')).toEqual(foldFacts(facts));
      expect(store.violations()).toBe(0);
    });

    it('refuses and counts what breaks a law, and keeps what it had', async () => {
      const facts = factsOf('r1');
      append(wholeRequest('r1'));
      const before = await store.get('r1');
      store.append(facts.attemptEnded(1, { outcome: 'server_error', at: start + 99 }));
      store.append(facts.ended({ outcome: 'interrupted', at: start + 200 }));
      store.append(facts.attempt(2));
      store.append(facts.head(9));
      expect(store.violations()).toBe(4);
      store.append(factsOf('unknown').ended());
      store.append(factsOf('unknown').attempt());
      expect(store.violations()).toBe(6);
      expect(await store.get('r1')).toEqual(before);
      expect(await store.get('unknown')).toBeUndefined();
      expect(await ids()).toEqual(['r1']);
    });

    it('keeps ids apart from everything else', async () => {
      for (const id of ['__proto__', 'constructor', "x' or '1'='1", 'ü', '']) append(wholeRequest(id));
      expect(await store.get('constructor')).toMatchObject({ id: 'constructor' });
      expect(await store.get('__proto__')).toMatchObject({ id: '__proto__' });
      expect(await store.get('toString')).toBeUndefined();
      expect(await ids()).toHaveLength(5);
    });
  });
}

const sorted = (groups: readonly UsageGroup[]): readonly UsageGroup[] =>
  groups.toSorted((one, other) => (JSON.stringify(one.by) < JSON.stringify(other.by) ? -1 : 1));
