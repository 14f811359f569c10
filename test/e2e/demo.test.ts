import OpenAI from 'openai';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { DEMO_TEXT } from '../../src/simulate/demo-script.ts';
import { cleanUp, type RunningGateway, startGateway } from './gateway-process.ts';
import { runHere } from './run-here.ts';

let gateway: RunningGateway;
let client: OpenAI;

beforeAll(async () => {
  gateway = await startGateway(null);
  client = new OpenAI({ baseURL: `${gateway.url}/v1`, apiKey: 'anything', maxRetries: 0 });
}, 30_000);
afterAll(cleanUp);

const messages = [{ role: 'user' as const, content: 'Who are you?' }];

type Listed = { data: { id: string; outcome: string; served_by: string; attempt_count: number }[] };

const newest = async () => {
  const response = await fetch(`${gateway.url}/api/v1/requests?limit=1`);
  const [request] = ((await response.json()) as Listed).data;
  if (request === undefined) throw new Error('no request is recorded');
  return request;
};

describe('a start without configuration and keys', () => {
  it('says what to try', () => {
    const banner = gateway.err();
    expect(banner).toContain(gateway.url);
    expect(banner).toContain('the demo');
    expect(banner).toContain(`understudy explain last --url ${gateway.url}`);
  });

  it('the line that it tells to paste works', async () => {
    const line = /curl -N (\S+) .*?-d '(.*?)'/s.exec(gateway.err());
    const response = await fetch(line?.[1] ?? '', {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: line?.[2] ?? '',
    });
    expect(await response.text()).toContain('data: [DONE]');
  });

  it('the official SDK never sees the first provider fail: stream', async () => {
    const stream = await client.chat.completions.create({ model: 'main', messages, stream: true });
    let text = '';
    let finish: string | null = null;
    for await (const chunk of stream) {
      text += chunk.choices[0]?.delta.content ?? '';
      finish = chunk.choices[0]?.finish_reason ?? finish;
    }
    expect(text).toBe(DEMO_TEXT);
    expect(finish).toBe('stop');
    expect(await newest()).toMatchObject({ outcome: 'ok', served_by: 'demo/ok', attempt_count: 2 });
  });

  it('the official SDK never sees the first provider fail: JSON', async () => {
    const { data, response } = await client.chat.completions.create({ model: 'main', messages }).withResponse();
    expect(data.choices[0]?.message.content).toBe(DEMO_TEXT);
    expect(response.headers.get('x-understudy-target')).toBe('demo/ok');
    const request = await newest();
    expect(request.id).toBe(response.headers.get('x-request-id'));
  });

  it('the official SDK lists the models, and reads our errors', async () => {
    const names: string[] = [];
    for await (const model of client.models.list()) names.push(model.id);
    const targets = ['demo', 'demo-responses', 'demo-messages', 'demo-gemini'].flatMap((name) => [
      `${name}/error-503`,
      `${name}/ok`,
    ]);
    expect(names).toEqual(['main', ...targets]);
    const wrong = client.chat.completions.create({ model: 'mian', messages });
    await expect(wrong).rejects.toMatchObject({ status: 404, code: 'model_not_found', type: 'invalid_request_error' });
  });

  it('the command line tells the story', async () => {
    const ask = (...args: string[]) => runHere([...args, '--url', gateway.url], { home: gateway.home });
    const requests = await ask('requests');
    expect(requests).toMatchObject({ code: 0, err: '' });
    expect(requests.out).toContain('demo/ok');
    const story = await ask('explain', 'last', '--json');
    expect(JSON.parse(story.out)).toHaveProperty('explanation.plans');
    const { id } = await newest();
    expect((await ask('explain', id)).out).toContain(id);
    const targets = await ask('targets', '--json');
    const ids = (JSON.parse(targets.out) as Listed).data.map((scope) => scope.id);
    expect(ids).toContain('demo/error-503#default');
    expect((await ask('explain', 'req_nobody')).code).toBe(1);
  });
});
