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

const AUDIO = { type: 'input_audio', input_audio: { data: 'AA==', format: 'wav' } };

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

  it('tells what a target of another protocol would not get, and who can not serve it', async () => {
    const MIXED = configOf(`
providers:
  c: { protocol: openai-chat, baseUrl: "https://c.test/v1" }
  m: { protocol: anthropic-messages, baseUrl: "https://m.test" }
  never: { protocol: gemini, baseUrl: "https://g.test/v1beta" }
models: { main: { translate: last, targets: [m/x, { provider: never, model: z, translate: never }, c/y] } }
`);
    const plan = await planOf(request({ seed: 7 }), MIXED);
    expect(plan.candidates.map(({ target, rank, lacks, drops }) => [target, rank, lacks, drops])).toEqual([
      ['c/y', 1, [], []],
      ['m/x', 2, [], ['seed']],
      ['never/z', null, ['protocol'], []],
    ]);
    const spoken = await planOf(request({ messages: [{ role: 'user', content: [AUDIO] }] }), MIXED);
    expect(spoken.candidates[1]).toMatchObject({ target: 'm/x', rank: null, lacks: ['translation'] });
    expect(spoken.candidates[1]?.reason).toContain('audio input');
  });

  it('takes the model of a Gemini request from its body', async () => {
    const contents = [{ role: 'user', parts: [{ text: 'hi' }] }];
    expect(await planOf({ model: 'main', contents })).toMatchObject({ protocol: 'gemini', asked: 'main' });
    expect(await ask({ contents })).toMatchObject({ ok: false, problem: { status: 400 } });
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
