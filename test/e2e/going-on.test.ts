import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { message, response } from '../kit/responses-stream.ts';
import {
  type Answer,
  a,
  ask,
  b,
  CI,
  configText,
  create,
  createAtB,
  error,
  gateway,
  json,
  OTHER,
  readAdmin,
  recordOf,
  setUp,
  TWO_KEYS,
  tearDown,
  WHOLE,
} from './follow-up-kit.ts';
import { errorOf } from './server-kit.ts';

beforeEach(setUp);
afterEach(tearDown);

describe('a request that goes on from an earlier response', () => {
  const from = (id: string, key?: string): Promise<Answer> => create({ previous_response_id: id }, key);

  it('goes to its issuer, and so does what goes on from the next', async () => {
    const second = { ...WHOLE, id: 'resp_B2' };
    await createAtB(json(second), json({ ...WHOLE, id: 'resp_B3' }));
    for (const id of ['resp_B', 'resp_B2']) expect((await from(id)).headers.get('x-understudy-target')).toBe('b/m-b');
    expect(a.requests).toHaveLength(1);
    expect(JSON.parse(String(b.requests[2]?.body))).toMatchObject({ previous_response_id: 'resp_B2' });
  });

  it('is told to send everything where the issuer fails and nothing is kept', async () => {
    gateway.reload(`responses: { store: off }\n${configText()}`);
    await createAtB(error(503));
    const got = await from('resp_B');
    expect([got.status, errorOf(got.text)['code']]).toEqual([400, 'previous_response_not_found']);
    expect(errorOf(got.text)['message']).toContain('cannot be rebuilt');
    expect(a.requests).toHaveLength(1);
    expect(await recordOf(got)).toMatchObject({
      attempts: [{ target: 'b/m-b' }, { target: 'b/m-b' }],
      skipped: [{ target: 'a/m-a', outcome: 'skipped_state' }],
    });
  });

  it('is rebuilt for another target where the issuer fails', async () => {
    await createAtB(error(503));
    const got = await from('resp_B');
    expect([got.status, got.headers.get('x-understudy-target')]).toEqual([200, 'a/m-a']);
    expect(JSON.parse(String(a.requests[1]?.body))).toEqual({
      model: 'm-a',
      input: [
        { role: 'user', content: 'hi' },
        { type: 'message', role: 'assistant', status: 'completed', content: expect.anything() },
        { role: 'user', content: 'hi' },
      ],
    });
    const record = await recordOf(got);
    expect(record).toMatchObject({ attempts: [{ target: 'b/m-b' }, { target: 'a/m-a' }], skipped: [] });
    const plans = JSON.stringify(await readAdmin(`/requests/${String(record['id'])}/explain`));
    expect(plans).toContain('gave the answer that the conversation goes on from');
  });

  it('is rebuilt for its own issuer, which does not know the id any more', async () => {
    await createAtB(error(400, { code: 'previous_response_not_found' }), json({ ...WHOLE, id: 'resp_B2' }));
    const got = await from('resp_B');
    expect([got.status, got.headers.get('x-understudy-target')]).toEqual([200, 'b/m-b']);
    expect(JSON.parse(String(b.requests[1]?.body))).toMatchObject({ previous_response_id: 'resp_B', input: 'hi' });
    const again = JSON.parse(String(b.requests[2]?.body));
    expect(again).not.toHaveProperty('previous_response_id');
    expect(again.input).toHaveLength(3);
  });

  it('is not rebuilt out of what another key was told, nor of what its client removed', async () => {
    await createAtB(json({ id: 'resp_B', deleted: true }), error(503));
    expect((await create({ previous_response_id: 'resp_B' }, OTHER)).status).toBe(400);
    expect((await ask('DELETE', '/v1/responses/resp_B')).status).toBe(200);
    expect((await from('resp_B')).status).toBe(400);
    expect(a.requests).toHaveLength(1);
  });

  it('holds what the client wants stored nowhere no longer than that', async () => {
    a.play(json(response({ id: 'resp_A', status: 'completed', output: [message('A')] })), error(503));
    gateway.reload(configText({ keys: `{ name: ci, key: ${CI} }` }));
    await create({ store: false });
    await from('resp_A');
    expect(a.requests.slice(1).map(({ body }) => JSON.parse(String(body)).input)).toEqual(['hi', 'hi']);
    expect(b.requests).toHaveLength(0);
  });

  it('is told the wait where the other target could not serve either', async () => {
    a.play(error(401));
    b.play(json(WHOLE), { ...error(429), headers: { 'content-type': 'application/json', 'retry-after': '3' } });
    expect((await create()).headers.get('x-understudy-target')).toBe('b/m-b');
    const got = await from('resp_B');
    expect([got.status, errorOf(got.text)['code']]).toEqual([429, 'rate_limit_exceeded']);
    expect(Number(got.headers.get('retry-after'))).toBeGreaterThanOrEqual(3);
    expect(await recordOf(got)).toMatchObject({ skipped: [{ target: 'a/m-a', outcome: 'skipped_cooldown' }] });
  });

  it.each<[string, object]>([
    ['response', { previous_response_id: 'resp_A' }],
    ['conversation', { conversation: 'conv_1' }],
    ['conversation, behind an own response', { conversation: { id: 'conv_1' }, previous_response_id: 'resp_O' }],
  ])('of another key, by its %s, is sent to nobody', async (_what, state) => {
    // Only one target, and only one key at first: whoever knows the id would reach the account that holds it.
    gateway.reload(configText({ keys: `{ name: ci, key: ${CI} }`, targets: 'a/m-a' }));
    const answer = (id: string) => json(response({ id, status: 'completed', output: [message('SECRET')] }));
    a.play(answer('resp_A'), answer('resp_O'));
    expect((await create({ conversation: 'conv_1' })).status).toBe(200);
    gateway.reload(configText({ targets: 'a/m-a' }));
    expect((await create({}, OTHER)).status).toBe(200);
    const got = await create(state, OTHER);
    expect([got.status, errorOf(got.text)['code']]).toEqual([400, 'previous_response_not_found']);
    expect(got.text).not.toContain('SECRET');
    expect(a.requests).toHaveLength(2);
    expect(await recordOf(got)).toMatchObject({
      attempts: [],
      skipped: [{ target: 'a/m-a', outcome: 'skipped_state' }],
    });
    expect((await create({ previous_response_id: 'resp_A' })).status).toBe(200);
  });

  it.each<[string, string, number]>([
    ['one key', `{ name: ci, key: ${CI} }`, 200],
    ['two keys', TWO_KEYS, 400],
  ])('that was made before the gateway started: with %s', async (_what, keys, status) => {
    gateway.reload(configText({ keys }));
    a.play(json(response({ id: 'resp_A', status: 'completed', output: [message('A')] })));
    for (const state of [{ previous_response_id: 'resp_OLD' }, { conversation: 'conv_OLD' }]) {
      const got = await create(state);
      expect(got.status).toBe(status);
      if (status === 400) expect(errorOf(got.text)['code']).toBe('previous_response_not_found');
    }
    expect(a.requests).toHaveLength(status === 200 ? 2 : 0);
  });

  it('stays with the conversation that its provider keeps', async () => {
    gateway.reload(configText({ keys: `{ name: ci, key: ${CI} }` }));
    a.play(error(401));
    b.play(json(WHOLE));
    await create();
    for (const conversation of ['conv_1', { id: 'conv_1' }]) {
      expect((await create({ conversation })).headers.get('x-understudy-target')).toBe('b/m-b');
      const ready = await fetch(`${gateway.url}/api/v1/targets/a%2Fdefault/reset`, {
        method: 'POST',
        headers: { authorization: 'Bearer admin-token-1234567890', 'content-type': 'application/json' },
      });
      expect(ready.status).toBe(200);
    }
    expect(a.requests).toHaveLength(1);
  });
});
