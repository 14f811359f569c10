import { inspect } from 'node:util';
import { describe, expect, it } from 'vitest';
import { configOf } from '../../test/kit/config-text.ts';
import { createVirtualClock, type VirtualClock } from '../../test/kit/virtual-clock.ts';
import { createMemoryHealthStore } from '../adapter/store-memory/health-store.ts';
import { createMemoryLedgerStore } from '../adapter/store-memory/ledger-store.ts';
import { createManagement } from '../management/index.ts';
import { simulationAnswer } from '../management/simulation-contract.ts';
import { createSimulation } from './simulation.ts';
import { runSimulation, type SimulationTask } from './simulation-task.ts';
import { type SimulationEvents, type StartSimulation, startSimulationThread } from './simulation-thread.ts';

const KEY = 'made-up-key-of-somebody-4711';
const CONFIG = configOf(
  'providers:\n  a: { protocol: openai-chat, baseUrl: "https://a.test/v1", apiKey: "${A_KEY}" }\n  b: { protocol: openai-chat, baseUrl: "https://b.test/v1" }\nmodels: { main: { targets: [a/x, b/y] }, other: { targets: [b/y] } }',
  { env: { A_KEY: KEY } },
);
/** A second each time somebody looks; nobody here has a clock. */
const ticking = () => {
  let now = 0;
  return { now: () => (now += 1000) };
};
const STILL = { now: () => 0 };

/** In this thread, and over when its result is there. */
const startHere =
  (clock: { now(): number } = STILL): StartSimulation =>
  (task, { onResult, onDeath }) => {
    let isStopped = false;
    runSimulation(structuredClone(task), clock).then(
      (result) => {
        if (!isStopped) onResult(result);
      },
      (error) => onDeath(error),
    );
    return {
      stop() {
        isStopped = true;
      },
    };
  };

type Thread = { readonly task: SimulationTask; readonly events: SimulationEvents; isStopped: boolean };

/** Threads that do nothing by themselves. */
function silentThreads(): { readonly start: StartSimulation; readonly threads: Thread[] } {
  const threads: Thread[] = [];
  return {
    threads,
    start(task, events) {
      const thread: Thread = { task, events, isStopped: false };
      threads.push(thread);
      return {
        stop() {
          thread.isStopped = true;
        },
      };
    },
  };
}

function managementOf(start: StartSimulation, clock = createVirtualClock()) {
  const simulation = createSimulation(clock, start);
  const management = createManagement({
    ledger: createMemoryLedgerStore(),
    health: createMemoryHealthStore({ settings: () => CONFIG.health }),
    clock: { now: () => 0, setTimer: () => ({ cancel() {} }) },
    planning: { readRequest: () => null, plan: () => ({ at: 0, order: [], candidates: [], missing: [] }) },
    simulation,
  });
  return (body: unknown, onLeave?: (act: () => void) => void) =>
    management.handle({
      method: 'POST',
      path: '/simulate',
      query: new URLSearchParams(),
      headers: {},
      body: new TextEncoder().encode(typeof body === 'string' ? body : JSON.stringify(body)),
      config: CONFIG,
      ...(onLeave === undefined ? {} : { onLeave }),
    });
}

const ask = managementOf(startHere());

const SCRIPT = `
for: 20s
asks: [{ rate: 5/s }]
providers: [{ routes: a/*, until: 10s, does: { status: 401, echoes: true } }]`;

