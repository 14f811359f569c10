import { expect, it } from 'vitest';
import { wholeRequest } from '../../../test/kit/facts.ts';
import { openStore } from '../../../test/kit/sqlite-store.ts';
import { createSystemClock } from '../clock-system/index.ts';

it('appends 100,000 facts in a second of its thread, each in well under a millisecond, and loses none', async () => {
  const { store } = openStore({ clock: createSystemClock() });
  await store.opened;
  const requests = Array.from({ length: 20_000 }, (_, n) => wholeRequest(`r${n}`, 1_700_000_000_000 + n));
  // What comes first pays for what the machine learns.
  for (const fact of requests.slice(0, 1_000).flat()) store.append(fact);
  await store.flush();
  const times: number[] = [];
  const startedAt = performance.now();
  // Of this thread's own time: the machine may have other work to do, and the ledger's thread has.
  const before = process.threadCpuUsage();
  for (const [n, facts] of requests.slice(1_000).entries()) {
    for (const fact of facts) {
      const at = performance.now();
      store.append(fact);
      times.push(performance.now() - at);
    }
    // The loop turns, as it does under requests.
    if (n % 50 === 0) await new Promise((resolve) => setImmediate(resolve));
  }
  const used = process.threadCpuUsage(before);
  const seconds = (used.user + used.system) / 1_000_000;
  await store.flush();
  const writtenSeconds = (performance.now() - startedAt) / 1_000;
  times.sort((one, other) => one - other);
  const at = (share: number): number => times[Math.floor(times.length * share)] ?? 0;
  const rate = Math.round(times.length / seconds);
  console.log(
    `${rate} facts per second of the thread appended, ${Math.round(times.length / writtenSeconds)} facts/s written; ` +
      `µs: p50 ${Math.round(at(0.5) * 1_000)}, p99 ${Math.round(at(0.99) * 1_000)}, p99.9 ${Math.round(at(0.999) * 1_000)}`,
  );
  expect(at(0.99)).toBeLessThan(1);
  expect(rate).toBeGreaterThan(100_000);
  expect((await store.reconcile(0)).requests).toMatchObject({ total: 20_000, ended: 20_000 });
});
