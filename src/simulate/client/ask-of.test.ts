import { describe, expect, it } from 'vitest';
import type { Protocol } from '../../core/model/protocol.ts';
import { CODECS } from '../../protocol/index.ts';
import { decodeUtf8 } from '../../protocol/json/index.ts';
import type { AskRow, AskShape, ClientManner } from '../scenario/scenario.ts';
import { createChance } from '../world/chance.ts';
import { askOf } from './ask-of.ts';

const PROTOCOLS = [
  'openai-chat',
  'openai-responses',
  'anthropic-messages',
  'gemini',
] as const satisfies readonly Protocol[];

const rowOf = (protocol: Protocol, shape: AskShape = {}, client: ClientManner = {}): AskRow => ({
  model: 'main',
  protocol,
  perSecond: null,
  count: 1,
  fromMs: 0,
  untilMs: null,
  arrival: 'even',
  shape,
  client,
});

/** What the gateway makes of it. */
function read(row: AskRow, n = 0, seed = 1) {
  const ask = askOf(row, n, createChance(seed));
  const codec = CODECS.get(row.protocol);
  const decoded = codec?.decodeRequest(ask.body, ask.headers);
  if (codec === undefined || decoded?.ok !== true) throw new Error(`refused: ${JSON.stringify(decoded)}`);
  return { ask, request: decoded.request, state: codec.readState?.(decoded.request), json: decodeUtf8(ask.body) };
}

describe.each(PROTOCOLS)('a request in %s', (protocol) => {
  it('is plain where nothing is said', () => {
    const { ask, request } = read(rowOf(protocol));
    expect(request).toMatchObject({
      model: 'main',
      stream: true,
      effects: [],
      needs: [],
      usageAsked: protocol !== 'openai-chat',
      endsWithToolResult: false,
    });
    expect(ask).toMatchObject({ protocol, stream: true, failover: true, timeoutMs: null, key: null });
  });

  it('has the shape that the row gives', () => {
    const shape: AskShape = { stream: false, turns: 2, tools: true, maxOutputTokens: 77, bytes: 5_000, key: 'ci' };
    const { ask, request } = read(rowOf(protocol, { ...shape, failover: false, timeoutMs: 1_500 }));
    expect(request).toMatchObject({ stream: false, needs: ['tools'], maxOutputTokens: 77 });
    expect(request.conversation.prefixHash).not.toBeNull();
    expect(ask).toMatchObject({ stream: false, key: 'ci', failover: false, timeoutMs: 1_500 });
    expect(ask.headers).toMatchObject({ 'x-understudy-failover': 'off', 'x-understudy-timeout': '1500ms' });
    expect(ask.body.length).toBeGreaterThan(5_000);
    expect(ask.body.length).toBeLessThan(7_000);
  });

  it('ends with what a tool said, or runs something outside', () => {
    expect(read(rowOf(protocol, { endsWithToolResult: true })).request.endsWithToolResult).toBe(true);
    expect(read(rowOf(protocol, { unsafe: true })).request.effects.join()).toContain('mcp');
  });

  it('holds what only another issuer can read', () => {
    const { json, state } = read(rowOf(protocol, { foreignState: true }));
    expect(json).toContain('c2ltdWxhdGVk');
    if (protocol === 'openai-responses') expect(state).toEqual({ removable: true, bound: false });
    expect(read(rowOf(protocol)).json).not.toContain('c2ltdWxhdGVk');
  });

  it('ties a session together, and nothing else', () => {
    const hints = (session: string, n: number) =>
      read(rowOf(protocol, { session, turns: 2 }), n, n).request.conversation;
    expect(hints('s', 1)).toEqual(hints('s', 2));
    expect(hints('s', 1).sessionId).not.toBe(hints('other', 1).sessionId);
    expect(hints('s', 1).prefixHash).not.toBe(hints('other', 1).prefixHash);
    const free = read(rowOf(protocol)).request.conversation;
    expect(free).toMatchObject({ sessionId: null, promptCacheKey: null, userId: null, prefixHash: null });
  });

  it('is the same for the same chance, and has a turn of its own', () => {
    const one = read(rowOf(protocol), 3, 7);
    expect(read(rowOf(protocol), 3, 7)).toEqual(one);
    expect(read(rowOf(protocol), 3, 8).ask.turn).not.toBe(one.ask.turn);
    expect(read(rowOf(protocol), 4, 7).ask.turn).not.toBe(one.ask.turn);
  });
});

describe('the ways of a client', () => {
  it('Codex keeps nothing, names its thread and says who it is', () => {
    const { ask, request, json } = read(rowOf('openai-responses', { session: 's' }, { retries: 'codex' }));
    expect(request.isStored).toBe(false);
    expect(request.conversation).toMatchObject({ sessionId: 's', promptCacheKey: 's' });
    expect(ask.headers).toMatchObject({ originator: 'codex_exec', 'thread-id': 's', 'x-client-request-id': ask.turn });
    expect(JSON.parse(json)).not.toHaveProperty('instructions');
  });

  it('a Responses client may offer a tool that takes plain text', () => {
    expect(read(rowOf('openai-responses', { textTool: true })).json).toContain('{"type":"custom","name":"tool_0"');
    expect(read(rowOf('openai-chat', { textTool: true })).json).not.toContain('tool_0');
  });

  it('a Gemini client says model and form in its path', () => {
    const path = (shape: AskShape) => read(rowOf('gemini', shape)).ask.headers[':path'];
    expect(path({})).toBe('/v1beta/models/main:streamGenerateContent?alt=sse');
    expect(path({ stream: false })).toBe('/v1beta/models/main:generateContent');
  });

  it('Claude Code tells its session in a header and in its metadata', () => {
    const { ask, request } = read(rowOf('anthropic-messages', { session: 's' }, { retries: 'claude-code' }));
    expect(request.conversation.sessionId).toBe('s');
    expect(request.conversation.userId).toContain('"session_id":"s"');
    expect(ask.headers['anthropic-beta']).toContain('claude-code');
  });

  it('opencode has two names for one session, the library counts its tries', () => {
    expect(read(rowOf('openai-chat', {}, { retries: 'opencode' })).request.conversation.sessionId).toMatch(/^turn-/);
    const { ask } = read(rowOf('openai-chat', {}, { retries: 'openai-sdk' }));
    expect(ask.headers['x-stainless-retry-count']).toBe('0');
  });

  it('asks for usage only where it is told to', () => {
    expect(read(rowOf('openai-chat', { asksUsage: true })).request.usageAsked).toBe(true);
    expect(read(rowOf('openai-chat', { asksUsage: true, stream: false })).json).not.toContain('stream_options');
  });
});

it('is refused in a protocol that nobody speaks', () => {
  expect(() => askOf(rowOf('bedrock-converse'), 0, createChance(1))).toThrow(RangeError);
});
