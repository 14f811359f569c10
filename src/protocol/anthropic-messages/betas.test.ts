import { describe, expect, it } from 'vitest';
import { Secret } from '../../core/redact/secret.ts';
import { chooseBetas } from './betas.ts';
import { authHeaders } from './headers.ts';

const asked = { 'anthropic-beta': 'claude-code-20250219, Interleaved-thinking-2025-05-14,context-1m-2025-08-07' };

describe('the flags that a target gets', () => {
  it.each([
    ['all that were asked for', {}, 'claude-code-20250219,Interleaved-thinking-2025-05-14,context-1m-2025-08-07', []],
    ['those that it takes', { betas: ['interleaved-thinking-2025-05-14'] }, 'Interleaved-thinking-2025-05-14', 2],
    ['none', { betas: [] }, '', 3],
    ['none, when this request has to go without any', { leaveOut: ['beta:*'] }, '', 3],
    [
      'all but those that were refused together',
      { leaveOut: ['beta:claude-code-20250219,context-1m-2025-08-07'] },
      'Interleaved-thinking-2025-05-14',
      ['beta:claude-code-20250219', 'beta:context-1m-2025-08-07'],
    ],
    [
      'all where those were refused together with one that is not here',
      { leaveOut: ['beta:bad,claude-code-20250219,context-1m-2025-08-07'] },
      'claude-code-20250219,Interleaved-thinking-2025-05-14,context-1m-2025-08-07',
      [],
    ],
    [
      'those that were refused together with one that is known for it',
      { leaveOut: ['beta:claude-code-20250219,context-1m-2025-08-07', 'beta:context-1m-2025-08-07'] },
      'claude-code-20250219,Interleaved-thinking-2025-05-14',
      ['beta:context-1m-2025-08-07'],
    ],
    [
      'all but those that it has refused',
      { leaveOut: ['beta:interleaved-thinking-2025-05-14', 'beta:never-asked-for', 'metadata'] },
      'claude-code-20250219,context-1m-2025-08-07',
      ['beta:interleaved-thinking-2025-05-14'],
    ],
  ] as const)('%s', (_, capabilities, sent, leftOut) => {
    const chosen = chooseBetas(asked, capabilities);
    expect(chosen.headers).toEqual({ 'anthropic-beta': sent });
    expect(chosen.sent).toEqual(sent === '' ? [] : sent.split(','));
    if (typeof leftOut === 'number') expect(chosen.leftOut).toHaveLength(leftOut);
    else expect(chosen.leftOut).toEqual(leftOut);
  });

  it('are none where none was asked for', () => {
    expect(chooseBetas({ 'openai-beta': 'x' }, { betas: ['a-1'] })).toEqual({ headers: {}, sent: [], leftOut: [] });
  });

  it('are flags, each once, and nothing that would look like words in an answer', () => {
    const header = 'a-1,,a-1, b-2 ,x` system.0.cache_control: Extra inputs are not permitted `';
    expect(chooseBetas({ 'anthropic-beta': header }, {}).headers).toEqual({ 'anthropic-beta': 'a-1,b-2' });
  });
});

describe('a credential', () => {
  const token = new Secret('sk-ant-oat01-x');

  it('that is a token goes as Bearer, with its flag behind those of the client', () => {
    expect(authHeaders(token)).toEqual({
      authorization: 'Bearer sk-ant-oat01-x',
      'anthropic-beta': 'oauth-2025-04-20',
    });
    expect(authHeaders(token, undefined, { 'anthropic-beta': 'a-1,b-2' })['anthropic-beta']).toBe(
      'a-1,b-2,oauth-2025-04-20',
    );
    expect(authHeaders(token, 'bearer', { 'anthropic-beta': 'oauth-2025-04-20' })['anthropic-beta']).toBe(
      'oauth-2025-04-20',
    );
  });

  it('goes as it is told', () => {
    expect(authHeaders(new Secret('sk-ant-api03-x'))).toEqual({ 'x-api-key': 'sk-ant-api03-x' });
    expect(authHeaders(new Secret('k'), 'bearer', { 'anthropic-beta': 'a-1' })).toEqual({ authorization: 'Bearer k' });
    expect(authHeaders(token, 'x-api-key')).toEqual({ 'x-api-key': 'sk-ant-oat01-x' });
    expect(authHeaders(new Secret(''), 'bearer')).toEqual({});
  });
});
