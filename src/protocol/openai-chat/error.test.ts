import { describe, expect, it } from 'vitest';
import type { ClientError } from '../../core/failure/client-error.ts';
import { Secret } from '../../core/redact/secret.ts';
import { CODECS } from '../index.ts';
import { decodeUtf8, encodeUtf8 } from '../json/index.ts';
import { encodeComment } from '../shared/client-error.ts';
import { decodeError } from '../shared/wire-error.ts';
import { encodeError, encodeStreamError } from './error.ts';
import { authHeaders } from './headers.ts';

const ERROR: ClientError = {
  code: 'rate_limit_exceeded',
  providerCode: null,
  providerParam: null,
  providerType: null,
  status: 429,
  message: 'm',
  component: 'target',
  reason: 'rate_limited',
  attempts: Array.from({ length: 20 }, () => ({ target: 'a/m', outcome: 'rate_limited', status: 429, ms: 3 }) as const),
  retryAfterMs: 8200,
  shouldRetry: null,
};

const CONTEXT = { requestId: 'req_1' };

describe('the body of a refusal', () => {
  const read = (text: string) => decodeError(400, {}, encodeUtf8(text))?.message;
  const long = JSON.stringify({ error: { message: 'You exceeded your current quota', tail: 'x'.repeat(100) } });

  it.each([long.slice(0, 90), ` [${long.slice(0, 90)}`, `[[${JSON.stringify('credit')}`, `data: ${long.slice(0, 90)}`])(
    'has no words where it was cut: %s',
    (text) => expect(read(text) ?? '').not.toMatch(/quota|credit|\{/),
  );

  it.each(["[{'type': 'missing'}]", '{model} is not known', '[vllm] no such model', 'plain words'])(
    'is a text where it is no JSON: %s',
    (text) => expect(read(text)).toBe(text),
  );
});

describe('errors for clients', () => {
  it('have the shape that client libraries read', () => {
    const { status, headers, body } = encodeError(ERROR, CONTEXT);
    expect(status).toBe(429);
    expect(headers).toEqual({ 'content-type': 'application/json', 'retry-after': '9', 'retry-after-ms': '8200' });
    const { error } = JSON.parse(decodeUtf8(body));
    expect(error).toMatchObject({ message: 'm', type: 'rate_limit_error', param: null, code: 'rate_limit_exceeded' });
    expect(error.understudy).toMatchObject({
      request_id: 'req_1',
      component: 'target',
      reason: 'rate_limited',
      retry_after_ms: 8200,
    });
    expect(error.understudy.attempts).toHaveLength(16);
    expect(error.understudy).not.toHaveProperty('should_retry');
  });

  it('keep the words of a provider, and say that a repeat is useless', () => {
    const error = {
      ...ERROR,
      providerCode: 'invalid_type',
      providerParam: 'seed',
      retryAfterMs: null,
      shouldRetry: false,
    } as const;
    const { headers, body } = encodeError(error, CONTEXT);
    expect(headers).toEqual({ 'content-type': 'application/json', 'x-should-retry': 'false' });
    expect(JSON.parse(decodeUtf8(body)).error).toMatchObject({
      code: 'invalid_type',
      param: 'seed',
      understudy: { should_retry: false },
    });
  });

  it('are one event without an end mark in a stream', () => {
    const text = decodeUtf8(encodeStreamError({ ...ERROR, code: 'stream_interrupted' }, CONTEXT));
    expect(text).toMatch(/^data: \{"error":\{.*\}\}\n\n$/);
    expect(JSON.parse(text.slice(6)).error).toMatchObject({ code: 'stream_interrupted', type: 'server_error' });
  });

  it('cannot be broken out of by a comment', () => {
    expect(decodeUtf8(encodeComment('a\r\n\r\ndata: x'))).toBe(': a data: x\n\n');
    expect(decodeUtf8(CODECS.get('openai-chat')?.keepalive ?? new Uint8Array())).toBe(': keepalive\n\n');
  });
});

describe('errors of providers', () => {
  const decode = (text: string, type = 'application/json') =>
    decodeError(400, { 'content-type': type }, encodeUtf8(text));

  it('are found in JSON, in events and in plain text', () => {
    expect(decode('{"error":{"message":"m","code":"c","param":"p"}}')).toMatchObject({
      message: 'm',
      code: 'c',
      param: 'p',
    });
    expect(decode('event: error\ndata: {"error":{"message":"m"}}\n\n')).toMatchObject({ message: 'm' });
    expect(decode('too many', 'text/plain')).toMatchObject({ message: 'too many', status: 400 });
    expect(decode('"quoted"')).toMatchObject({ message: 'quoted' });
  });

  it('are not found in pages or in nothing', () => {
    expect(decode('<!DOCTYPE html><html></html>')).toBeNull();
    expect(decode('no tags', 'text/html')).toBeNull();
    expect(decode('')).toBeNull();
  });
});

it('sends a key as bearer, and none where there is none', () => {
  expect(authHeaders(new Secret('k'))).toEqual({ authorization: 'Bearer k' });
  expect(authHeaders(new Secret(''))).toEqual({});
});
