import { describe, expect, it } from 'vitest';
import { cleanName } from '../core/redact/index.ts';
import { clientRequestId, forwardedHeaders } from './headers.ts';

describe('headers that go on to a provider', () => {
  it('are those of the list, with plain values', () => {
    const sent = {
      'anthropic-beta': 'a, b',
      traceparent: '00-1-2-01',
      'openai-beta': 'bell\u0007',
      'idempotency-key': 'x'.repeat(9000),
      cookie: 'sid=1',
      'x-custom': '1',
      authorization: 'Bearer k',
      tracestate: 'caf\u00e9',
    };
    expect(forwardedHeaders(sent)).toEqual({ 'anthropic-beta': 'a, b', traceparent: '00-1-2-01' });
  });

  it("a client's own id is recorded, short and printable", () => {
    expect(clientRequestId({ 'x-request-id': 'abc' }, cleanName)).toBe('abc');
    expect(clientRequestId({ 'x-request-id': 'a'.repeat(500) }, cleanName)).toHaveLength(200);
    expect(clientRequestId({ 'x-request-id': 'a\u0000b' }, cleanName)).toBeNull();
    expect(clientRequestId({}, cleanName)).toBeNull();
  });
});
