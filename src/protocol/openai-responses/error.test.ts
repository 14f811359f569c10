import { describe, expect, it } from 'vitest';
import { clientError } from '../../core/failure/answer.ts';
import { CATALOGUE } from '../../core/failure/catalogue.ts';
import type { ClientError, ErrorCode } from '../../core/failure/client-error.ts';
import { decodeUtf8 } from '../json/index.ts';
import type { ErrorContext } from '../types.ts';
import { encodeError, encodeStreamError } from './error.ts';

const CONTEXT: ErrorContext = { requestId: 'req_01' };

function stream(
  error: ClientError,
  context: Partial<ErrorContext> = {},
): { type: string; sequence_number?: number; response: Record<string, unknown> & { error: Record<string, unknown> } } {
  const text = decodeUtf8(encodeStreamError(error, { ...CONTEXT, ...context }));
  const [, name, json] = /^event: (.*)\ndata: (.*)\n\n$/.exec(text) ?? [];
  expect(name).toBe('response.failed');
  return JSON.parse(json as string);
}

describe('an error in place of an answer', () => {
  it('has the form of OpenAI and what the gateway knows', () => {
    const error = clientError('rate_limit_exceeded', { retryAfterMs: 2000, reason: 'rate_limited' });
    const { status, headers, body } = encodeError(error, CONTEXT);
    expect(status).toBe(429);
    expect(headers).toEqual({ 'content-type': 'application/json', 'retry-after': '2', 'retry-after-ms': '2000' });
    expect(JSON.parse(decodeUtf8(body))).toEqual({
      error: {
        message: error.message,
        type: 'rate_limit_error',
        param: null,
        code: 'rate_limit_exceeded',
        understudy: {
          request_id: 'req_01',
          component: 'credential',
          reason: 'rate_limited',
          attempts: [],
          retry_after_ms: 2000,
        },
      },
    });
  });

  it("keeps a provider's own words", () => {
    const error = clientError('invalid_request_error', {
      providerCode: 'bad',
      providerParam: 'input[0]',
      providerType: 't',
    });
    expect(JSON.parse(decodeUtf8(encodeError(error, CONTEXT).body)).error).toMatchObject({
      code: 'bad',
      param: 'input[0]',
      type: 't',
    });
  });
});

describe('an error in a stream', () => {
  it('is a whole failed response, also where none was opened', () => {
    const { type, response } = stream(clientError('upstream_error', { shouldRetry: false, retryAfterMs: 1500 }));
    expect(type).toBe('response.failed');
    expect(response).toMatchObject({
      id: 'resp_01',
      object: 'response',
      status: 'failed',
      output: [],
      error: {
        code: 'upstream_error',
        type: 'server_error',
        understudy: { retry_after_ms: 1500, should_retry: false },
      },
    });
  });

  it('goes on counting', () => {
    const error = clientError('stream_interrupted');
    expect(stream(error, { sequence: 6, answerId: 'resp_up' })).toMatchObject({
      sequence_number: 7,
      response: { id: 'resp_up' },
    });
    expect(stream(error, { sequence: null, answerId: null })).toMatchObject({
      sequence_number: 0,
      response: { id: 'resp_01' },
    });
    expect(stream(error)).not.toHaveProperty('sequence_number');
  });
});

describe('the manner of Codex', () => {
  const codex: ErrorContext = { ...CONTEXT, manner: 'codex' };

  it.each<[ErrorCode, string]>([
    ['upstream_error', 'server_is_overloaded'],
    ['upstream_timeout', 'server_is_overloaded'],
    ['route_misconfigured', 'server_is_overloaded'],
    ['rate_limit_exceeded', 'server_is_overloaded'],
    ['service_unavailable', 'server_is_overloaded'],
    ['insufficient_quota', 'insufficient_quota'],
    ['context_length_exceeded', 'context_length_exceeded'],
    ['content_policy_violation', 'invalid_prompt'],
    ['invalid_request_error', 'invalid_prompt'],
  ])('%s is told as %s, before a head and after it', (code, told) => {
    const error = clientError(code, { providerCode: code === 'invalid_request_error' ? 'odd' : null });
    const { status, headers, body } = encodeError(error, codex);
    expect(status).toBe(200);
    expect(headers).toMatchObject({
      'content-type': expect.stringContaining('text/event-stream'),
      'x-accel-buffering': 'no',
    });
    expect(decodeUtf8(body)).toBe(decodeUtf8(encodeStreamError(error, { ...codex, sequence: null })));
    expect(stream(error, { manner: 'codex' }).response.error).toMatchObject({ code: told, message: error.message });
  });

  it('tells a known wait by the status, or after a head in the words that are obeyed', () => {
    const error = clientError('service_unavailable', {
      retryAfterMs: 1500,
      message: 'All are busy. Try again in 1.5 s.',
    });
    expect(encodeError(error, codex)).toMatchObject({ status: 503, headers: { 'retry-after': '2' } });
    expect(stream(error, { manner: 'codex' }).response.error).toMatchObject({
      code: 'rate_limit_exceeded',
      message: 'All are busy. Please try again in 1.5s.',
    });
    const whole = clientError('rate_limit_exceeded', { retryAfterMs: 20_000, message: 'Limited.' });
    expect(stream(whole, { manner: 'codex' }).response.error['message']).toBe('Limited. Please try again in 20.0s.');
  });

  it('leaves an interruption retryable, and a wrong key a wrong key', () => {
    expect(stream(clientError('stream_interrupted'), { manner: 'codex' }).response.error['code']).toBe(
      'stream_interrupted',
    );
    expect(encodeError(clientError('invalid_api_key'), codex).status).toBe(401);
  });

  it('has a word for every code', () => {
    for (const code of Object.keys(CATALOGUE) as ErrorCode[]) {
      expect(stream(clientError(code), { manner: 'codex' }).response.error['code']).toEqual(expect.any(String));
    }
  });
});
