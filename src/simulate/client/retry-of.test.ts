import { describe, expect, it } from 'vitest';
import { askRow } from '../../../test/kit/simulation.ts';
import { decodeUtf8 } from '../../protocol/json/index.ts';
import type { ClientManner } from '../scenario/scenario.ts';
import { createChance } from '../world/chance.ts';
import { askOf } from './ask-of.ts';
import { repeatAsk, retryOf } from './retry-of.ts';
import type { ClientView } from './view.ts';

type ClientName = NonNullable<ClientManner['retries']>;

const view = (change: Partial<ClientView> = {}): ClientView => ({
  status: 503,
  text: '',
  reasoning: '',
  tools: [],
  usage: null,
  finish: null,
  isWhole: false,
  error: null,
  retryAfterMs: null,
  shouldRetry: null,
  saysMoreBehindEnd: false,
  faults: [],
  ...change,
});

/** All tries of one turn that meets the same again and again: how many, and how long they take. */
function persist(client: ClientName, seen: ClientView): { readonly tries: number; readonly seconds: number } {
  let ms = 0;
  for (let tries = 1; ; tries++) {
    const wait = retryOf(client, seen, tries);
    if (wait === null) return { tries, seconds: Math.round(ms / 1000) };
    ms += wait;
  }
}

const failed = (code: string, message = 'm') => view({ status: 200, error: { code, type: null, message } });
const cut = view({ status: 200 });
const unheard = view({ status: null });

describe('how often a client asks', () => {
  it.each<readonly [ClientName, string, ClientView, tries: number, seconds: number]>([
    ['codex', 'a bare 429', view({ status: 429 }), 1, 0],
    ['codex', '429 with a wait', view({ status: 429, retryAfterMs: 2_000 }), 6, 10],
    [
      'codex',
      'a spent plan',
      view({ status: 429, retryAfterMs: 2_000, error: { code: null, type: 'usage_limit_reached', message: '' } }),
      1,
      0,
    ],
    ['codex', '500', view({ status: 500 }), 30, 24],
    ['codex', '400', view({ status: 400 }), 1, 0],
    ['codex', '401', view({ status: 401 }), 6, 6],
    ['codex', '404', view({ status: 404 }), 6, 6],
    ['codex', '422', view({ status: 422 }), 6, 6],
    ['codex', 'a reset', unheard, 30, 24],
    ['codex', 'a word against it', view({ shouldRetry: false }), 30, 24],
    ['codex', 'a cut', cut, 6, 6],
    ['codex', 'server_error', failed('server_error'), 6, 6],
    ['codex', 'server_is_overloaded', failed('server_is_overloaded'), 1, 0],
    ['codex', 'insufficient_quota', failed('insufficient_quota'), 1, 0],
    ['codex', 'a wait in words', failed('rate_limit_exceeded', 'Please try again in 1.5s.'), 6, 8],
    ['claude-code', '429', view({ status: 429 }), 11, 160],
    ['claude-code', '500', view({ status: 500 }), 11, 160],
    ['claude-code', '400', view({ status: 400 }), 6, 0],
    ['claude-code', '402', view({ status: 402 }), 1, 0],
    ['claude-code', '404', view({ status: 404 }), 2, 0],
    ['claude-code', 'a word against it', view({ shouldRetry: false }), 1, 0],
    ['claude-code', 'a cut', cut, 11, 160],
    ['opencode', '429', view({ status: 429 }), 6, 62],
    ['opencode', '500', view({ status: 500 }), 6, 62],
    ['opencode', '400', view({ status: 400 }), 1, 0],
    ['opencode', '401', view({ status: 401 }), 1, 0],
    ['opencode', 'a word against it', view({ shouldRetry: false }), 6, 62],
    ['opencode', 'a cut', cut, 6, 62],
    ['openai-sdk', '429', view({ status: 429 }), 3, 2],
    ['openai-sdk', '503 with a wait', view({ retryAfterMs: 5_000 }), 3, 10],
    ['openai-sdk', '408', view({ status: 408 }), 3, 2],
    ['openai-sdk', '400', view({ status: 400 }), 1, 0],
    ['openai-sdk', '400 with a word for it', view({ status: 400, shouldRetry: true }), 2, 0],
    ['openai-sdk', 'a reset', unheard, 2, 1],
    ['openai-sdk', 'a word against it', view({ shouldRetry: false }), 1, 0],
    ['openai-sdk', 'a cut', cut, 1, 0],
    ['openai-sdk', 'an error in the stream', failed('server_error'), 1, 0],
  ])('%s behind %s', (client, _what, seen, tries, seconds) =>
    expect(persist(client, seen)).toEqual({ tries, seconds }),
  );

  it.each(['codex', 'claude-code', 'opencode', 'openai-sdk'] as const)('%s has what it wanted', (client) => {
    expect(retryOf(client, view({ status: 200, isWhole: true }), 1)).toBeNull();
  });

  it.each(['codex', 'claude-code', 'opencode', 'openai-sdk'] as const)('%s obeys a wait', (client) => {
    expect(retryOf(client, view({ retryAfterMs: 5_000 }), 1)).toBe(5_000);
  });
});

describe('what it asks then', () => {
  const asked = (client: ClientName) =>
    askOf(askRow({ protocol: 'anthropic-messages', client: { retries: client } }), 0, createChance(1));

  it('is the same, with its tries counted where the library counts', () => {
    const ask = asked('openai-sdk');
    const again = repeatAsk(ask, view(), 2);
    expect(again.headers['x-stainless-retry-count']).toBe('2');
    expect(again.body).toBe(ask.body);
    expect(repeatAsk(asked('opencode'), view(), 2).headers).not.toHaveProperty('x-stainless-retry-count');
  });

  it('is the whole answer at once, behind an error event', () => {
    const again = repeatAsk(asked('claude-code'), failed('overloaded_error'), 1);
    expect(again.stream).toBe(false);
    expect(JSON.parse(decodeUtf8(again.body))).toMatchObject({ stream: false, model: 'main' });
    expect(repeatAsk(asked('claude-code'), cut, 1).stream).toBe(true);
  });
});
