import { expect, it } from 'vitest';
import { upstreamHeaders } from './headers.ts';

it('lets the listed headers of a provider through, renamed, and nothing else', () => {
  const given = {
    'x-request-id': 'r1',
    'cf-ray': 'ray of sk-1',
    'anthropic-ratelimit-requests-remaining': '3',
    'set-cookie': 'a=b',
    server: 'nginx',
    'x-internal': 'host-7',
    'request-id': 'x'.repeat(257),
    'openai-processing-ms': '1\u00e9',
  };
  expect(upstreamHeaders(given, (text) => text.replace('sk-1', '[secret]'))).toEqual({
    'x-upstream-request-id': 'r1',
    'x-upstream-cf-ray': 'ray of [secret]',
    'x-upstream-anthropic-ratelimit-requests-remaining': '3',
  });
});