describe('POST /simulate', () => {
  it('plays a script with the configuration in force, in the shape of the contract', async () => {
    const answer = await ask({ script: SCRIPT, model: 'main', show: 1 });
    if (!answer.ok) throw new Error(answer.problem.message);
    const { simulation } = simulationAnswer.parse(answer.body);
    expect(simulation).toMatchObject({
      complete: true,
      leftovers: [],
      requests: { total: 100, answered: 100, first_route_rate: 0.5 },
    });
    expect(simulation.shown).toMatchObject({ n: 1, served_by: 'b/y' });
    expect(simulation.shown?.events.map(({ what }) => what)).toContain('send 2');
    expect(JSON.stringify(answer.body)).not.toContain(KEY);
  });

  it('takes a script as an object too', async () => {
    const answer = await ask({ script: { for: '2s', asks: [{ rate: '5/s', model: 'other' }] } });
    expect(answer).toMatchObject({ ok: true, body: { simulation: { served: [{ target: 'b/y', count: 10 }] } } });
  });

  const refusals: readonly (readonly [string, unknown, string])[] = [
    ['no JSON', '{', 'The body is {"script"'],
    ['no script', { model: 'main' }, 'Look at script.'],
    ['a show that is none', { script: SCRIPT, show: 0 }, 'Look at show.'],
    ['a script that is wrong, with its place', { script: 'for: 10' }, 'script:1:6  for  a duration needs a unit'],
    ['no model where there are several', { script: SCRIPT }, 'asks[0].model'],
    ['a model that nobody has', { script: SCRIPT, model: 'mian' }, 'the configuration has no model "mian"'],
    ['a configuration of its own', { script: 'config: {}', model: 'main' }, 'Leave it out'],
    [
      'too many requests',
      { script: 'for: 1h\nasks: [{ rate: 50/s }]', model: 'main' },
      'script:2:8  asks[0]  the script asks for 180,000 requests; 20,000 is the most here\n    → lower rate',
    ],
    [
      'too many at once',
      { script: 'asks: [{ rate: 1/s }, { count: 501 }]', model: 'main' },
      'script:1:23  asks[1]  the script asks for 501 requests at one moment',
    ],
    [
      'too many words',
      {
        script: 'for: 1000s\nasks: [{ rate: 10/s }]\nproviders: [{ routes: "*", does: { words: 500 } }]',
        model: 'main',
      },
      'script:3:13  providers[0]  the script asks for 5,000,000 words of answers',
    ],
    ['too many bytes', { script: 'asks: [{ rate: 10/s, bytes: 1MiB }]', model: 'main' }, 'bytes of requests'],
    ['a script without end', { script: `# ${'x'.repeat(256 * 1024)}`, model: 'main' }, 'longer than 256 KiB'],
  ];

  it.each(refusals)('refuses %s', async (_, body, wanted) => {
    const answer = await ask(body);
    expect(answer).toMatchObject({
      ok: false,
      problem: { status: 400, code: 'invalid_request_error', message: expect.stringContaining(wanted) },
    });
  });

  it('plays in a thread of its own, with stand-ins for secrets', { timeout: 60_000 }, async () => {
    const answer = await managementOf(startSimulationThread)({ script: SCRIPT, model: 'main', show: 1 });
    expect(answer).toMatchObject({ ok: true, body: { simulation: { requests: { total: 100, answered: 100 } } } });
  });

  it('hands no secret to the thread', async () => {
    const { start, threads } = silentThreads();
    void managementOf(start)({ script: SCRIPT, model: 'main' });
    const { packed } = threads[0]?.task.config ?? {};
    // Fingerprints are hashes, but in tests.
    const text = inspect(structuredClone(packed), { depth: 99 }).replaceAll(/fp\([^)]*\)/g, '');
    expect(text).not.toContain(KEY);
    expect(text).toContain('stand-in-for-secret-1');
  });

  it('plays one at a time', async () => {
    const { start, threads } = silentThreads();
    const askSilent = managementOf(start);
    const all = Array.from({ length: 10 }, () => askSilent({ script: SCRIPT, model: 'main' }));
    threads[0]?.events.onResult({ ok: true, body: 1 });
    const answers = await Promise.all(all);
    expect(threads).toHaveLength(1);
    expect(answers.map((answer) => (answer.ok ? 200 : answer.problem.status))).toEqual([
      200,
      ...Array.from({ length: 9 }, () => 503),
    ]);
    void askSilent({ script: SCRIPT, model: 'main' });
    expect(threads).toHaveLength(2);
  });

  type Ending = (thread: Thread, clock: VirtualClock, leave: () => void) => void;
  const outOfMemory = Object.assign(new Error('limit'), { code: 'ERR_WORKER_OUT_OF_MEMORY' });
  const endings: readonly (readonly [string, Ending, string])[] = [
    ['memory runs out', ({ events }) => events.onDeath(outOfMemory), 'needs too much memory'],
    ['it does not come to an end', (_, clock) => clock.advance(40_000), 'took too long'],
    ['whoever asked leaves', (_thread, _clock, leave) => leave(), 'has left'],
  ];

  it.each(endings)('ends when %s, and is free again', async (_, end, wanted) => {
    const { start, threads } = silentThreads();
    const clock = createVirtualClock();
    const askSilent = managementOf(start, clock);
    let leave = (): void => {};
    const answer = askSilent({ script: SCRIPT, model: 'main' }, (act) => {
      leave = act;
    });
    end(threads[0] as Thread, clock, () => leave());
    expect(await answer).toMatchObject({ ok: false, problem: { message: expect.stringContaining(wanted) } });
    expect(threads[0]?.isStopped).toBe(true);
    expect(clock.pending).toBe(0);
    void askSilent({ script: SCRIPT, model: 'main' });
    expect(threads).toHaveLength(2);
  });

  it('is a fault of the gateway when the thread breaks, and free again', async () => {
    const { start, threads } = silentThreads();
    const askSilent = managementOf(start);
    const answer = askSilent({ script: SCRIPT, model: 'main' });
    threads[0]?.events.onDeath(new Error('boom'));
    await expect(answer).rejects.toThrow('boom');
    void askSilent({ script: SCRIPT, model: 'main' });
    expect(threads).toHaveLength(2);
  });

  it('ends with the gateway, which plays none any more', async () => {
    const { start, threads } = silentThreads();
    const clock = createVirtualClock();
    const simulation = createSimulation(clock, start);
    const asked = { script: SCRIPT, model: 'main', show: null, config: CONFIG };
    const answer = simulation.simulate(asked);
    simulation.close();
    simulation.close();
    const leaving = { ok: false, isBusy: true, message: 'The gateway is ending.' };
    expect(await answer).toEqual(leaving);
    expect(threads[0]?.isStopped).toBe(true);
    expect(clock.pending).toBe(0);
    expect(await simulation.simulate(asked)).toEqual(leaving);
    expect(threads).toHaveLength(1);
  });

  it('ends early when playing takes too long, and says so', async () => {
    const answer = await managementOf(startHere(ticking()))({ script: SCRIPT, model: 'main' });
    expect(answer).toMatchObject({ ok: true, body: { simulation: { complete: false, leftovers: [] } } });
  });
});
