import { describe, expect, it } from 'vitest';
import { corsHeaders, preflightHeaders } from './cors.ts';

describe('cors', () => {
  const server = { cors: ['https://app.example'] };

  it('names listed origins only', () => {
    expect(corsHeaders('https://app.example', server)).toMatchObject({
      'access-control-allow-origin': 'https://app.example',
      vary: 'origin',
    });
    expect(corsHeaders('https://evil.example', server)).toEqual({ vary: 'origin' });
    expect(corsHeaders('https://app.example', { cors: [] })).toEqual({});
  });

  it('answers preflights of listed origins only', () => {
    const asked = { origin: 'https://app.example', 'access-control-request-headers': 'authorization, x-y' };
    expect(preflightHeaders(asked, ['POST'], server)).toMatchObject({
      'access-control-allow-methods': 'POST',
      'access-control-allow-headers': 'authorization, x-y',
    });
    expect(preflightHeaders({ origin: 'https://evil.example' }, ['POST'], server)).toBeNull();
    expect(preflightHeaders({}, ['POST'], server)).toBeNull();
  });
});
