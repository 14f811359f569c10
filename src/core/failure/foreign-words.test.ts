import { describe, expect, it } from 'vitest';
import type { Protocol } from '../model/protocol.ts';
import type { Candidate, Lack } from '../routing/plan.ts';
import { answerExhausted } from './answer.ts';
import { foreignWords, isForeign } from './foreign-words.ts';

const candidate = (protocol: Protocol, ...lacks: Lack[]) => ({ target: { protocol }, lacks }) as unknown as Candidate;

describe('a client that speaks what no target does', () => {
  it('is told of both, by name, and what to do', () => {
    const seen = [candidate('openai-chat', 'protocol'), candidate('openai-chat', 'images', 'protocol')];
    expect(isForeign(seen)).toBe(true);
    expect(foreignWords(seen, { model: 'main', protocol: 'openai-responses' })).toBe(
      'The client speaks OpenAI Responses; the targets of "main" speak OpenAI Chat Completions. Add a target whose ' +
        'provider has protocol: openai-responses (preset openai-responses), or use a client that speaks as they do: ' +
        'docs/clients.md.',
    );
  });

  it('fits into what a client is told, whatever the names are', () => {
    const all: readonly Protocol[] = ['openai-chat', 'openai-responses', 'anthropic-messages'];
    for (const protocol of all) {
      const others = all.filter((each) => each !== protocol).map((each) => candidate(each, 'protocol'));
      expect(foreignWords(others, { model: 'm'.repeat(200), protocol }).length).toBeLessThanOrEqual(300);
    }
  });

  it('is none where one of them speaks it, or where there is none', () => {
    expect(isForeign([candidate('openai-chat', 'protocol'), candidate('openai-responses', 'images')])).toBe(false);
    expect(isForeign([{ target: { protocol: 'openai-chat' } } as unknown as Candidate])).toBe(false);
    expect(isForeign([])).toBe(false);
  });

  it('is told at once, and that a repeat is of no use; with other lacks a client may leave something out', () => {
    const answer = (seen: readonly Candidate[]) =>
      answerExhausted({
        attempts: [],
        candidates: seen.map(
          (each) => ({ ...each, skip: 'skipped_capability', availability: { cause: null } }) as unknown as Candidate,
        ),
        missing: ['images'],
        asked: { model: 'main', protocol: 'openai-responses' },
        why: 'exhausted',
        maxRetryAfterMs: 0,
        now: 0,
        jitter: 0,
      });
    const told = answer([candidate('openai-chat', 'protocol')]);
    expect(told).toMatchObject({ code: 'unsupported_capability', status: 400, shouldRetry: false });
    expect(told.message).toContain('The client speaks OpenAI Responses');
    expect(answer([candidate('openai-responses', 'images')])).toMatchObject({
      shouldRetry: null,
      message: expect.stringContaining('images'),
    });
  });
});
