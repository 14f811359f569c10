import { describe, expect, it } from 'vitest';
import { configOf } from '../../test/kit/config-text.ts';
import { planOffline } from '../app/plan-offline.ts';
import type { RuntimeConfig } from '../config/runtime.ts';
import { planAnswer } from './contract.ts';

const TEXT = `
providers:
  a: { protocol: openai-chat, baseUrl: "https://a.test/v1", credentials: [{ name: one, apiKey: k1 }, { name: two, apiKey: k2 }] }
  b: { protocol: openai-chat, baseUrl: "https://b.test/v1" }
models:
  main:
    preset: strict
    targets:
      - a/x
      - { provider: b, model: y, tier: 1, capabilities: { images: false }, timeouts: { firstOutput: 7s } }
`;

const ask = (body: object | string, { config = configOf(TEXT), protocol = null as string | null } = {}) =>
  planOffline(config, {
    body: new TextEncoder().encode(typeof body === 'string' ? body : JSON.stringify(body)),
    protocol,
  });

const request = (more: object = {}) => ({ model: 'main', messages: [{ role: 'user', content: 'hi' }], ...more });

async function planOf(body: object, config?: RuntimeConfig) {
  const answer = await ask(body, config === undefined ? {} : { config });
  if (!answer.ok) throw new Error(answer.problem.message);
  return planAnswer.parse(answer.body);
}

describe('POST /plan', () => {
  it('gives the order of service, each route once, in the shape of the contract', async () => {
    const plan = await planOf(request({ stream: true }));
    expect(plan).toMatchObject({ asked: 'main', model: 'main', protocol: 'openai-chat', stream: true });
    expect(plan.candidates.map(({ rank, route }) => [rank, route])).toEqual([
      [1, 'a/x#one'],
      [2, 'a/x#two'],
      [3, 'b/y#default'],
    ]);
  });

  it('says who is left out, and why', async () => {
    const image = { type: 'image_url', image_url: { url: 'data:image/png;base64,AA==' } };
    const plan = await planOf(request({ messages: [{ role: 'user', content: [image] }] }));
    const left = plan.candidates.filter((candidate) => candidate.rank === null);
    expect(left).toMatchObject([
      { target: 'b/y', outcome: 'skipped_capability', reason: expect.stringContaining('images') },
    ]);
    expect(plan.needs).toContain('images');
  });

  it('shows the settings as the file would have them, with the preset worked in', async () => {
    const { settings } = await planOf(request());
    expect(settings.model).toMatchObject({
      holdToolEnd: 'all',
      retry: { sameTarget: 0, maxAttempts: 2, waitForCooldown: '0s' },
      timeouts: { connect: '5s', total: '1h' },
      keepalive: { after: '10s', every: '10s' },
      preflight: { maxBytes: '4MiB', maxEvents: 4096 },
    });
    expect(settings.targets).toEqual({ 'b/y': { timeouts: { firstOutput: '7s' } } });
  });

  it('takes pinned targets and refuses names that nobody knows', async () => {
    expect((await planOf(request({ model: 'b/y' }))).candidates).toHaveLength(1);
    const unknown = await ask(request({ model: 'mian' }));
    expect(unknown).toMatchObject({ ok: false, problem: { status: 404, code: 'model_not_found' } });
    expect(JSON.stringify(unknown)).toContain('main');
  });

  it.each([
    ['{', null],
    ['[]', null],
    ['', null],
    [{ model: 'main' }, null],
    [request(), 'telegraph'],
    [request(), 'bedrock-converse'],
  ])('%j as %s is refused in words', async (body, protocol) => {
    expect(await ask(body, { protocol })).toMatchObject({ ok: false, problem: { status: 400 } });
  });
});
