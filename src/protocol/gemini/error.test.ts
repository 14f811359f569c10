import { describe, expect, it } from 'vitest';
import type { ClientError } from '../../core/failure/client-error.ts';
import { decodeUtf8, encodeUtf8 } from '../json/index.ts';
import { gemini as codec } from './index.ts';

const ERROR: ClientError = {
  code: 'rate_limit_exceeded',
  providerCode: null,
  providerParam: null,
  providerType: null,
  status: 429,
  message: 'Wait.',
  component: 'credential',
  reason: 'rate_limited',
  attempts: [{ target: 'p/m', outcome: 'rate_limited', status: 429, ms: 12 }],
  retryAfterMs: 2500,
  shouldRetry: null,
};
const CONTEXT = { requestId: 'req_1' };

const bodyOf = (error: Partial<ClientError>): unknown =>
  JSON.parse(decodeUtf8(codec.encodeError({ ...ERROR, ...error }, CONTEXT).body));

describe('an error', () => {
  it('has the shape of Google, with what the gateway knows', () => {
    const { status, headers } = codec.encodeError(ERROR, CONTEXT);
    expect({ status, headers }).toEqual({
      status: 429,
      headers: { 'content-type': 'application/json', 'retry-after': '3', 'retry-after-ms': '2500' },
    });
    expect(bodyOf({})).toEqual({
      error: {
        code: 429,
        message: 'Wait.',
        status: 'RESOURCE_EXHAUSTED',
        details: [
          {
            '@type': 'type.googleapis.com/google.rpc.ErrorInfo',
            reason: 'rate_limit_exceeded',
            domain: 'understudy',
            metadata: { request_id: 'req_1', component: 'credential' },
          },
          { '@type': 'type.googleapis.com/google.rpc.RetryInfo', retryDelay: '3s' },
        ],
        understudy: {
          request_id: 'req_1',
          component: 'credential',
          reason: 'rate_limited',
          attempts: [{ target: 'p/m', outcome: 'rate_limited', status: 429, ms: 12 }],
          retry_after_ms: 2500,
        },
      },
    });
  });

  it.each([
    ['invalid_request_error', 400, 'INVALID_ARGUMENT'],
    ['invalid_api_key', 401, 'UNAUTHENTICATED'],
    ['model_not_allowed', 403, 'PERMISSION_DENIED'],
    ['model_not_found', 404, 'NOT_FOUND'],
    ['upstream_error', 502, 'INTERNAL'],
    ['service_unavailable', 503, 'UNAVAILABLE'],
    ['upstream_timeout', 504, 'DEADLINE_EXCEEDED'],
  ] as const)('%s is %d %s', (code, status, word) => {
    expect(bodyOf({ code, status })).toMatchObject({ error: { code: status, status: word } });
  });

  it("keeps a provider's words", () => {
    const words = { providerCode: 'API_X', providerParam: 'tools[0].name', providerType: 'FAILED_PRECONDITION' };
    expect(bodyOf({ ...words, code: 'invalid_request_error', status: 400, retryAfterMs: null })).toMatchObject({
      error: {
        status: 'FAILED_PRECONDITION',
        details: [{ reason: 'API_X' }, { fieldViolations: [{ field: 'tools[0].name', description: 'Wait.' }] }],
      },
    });
    expect(bodyOf({ providerType: 'invalid_request_error' })).toMatchObject({
      error: { status: 'RESOURCE_EXHAUSTED' },
    });
    expect(bodyOf({ shouldRetry: false })).toMatchObject({
      error: { details: [{ metadata: { should_retry: 'false' } }, {}] },
    });
  });

  it('in a stream is the last frame', () => {
    const frame = decodeUtf8(codec.encodeStreamError({ ...ERROR, code: 'stream_interrupted', status: 502 }, CONTEXT));
    expect(frame).toMatch(/^data: \{.*\}\n\n$/);
    expect(JSON.parse(frame.slice(6))).toMatchObject({ error: { code: 502, status: 'INTERNAL' } });
  });

  it('is read, in a list of one as well', () => {
    const error = { code: 429, message: 'm', status: 'RESOURCE_EXHAUSTED' };
    for (const body of [{ error }, [{ error }]]) {
      const found = codec.decodeError(429, {}, encodeUtf8(JSON.stringify(body)));
      expect(found).toMatchObject({ status: 429, type: 'RESOURCE_EXHAUSTED', message: 'm' });
    }
  });
});
