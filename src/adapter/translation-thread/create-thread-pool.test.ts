import { expect, it } from 'vitest';
import { makeRequest } from '../../../test/kit/health-fixtures.ts';
import { createVirtualClock } from '../../../test/kit/virtual-clock.ts';
import type { CanonicalRequest } from '../../core/model/request.ts';
import { createThreadPool, type ThreadPoolOptions } from './create-thread-pool.ts';
import type { StartTranslator, ToTranslator } from './messages.ts';

type Started = Parameters<StartTranslator>[0] & { readonly posts: ToTranslator[]; isOver: boolean };

const EGRESS = { model: 'up', askUsage: false, capabilities: {}, defaults: {} };
const request = (bytes = 10): CanonicalRequest => makeRequest({ original: new Uint8Array(bytes) });

/** A pool over threads that do nothing by themselves. `refusals`: so many of them can't be started. */
function open(options: Partial<ThreadPoolOptions> = {}, refusals = 0, isDeaf = false) {
  const clock = createVirtualClock();
  const threads: Started[] = [];
  let refused = 0;
  const start: StartTranslator = (events) => {
    if (refused++ < refusals) throw new RangeError('no thread to be had');
    const thread: Started = { ...events, posts: [], isOver: false };
    threads.push(thread);
    return {
      post(message) {
        if (isDeaf) throw new Error('it can not be told');
        thread.posts.push(message);
      },
      async terminate() {
        thread.isOver = true;
      },
    };
  };
  const pool = createThreadPool({ clock, start, ...options });
  const latest = (): Started => {
    const thread = threads.at(-1);
    if (thread === undefined) throw new Error('no thread');
    return thread;
  };
  return { pool, clock, threads, latest, answer: () => latest().onAnswer({ ok: true, value: { gemini: [] } }) };
}

const asks = ({ posts }: Started) =>
  posts.map((post) =>
    post.type === 'forget'
      ? `forget ${post.id}`
      : `${post.ask.what} ${post.id}${post.request === null ? '' : ' whole'}`,
  );

it('starts its thread with the first ask, and asks one thing at a time', async () => {
  const { pool, threads, latest, answer, clock } = open();
  const [one, two] = [pool.open(request()), pool.open(request())];
  expect(threads).toEqual([]);
  const answers = [one.findLacks(['gemini']), two.findLacks(['gemini'])];
  expect(asks(latest())).toEqual(['lacks 1 whole']);
  answer();
  expect(asks(latest())).toEqual(['lacks 1 whole', 'lacks 2 whole']);
  answer();
  expect(await Promise.all(answers)).toHaveLength(2);
  expect([threads.length, clock.pending]).toEqual([1, 0]);
});

it('hands a request over once, with bytes of its own, and has it forgotten when it is closed', () => {
  const { pool, latest, answer } = open();
  const whole = request();
  const one = pool.open(whole);
  void one.findLacks(['gemini']);
  answer();
  void one.write('gemini', EGRESS);
  answer();
  one.close();
  expect(asks(latest())).toEqual(['lacks 1 whole', 'write 1', 'forget 1']);
  const [post] = latest().posts;
  const sent = post?.type === 'ask' ? post.request : null;
  expect(sent?.original.buffer).not.toBe(whole.original.buffer);
  expect(sent?.original).toEqual(whole.original);
});

it('has the least used ones forgotten beyond its bound, and hands them over again', () => {
  const { pool, latest, answer } = open({ maxKept: 25 });
  const [one, two, huge] = [pool.open(request()), pool.open(request()), pool.open(request(30))];
  for (const each of [one, two, one, huge, one]) {
    void each.findLacks(['gemini']);
    answer();
  }
  expect(asks(latest())).toEqual([
    'lacks 1 whole',
    'lacks 2 whole',
    'lacks 1',
    'forget 2',
    'forget 1',
    'lacks 3 whole',
    'forget 3',
    'lacks 1 whole',
  ]);
});

it('lets so many wait and no more', async () => {
  const { pool, answer } = open({ maxWaiting: 2 });
  const all = [1, 2, 3, 4].map(() => pool.open(request()).findLacks(['gemini']));
  expect(await all[3]).toEqual({ ok: false, trouble: 'busy', fault: null });
  for (const _each of [1, 2, 3]) answer();
  for (const each of all.slice(0, 3)) expect((await each).ok).toBe(true);
});

it('who is closed waits no longer, and the answer to what is under way is nobody’s', async () => {
  const { pool, latest, answer } = open();
  const [one, two, three] = [pool.open(request()), pool.open(request()), pool.open(request())];
  const [first, second, third] = [one.findLacks([]), two.findLacks([]), three.findLacks([])];
  two.close();
  one.close();
  expect([await first, await second]).toMatchObject([{ trouble: 'closed' }, { trouble: 'closed' }]);
  answer();
  answer();
  expect((await third).ok).toBe(true);
  expect(asks(latest())).toEqual(['lacks 1 whole', 'forget 1', 'lacks 3 whole']);
});

it('a death costs only what was under way: the next is asked of a new thread, with all that it needs', async () => {
  const { pool, threads, latest, answer } = open();
  const [one, two] = [pool.open(request()), pool.open(request())];
  void two.findLacks([]);
  answer();
  const [first, second] = [one.findLacks([]), two.write('gemini', EGRESS)];
  const [old] = threads;
  old?.onDeath(Object.assign(new Error('prompt'), { code: 'ERR_WORKER_OUT_OF_MEMORY' }));
  old?.onDeath(new Error('again'));
  expect(await first).toMatchObject({ ok: false, trouble: 'died', fault: { code: 'ERR_WORKER_OUT_OF_MEMORY' } });
  expect(JSON.stringify(await first)).not.toContain('prompt');
  expect(threads).toHaveLength(2);
  expect(asks(latest())).toEqual(['write 2 whole']);
  old?.onAnswer({ ok: true, value: {} });
  answer();
  expect(await second).toEqual({ ok: true, value: { gemini: [] } });
});

it('a thread that can’t be started fails who asks, and is tried again', async () => {
  const { pool, answer } = open({}, 1);
  const one = pool.open(request());
  expect(await one.findLacks([])).toMatchObject({ ok: false, trouble: 'died', fault: { name: 'RangeError' } });
  const again = one.findLacks([]);
  answer();
  expect((await again).ok).toBe(true);
});

it('a thread that can’t be told is ended: nobody would know it any more', async () => {
  const { pool, threads } = open({}, 0, true);
  expect(await pool.open(request()).findLacks([])).toMatchObject({ trouble: 'died' });
  expect(threads.map(({ isOver }) => isOver)).toEqual([true]);
});

it('a thread that does not come to an end is ended', async () => {
  const { pool, clock, threads, answer } = open({ mostMs: 1000 });
  const [one, two] = [pool.open(request()), pool.open(request())];
  const [stuck, next] = [one.findLacks([]), two.findLacks([])];
  await clock.advanceAsync(1000);
  expect(await stuck).toMatchObject({ trouble: 'died' });
  expect(threads.map(({ isOver }) => isOver)).toEqual([true, false]);
  answer();
  expect((await next).ok).toBe(true);
  expect(clock.pending).toBe(0);
});

it('ends its thread when it is closed', async () => {
  const { pool, clock, latest } = open();
  const ask = pool.open(request()).findLacks([]);
  await pool.close();
  expect(await ask).toMatchObject({ trouble: 'closed' });
  expect([latest().isOver, clock.pending]).toEqual([true, 0]);
});
