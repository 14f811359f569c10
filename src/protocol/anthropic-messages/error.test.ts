import { describe, expect, it } from 'vitest';
import { clientError } from '../../core/failure/answer.ts';
import { Secret } from '../../core/redact/secret.ts';
import { CODECS } from '../index.ts';
import { decodeUtf8, encodeUtf8 } from '../json/index.ts';
import { decodeError } from '../shared/wire-error.ts';
import { encodeError, encodeStreamError, KEEPALIVE } from './error.ts';
import { authHeaders } from './headers.ts';

const CONTEXT = { requestId: 'req_1' };
const parse = (body: Uint8Array) => JSON.parse(decodeUtf8(body));

describe('errors for clients', () => {
  it('have the shape that client libraries read', () => {
    const error = clientError('rate_limit_exceeded', {
      message: 'm',
      reason: 'rate_limited',
      retryAfterMs: 8200,
      attempts: Array.from(
        { length: 20 },
        () => ({ target: 'a/m', outcome: 'rate_limited', status: 429, ms: 3 }) as const,
      ),
    });
    const { status, headers, body } = encodeError(error, CONTEXT);
    expect(status).toBe(429);
    expect(headers).toEqual({ 'content-type': 'application/json', 'retry-after': '9', 'retry-after-ms': '8200' });
    expect(parse(body)).toMatchObject({
      type: 'error',
      request_id: 'req_1',
      error: {
        type: 'rate_limit_error',
        message: 'm',
        understudy: { request_id: 'req_1', component: 'credential', reason: 'rate_limited', retry_after_ms: 8200 },
      },
    });
    expect(parse(body).error.understudy.attempts).toHaveLength(16);
    expect(parse(body).error).not.toHaveProperty('code');
  });

  it.each([
    ['service_unavailable', 529, 'overloaded_error'],
    ['no_target_available', 529, 'overloaded_error'],
    ['gateway_overloaded', 529, 'overloaded_error'],
    ['upstream_error', 502, 'api_error'],
    ['route_misconfigured', 502, 'api_error'],
    ['upstream_timeout', 504, 'timeout_error'],
    ['context_length_exceeded', 400, 'invalid_request_error'],
    ['request_too_large', 413, 'request_too_large'],
    ['invalid_api_key', 401, 'authentication_error'],
    ['forbidden', 403, 'permission_error'],
    ['model_not_found', 404, 'not_found_error'],
    ['resource_gone', 410, 'not_found_error'],
  ] as const)('%s is %i %s', (code, status, type) => {
    const encoded = encodeError(clientError(code), CONTEXT);
    expect(encoded.status).toBe(status);
    expect(parse(encoded.body).error.type).toBe(type);
  });

  it('keep the words of a provider, and say that a repeat is useless', () => {
    const { headers, body, status } = encodeError(
      clientError('invalid_request_error', {
        message: 'prompt is too long: 9 tokens > 8 maximum',
        providerType: 'invalid_request_error',
        providerCode: 'too_long',
        providerParam: 'messages',
        status: 415,
        shouldRetry: false,
      }),
      CONTEXT,
    );
    expect(status).toBe(415);
    expect(headers).toEqual({ 'content-type': 'application/json', 'x-should-retry': 'false' });
    expect(parse(body).error).toMatchObject({
      message: 'prompt is too long: 9 tokens > 8 maximum',
      code: 'too_long',
      param: 'messages',
      understudy: { should_retry: false },
    });
  });

  it('are one named event without a stop in a stream', () => {
    const text = decodeUtf8(encodeStreamError(clientError('stream_interrupted', { message: 'a\nb' }), CONTEXT));
    expect(text).toMatch(/^event: error\ndata: \{"type":"error",.*\}\n\n$/);
    expect(JSON.parse(text.split('\ndata: ')[1] as string).error.type).toBe('api_error');
  });
});

it('keeps a client waiting with a ping', () => {
  expect(decodeUtf8(KEEPALIVE)).toBe('event: ping\ndata: {"type":"ping"}\n\n');
  expect(decodeUtf8(CODECS.get('anthropic-messages')?.encodeComment('a\nb') ?? new Uint8Array())).toBe(': a b\n\n');
});

it('finds the error of a provider', () => {
  const body = '{"type":"error","error":{"type":"overloaded_error","message":"busy"},"request_id":"r"}';
  expect(decodeError(529, {}, encodeUtf8(body))).toMatchObject({
    type: 'overloaded_error',
    message: 'busy',
    status: 529,
  });
  expect(decodeError(529, {}, encodeUtf8(`event: error\ndata: ${body}\n\n`))).toMatchObject({
    type: 'overloaded_error',
  });
  expect(decodeError(502, {}, encodeUtf8('<html>'))).toBeNull();
});

it('sends a key in the header of this protocol, and none where there is none', () => {
  expect(authHeaders(new Secret('k'))).toEqual({ 'x-api-key': 'k' });
  expect(authHeaders(new Secret(''))).toEqual({});
});
