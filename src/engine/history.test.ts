import { describe, expect, it } from 'vitest';
import { makeTarget } from '../../test/kit/health-fixtures.ts';
import type { CanonicalRequest } from '../core/model/request.ts';
import type { Issuer } from '../core/routing/affinity-state.ts';
import type { Route } from '../core/routing/candidate.ts';
import { decodeUtf8, encodeUtf8 } from '../protocol/json/index.ts';
import { openaiResponses } from '../protocol/openai-responses/index.ts';
import { createHistory } from './history.ts';
import type { Turn } from './turn.ts';

const routeOf = (id: string, more: Partial<Route> = {}): Route => {
  const [route] = makeTarget(id).routes;
  if (route === undefined) throw new Error('no route');
  return { ...route, protocol: 'openai-responses', account: `account of ${route.provider}`, ...more };
};
const [A, B, CHAT] = [routeOf('a/m'), routeOf('b/m'), routeOf('c/m', { protocol: 'openai-chat' })];

const by = ({ provider, credential, account }: Route): Turn['by'] => ({
  provider,
  credential,
  account: account ?? null,
});
const thought = (name: string): object => ({ type: 'reasoning', id: `rs_${name}`, encrypted_content: `SEAL-${name}` });
const turn = (name: string, parent: Turn | null, route: Route | null): Turn => ({
  parent,
  input: encodeUtf8(JSON.stringify({ role: 'user', content: name })),
  output: encodeUtf8(JSON.stringify(thought(name))),
  by: route === null ? null : by(route),
});

const issuerAt = (route: Route): Issuer => ({
  route: route.id,
  target: route.target,
  provider: route.provider,
  credential: route.credential,
  account: route.account ?? null,
  model: 'main',
  asked: 'main',
});

function open(last: Turn, issuer: Issuer | null) {
  const body = '{"model":"main","previous_response_id":"resp_1","input":"now","n":12345678901234567890}';
  const decoded = openaiResponses.decodeRequest(encodeUtf8(body), {});
  const codec = openaiResponses.conversation;
  if (!decoded.ok || codec === undefined) throw new Error('not read');
  return { request: decoded.request, history: createHistory({ request: decoded.request, codec, last, issuer }) };
}

const textOf = ({ original }: CanonicalRequest): string => decodeUtf8(original);

describe('createHistory', () => {
  it('gives the holder the id, and everybody else the whole without what is not theirs', () => {
    const { request, history } = open(turn('two', turn('one', null, A), B), issuerAt(B));
    expect(history.requestFor(B, false)).toBe(request);
    const toA = textOf(history.requestFor(A, false));
    expect(toA).toContain('SEAL-one');
    expect(toA).not.toContain('SEAL-two');
    expect(toA).not.toContain('previous_response_id');
    expect(toA).toContain('"n":12345678901234567890');
    expect(JSON.parse(toA).input.map(({ content }: { content?: string }) => content)).toEqual([
      'one',
      undefined,
      'two',
      'now',
    ]);
    // It does not know the id any more: all that is its own comes along.
    const again = textOf(history.requestFor(B, true));
    expect(again).toContain('SEAL-two');
    expect(again).not.toContain('SEAL-one');
  });

  it('leaves it to translation what another protocol can read', () => {
    const { history } = open(turn('one', null, A), null);
    expect(history.requestFor(CHAT, false)).toBe(history.whole());
    expect(textOf(history.requestFor(CHAT, false))).toContain('SEAL-one');
  });

  it('is read once for each account, and counts what it holds', () => {
    const { history } = open(turn('two', turn('one', null, A), null), null);
    expect(history.heldBytes).toBe(0);
    expect(history.requestFor(A, false)).toBe(history.whole());
    const stripped = history.requestFor(B, false);
    expect(history.requestFor(B, true)).toBe(stripped);
    expect(history.heldBytes).toBe((history.whole()?.original.length ?? 0) + stripped.original.length);
    expect(history.original).toBe(stripped.original);
    history.forget();
    expect([history.heldBytes, history.original]).toEqual([0, null]);
  });

  it('knows no whole where that has outgrown a request', () => {
    const huge: Turn = {
      parent: null,
      input: encodeUtf8(`{"a":[${'1,'.repeat(500_001)}1]}`),
      output: new Uint8Array(),
      by: null,
    };
    const { request, history } = open(huge, issuerAt(A));
    expect(history.whole()).toBeNull();
    expect(history.requestFor(A, false)).toBe(request);
  });
});
