import { describe, expect, it } from 'vitest';
import { answerInterrupted, clientError } from './answer.ts';
import { failureOfRow } from './failure-of-row.ts';

describe('other answers', () => {
  it('tells of an interruption without words of the provider', () => {
    const cut = { ...failureOfRow('context_length', 'secret words'), component: 'client' } as const;
    expect(answerInterrupted({ attempts: [], failure: cut })).toMatchObject({
      code: 'stream_interrupted',
      component: 'target',
      reason: 'context_length',
      retryAfterMs: null,
      shouldRetry: null,
      message: expect.not.stringContaining('secret') as unknown,
    });
    expect(answerInterrupted({ attempts: [], failure: null, component: 'gateway', reason: 'draining' })).toMatchObject({
      component: 'gateway',
      reason: 'draining',
    });
  });

  it('asks for a repeat in the words that opencode goes by', () => {
    // opencode 1.18 reads no code in Responses and Messages streams, only a few phrases of the message; this is one.
    expect(answerInterrupted({ attempts: [], failure: null }).message).toMatch(/retry your request/i);
  });

  it('fills in from the catalogue, and cleans', () => {
    expect(clientError('invalid_api_key')).toMatchObject({
      status: 401,
      component: 'client',
      attempts: [],
      shouldRetry: null,
    });
    expect(clientError('forbidden', { message: 'key sk-aaaa1111bbbb2222 here' }).message).toBe('key [secret] here');
  });
});
