import { describe, expect, it } from 'vitest';
import { configOf } from '../../test/kit/config-text.ts';
import { createMemoryHealthStore } from '../adapter/store-memory/health-store.ts';
import { createMemoryLedgerStore } from '../adapter/store-memory/ledger-store.ts';
import { createManagement } from '../management/index.ts';
import { simulationAnswer } from '../management/simulation-contract.ts';
import { createSimulation } from './simulation.ts';

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

function managementOf(clock: { now(): number }) {
  const management = createManagement({
    ledger: createMemoryLedgerStore(),
    health: createMemoryHealthStore({ settings: () => CONFIG.health }),
    clock: { now: () => 0, setTimer: () => ({ cancel() {} }) },
    planning: { readRequest: () => null, plan: () => ({ at: 0, order: [], candidates: [], missing: [] }) },
    simulation: createSimulation(clock),
  });
  return (body: unknown) =>
    management.handle({
      method: 'POST',
      path: '/simulate',
      query: new URLSearchParams(),
      headers: {},
      body: new TextEncoder().encode(typeof body === 'string' ? body : JSON.stringify(body)),
      config: CONFIG,
    });
}

const ask = managementOf(STILL);

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
      '180000 requests; 20000 is the most',
    ],
    ['too many at once', { script: 'asks: [{ count: 501 }]', model: 'main' }, '501 requests at one moment'],
    [
      'too many words',
      {
        script: 'for: 1000s\nasks: [{ rate: 10/s }]\nproviders: [{ routes: "*", does: { words: 500 } }]',
        model: 'main',
      },
      'words of answers',
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

  it('plays one at a time, and lets others have their turn', async () => {
    let turns = 0;
    let isOver = false;
    const count = (): void => {
      turns += 1;
      if (!isOver) setImmediate(count);
    };
    setImmediate(count);
    const first = ask({ script: SCRIPT, model: 'main' });
    expect(await ask({ script: SCRIPT, model: 'main' })).toMatchObject({
      ok: false,
      problem: { status: 503, code: 'gateway_overloaded' },
    });
    expect((await first).ok).toBe(true);
    isOver = true;
    expect(turns).toBeGreaterThan(200);
    expect((await ask({ script: SCRIPT, model: 'main' })).ok).toBe(true);
  });

  it('ends when it takes too long, and says so', async () => {
    const answer = await managementOf(ticking())({ script: SCRIPT, model: 'main' });
    expect(answer).toMatchObject({ ok: true, body: { simulation: { complete: false } } });
  });
});
