import { describe, expect, it } from 'vitest';
import { innermostError } from './innermost.ts';

const NONE = { status: null, code: null, type: null, param: null };

describe('innermost error', () => {
  it.each<[string, unknown, number | null, object]>([
    [
      'OpenAI',
      { error: { message: 'm', type: 't', param: 'p', code: 'c' } },
      400,
      { status: 400, code: 'c', type: 't', param: 'p', message: 'm' },
    ],
    ['text', { error: 'broken' }, 500, { ...NONE, status: 500, message: 'broken' }],
    [
      'list',
      [{ error: { code: 429, message: 'm', status: 'RESOURCE_EXHAUSTED' } }],
      429,
      { ...NONE, status: 429, type: 'RESOURCE_EXHAUSTED', message: 'm' },
    ],
    ['detail', { detail: 'Not authenticated' }, 403, { ...NONE, status: 403, message: 'Not authenticated' }],
    [
      'detail list',
      { detail: [{ loc: ['body', 'n'], msg: 'must be 1', type: 'value_error' }] },
      422,
      { ...NONE, status: 422, param: 'n', type: 'value_error', message: 'must be 1' },
    ],
    ['message', { message: 'm' }, 400, { ...NONE, status: 400, message: 'm' }],
    ['errors', { errors: [{ message: 'm', code: 7003 }] }, 400, { ...NONE, status: 400, code: '7003', message: 'm' }],
    [
      'nested',
      { error: { message: 'outer', error: { message: 'inner', code: 'c' } } },
      500,
      { ...NONE, status: 500, code: 'c', message: 'inner' },
    ],
    [
      'Anthropic',
      { type: 'error', error: { type: 'overloaded_error', message: 'busy' } },
      null,
      { ...NONE, type: 'overloaded_error', message: 'busy' },
    ],
    [
      'Responses event',
      { type: 'error', code: 'server_error', message: 'x', param: null },
      null,
      { ...NONE, code: 'server_error', message: 'x' },
    ],
    [
      'failed response',
      { type: 'response.failed', response: { id: 'r', status: 'failed', error: { code: 'c', message: 'm' } } },
      null,
      { ...NONE, code: 'c', message: 'm' },
    ],
    [
      'relay of JSON',
      {
        error: {
          message: 'Provider returned error',
          code: 429,
          metadata: { raw: '{"error":{"message":"inner","code":"busy"}}', provider_name: 'P' },
        },
      },
      200,
      { ...NONE, status: 429, code: 'busy', message: 'inner' },
    ],
    [
      'relay of a word',
      { error: { message: 'provider returned error', code: 502, metadata: { raw: 'x' } } },
      200,
      { ...NONE, status: 502, message: 'provider returned error' },
    ],
    [
      'problem document',
      { status: 404, title: 'Not Found', detail: 'Function: Not found' },
      404,
      { ...NONE, status: 404, message: 'Function: Not found' },
    ],
    [
      'problem document without detail',
      { type: 'about:blank', status: 503, title: 'Busy' },
      503,
      { ...NONE, status: 503, message: 'Busy' },
    ],
    [
      'JSON in a message',
      { message: '400 Bad Request: {"error":{"message":"inner","type":"t"}}' },
      502,
      { ...NONE, status: 502, type: 't', message: 'inner' },
    ],
    ['JSON in a string', '{"error":{"message":"m"}}', 500, { ...NONE, status: 500, message: 'm' }],
    [
      'Google reason',
      { error: { code: 400, message: 'm', status: 'INVALID_ARGUMENT', details: [{ reason: 'API_KEY_INVALID' }] } },
      400,
      { ...NONE, status: 400, code: 'API_KEY_INVALID', type: 'INVALID_ARGUMENT', message: 'm' },
    ],
    [
      'one word beside a sentence',
      { error: 'model_not_found', message: 'no such model' },
      404,
      { ...NONE, status: 404, code: 'model_not_found', message: 'no such model' },
    ],
    [
      'AWS',
      { __type: 'com.amazon.coral#ThrottlingException', message: 'slow' },
      400,
      { ...NONE, status: 400, type: 'ThrottlingException', message: 'slow' },
    ],
    [
      'status in the place of a code',
      { error: { message: 'm', code: '429' } },
      null,
      { ...NONE, status: 429, message: 'm' },
    ],
    ['no words', { error: { type: 'server_error' } }, 500, { ...NONE, status: 500, type: 'server_error', message: '' }],
  ])('%s', (_, value, status, expected) => {
    expect(innermostError(value, status)).toEqual(expected);
  });

  it.each<[string, object, object]>([
    ['seconds', { resets_in_seconds: 1800 }, { seconds: 1800 }],
    ['seconds as text', { retry_after: '7' }, { seconds: 7 }],
    ['milliseconds', { retry_after_ms: 1500 }, { seconds: 1.5 }],
    ['moment', { resets_at: 1_796_000_000 }, { at: 1_796_000_000 }],
    ['moment as text', { resets_at: '2026-11-29T10:00:30Z' }, { text: '2026-11-29T10:00:30Z' }],
    ['Gemini', { details: [{}, { retryDelay: '34s' }] }, { text: '34s' }],
    ['protobuf', { details: [{ retryDelay: { seconds: 3, nanos: 500_000_000 } }] }, { seconds: 3.5 }],
    [
      'headers of a relay',
      { metadata: { headers: { 'X-RateLimit-Reset': '1796000000000' } } },
      { at: 1_796_000_000_000 },
    ],
  ])('delay: %s', (_, fields, delay) => {
    expect(innermostError({ error: { message: 'm', ...fields } }, 429)?.delay).toEqual(delay);
  });

  it('takes a delay from outside where the inner error names none', () => {
    expect(innermostError({ error: { message: 'm' }, retry_after: 4 }, 429)?.delay).toEqual({ seconds: 4 });
  });

  it.each<[string, unknown, number | null]>([
    ['an answer', { id: 'c', object: 'chat.completion', choices: [], error: null }, 200],
    ['an answer of unknown status', { choices: [{ message: { content: 'x' } }], message: 'hello' }, null],
    ['an answer with a message', { message: 'hello' }, 200],
    ['nothing', null, 500],
    ['an empty object', {}, 500],
    ['a page', '<html>502</html>', 502],
    ['a number', 7, 500],
    ['an empty list', [], 500],
  ])('%s holds none', (_, value, status) => {
    expect(innermostError(value, status)).toBeNull();
  });

  it('survives hostile bodies', () => {
    let deep: unknown = { message: 'bottom' };
    for (let i = 0; i < 5000; i++) deep = { error: deep };
    expect(innermostError(deep, 500)).toBeNull();
    let text = '{"error":{"message":"bottom"}}';
    for (let i = 0; i < 12; i++) text = JSON.stringify({ error: text });
    expect(innermostError(JSON.parse(text), 500)?.message.length ?? 0).toBeLessThanOrEqual(4000);
    expect(innermostError(Array(1e6).fill(0), 500)).toBeNull();
    expect(innermostError(JSON.parse('{"__proto__":{"message":"m"},"constructor":{"message":"n"}}'), 500)).toBeNull();
    expect(innermostError({ error: { message: 'x'.repeat(1e6) } }, 500)?.message).toHaveLength(4000);
    expect(({} as Record<string, unknown>)['message']).toBeUndefined();
  });
});
