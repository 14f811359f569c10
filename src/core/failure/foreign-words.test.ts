import { describe, expect, it } from 'vitest';
import type { Protocol } from '../model/protocol.ts';
import type { Candidate, Lack } from '../routing/plan.ts';
import { answerExhausted } from './answer.ts';
import { answerClass } from './answer-class.ts';
import { foreignWords, NEVER_TRANSLATED } from './foreign-words.ts';

const candidate = (protocol: Protocol, ...lacks: Lack[]) =>
  ({ target: { protocol }, lacks, skip: 'skipped_capability', availability: { cause: null } }) as unknown as Candidate;

describe('a client that speaks what no target does', () => {
  it('is told of both, by name, and what to do', () => {
    const spoken = ['openai-chat', 'openai-chat'] as const;
    const words = foreignWords({ model: 'main', protocol: 'openai-responses' }, spoken, ['server tools in Chat']);
    expect(words).toBe(
      'The client speaks OpenAI Responses; the targets of "main" speak Chat, and this request can\'t be translated: ' +
        'they lack server tools in Chat. Add a target whose provider has protocol: openai-responses (docs/protocols.md).',
    );
  });

  it('fits into what a client is told, whatever the names are', () => {
    const all: readonly Protocol[] = ['openai-chat', 'openai-responses', 'anthropic-messages'];
    for (const protocol of all) {
      const others = all.filter((each) => each !== protocol);
      expect(foreignWords({ model: 'm'.repeat(200), protocol }, others, ['x'.repeat(90)]).length).toBeLessThanOrEqual(
        300,
      );
    }
  });

  it('names each thing whole, or how many more there are', () => {
    const spoken = ['anthropic-messages'] as const;
    const words = (...missing: string[]) => foreignWords({ model: 'main', protocol: 'openai-chat' }, spoken, missing);
    const missing = ['audio input in Messages', 'several choices in Messages', 'log probabilities in Messages'];
    expect(words(...missing.slice(0, 2))).toContain(
      ': they lack audio input in Messages, several choices in Messages. ',
    );
    expect(words(...missing, ...missing)).toContain(' in Messages and 3 more. Add a target');
    expect(words('x'.repeat(300))).toContain('x…. Add a target');
  });

  it('is told of the setting that lets nothing be translated, and to change it', () => {
    const spoken = ['anthropic-messages'] as const;
    const asked = { model: 'main', protocol: 'gemini' } as const;
    expect(foreignWords(asked, spoken, [NEVER_TRANSLATED])).toBe(
      'The client speaks Gemini; the targets of "main" speak Messages, and nothing is translated for them: translate: ' +
        'never. Set translate: last, or add a target whose provider has protocol: gemini (docs/protocols.md).',
    );
    expect(foreignWords(asked, spoken, [NEVER_TRANSLATED, 'state of a provider in Chat'])).toContain(
      'they lack state of a provider in Chat. Set translate: last, or add',
    );
  });

  it.each<[string, Candidate[], string]>([
    ['nobody speaks it', [candidate('openai-chat', 'protocol')], 'foreign'],
    ['nobody does, whatever else they lack', [candidate('openai-chat', 'images', 'protocol')], 'foreign'],
    [
      'one does, and lacks something',
      [candidate('gemini', 'protocol'), candidate('openai-chat', 'images')],
      'capability',
    ],
    [
      'one is disabled',
      [candidate('gemini', 'protocol'), { ...candidate('openai-chat'), skip: 'skipped_disabled' }],
      'disabled',
    ],
    ['there is nobody', [], 'open'],
  ])('is a class of its own only where %s', (_, candidates, wanted) => {
    expect(answerClass([], candidates, 'exhausted')).toBe(wanted);
  });

  it('may come again where only the gateway’s own translation is missing', () => {
    const waits = { ...candidate('gemini', 'translator'), skip: 'skipped_busy' } as Candidate;
    const lacking = candidate('openai-chat', 'translation');
    expect(answerClass([], [lacking, waits], 'exhausted')).toBe('untranslated');
    const told = answerExhausted({
      attempts: [],
      candidates: [waits],
      missing: ['translation (too many wait)'],
      asked: { model: 'main', protocol: 'openai-chat' },
      why: 'exhausted',
      limit: null,
      maxRetryAfterMs: 60_000,
      now: 0,
      jitter: 0,
    });
    expect(told).toMatchObject({
      code: 'gateway_overloaded',
      component: 'gateway',
      reason: 'untranslated',
      retryAfterMs: 1000,
      shouldRetry: null,
      message: 'The gateway itself lacks translation (too many wait). Try again in 1 s.',
    });
    const busy = { ...waits, lacks: [] };
    expect(answerClass([], [busy], 'exhausted')).toBe('busy');
  });

  it('is told at once, and that a repeat is of no use; with other lacks a client may leave something out', () => {
    const answer = (seen: readonly Candidate[]) =>
      answerExhausted({
        attempts: [],
        candidates: seen,
        missing: ['images'],
        asked: { model: 'main', protocol: 'openai-responses' },
        why: 'exhausted',
        limit: null,
        maxRetryAfterMs: 0,
        now: 0,
        jitter: 0,
      });
    const told = answer([candidate('openai-chat', 'protocol')]);
    expect(told).toMatchObject({
      code: 'unsupported_capability',
      status: 400,
      component: 'target',
      reason: 'skipped_capability',
      shouldRetry: false,
    });
    expect(told.message).toContain('The client speaks OpenAI Responses');
    expect(answer([candidate('openai-responses', 'images')])).toMatchObject({
      shouldRetry: null,
      message: expect.stringContaining('images'),
    });
  });
});
