import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { factsOf, foldFacts, wholeRequest } from '../../../test/kit/facts.ts';
import { ATTRIBUTES, operationOf, providerName } from './conventions.ts';
import { draftSpans } from './draft-spans.ts';

const facts = factsOf('req_1');
const trace = { traceId: 'a'.repeat(32), spanId: 'b'.repeat(16), parentId: null, isSampled: true };
const span = 'c'.repeat(16);
const OPTIONS = { presetOf: (provider: string) => (provider === 'a' ? 'gemini' : null) };

type Ended = Parameters<typeof facts.ended>[0];
type AttemptEnded = Parameters<typeof facts.attemptEnded>[1];
type Attempt = Parameters<typeof facts.attempt>[1];

/** The spans of a request of one attempt. */
const spansOf = (ended: Ended, attemptEnded: AttemptEnded = {}, attempt: Attempt = {}) =>
  draftSpans(
    foldFacts([
      facts.started({ trace, stream: true }),
      facts.attempt(1, { span, ...attempt }),
      facts.head(),
      facts.attemptEnded(1, attemptEnded),
      facts.ended(ended),
    ]),
    OPTIONS,
  );

describe('draftSpans', () => {
  it.each([
    ['ok', 'ok', null, undefined, undefined],
    ['ok_truncated', 'ok_truncated', null, undefined, undefined],
    ['refused', 'refused', null, undefined, undefined],
    ['client_closed', 'client_closed', 'client', undefined, undefined],
    ['overloaded', 'overloaded', 'target', 'why it ended', 'why'],
    ['rate_limited', 'rate_limited', 'credential', 'why it ended', 'why'],
    ['timeout_total', 'timeout_total', 'deadline', 'why it ended', 'why'],
    ['interrupted', 'interrupted', 'gateway', 'why it ended', 'why'],
    // The provider said no, and meant the client.
    ['context_length', 'context_length', 'client', undefined, 'why'],
    ['ok', 'stale_socket', null, undefined, 'why'],
    ['ok', 'hedge_lost', null, undefined, undefined],
  ] as const)('%s with an attempt that is %s', (outcome, attempted, component, failure, attemptFailure) => {
    const [request, attempt] = spansOf(
      { outcome, component, reason: 'why it ended' },
      { outcome: attempted, reason: 'why' },
    );
    expect([request?.failure, attempt?.failure]).toEqual([failure, attemptFailure]);
    const isGood = (word: string) => /^(ok|ok_.*|refused)$/.test(word);
    expect(request?.attributes.errorType).toBe(isGood(outcome) ? null : outcome);
    expect(attempt?.attributes.errorType).toBe(isGood(attempted) ? null : attempted);
    expect(request?.attributes.rescued).toBe(outcome === 'ok' && attempted === 'stale_socket');
  });

  it('are of the record alone: times, places, words', () => {
    const [request, attempt] = spansOf({}, { answer: { finish: 'length', model: 'm-1' } }, { endpoint: '[::1]:8080' });
    expect(request).toMatchObject({ kind: 'served', traceId: trace.traceId, spanId: trace.spanId, parentId: null });
    expect([request?.startedAt, request?.endedAt]).toEqual([1_700_000_000_000, 1_700_000_000_100]);
    expect(attempt).toMatchObject({ kind: 'sent', traceId: trace.traceId, spanId: span, parentId: trace.spanId });
    expect([attempt?.startedAt, attempt?.endedAt]).toEqual([1_700_000_000_010, 1_700_000_000_016]);
    expect(attempt?.attributes).toMatchObject({
      provider: 'gcp.gemini',
      responseModel: 'm-1',
      finishReasons: ['length'],
      serverAddress: '::1',
      serverPort: 8080,
      firstChunk: null,
    });
  });

  it('a probe is its own, and has its kind', () => {
    const request = foldFacts(wholeRequest('p', undefined, { kind: 'probe', trace }));
    expect(draftSpans(request, OPTIONS)[0]).toMatchObject({ kind: 'own', attributes: { kind: 'probe' } });
  });

  it.each([
    ['nobody traces', wholeRequest('r')],
    ['it is not recorded', wholeRequest('r', undefined, { trace: { ...trace, isSampled: false } })],
    ['it is under way', [facts.started({ trace }), facts.attempt(1, { span })]],
  ])('are none where %s', (_name, all) => {
    expect(draftSpans(foldFacts(all), OPTIONS)).toEqual([]);
  });

  it('a model that nobody knows names no span', () => {
    const started = facts.started({ trace, model: 'mian', asked: 'mian' });
    const [only, ...more] = draftSpans(
      foldFacts([started, facts.ended({ outcome: 'rejected', rejected: true })]),
      OPTIONS,
    );
    expect([only?.name, only?.attributes.requestModel, more]).toEqual(['chat', 'mian', []]);
  });
});

describe('the names', () => {
  it('are those of the conventions', async () => {
    const known = new Set<unknown>(Object.values(await import('@opentelemetry/semantic-conventions/incubating')));
    const names = Object.values(ATTRIBUTES).flatMap(({ current, former }) => [current, former ?? current]);
    expect(names.filter((name) => !name.startsWith('understudy.') && !known.has(name))).toEqual([]);
    for (const preset of ['openai', 'openai-responses', 'anthropic', 'gemini', 'mistral', 'xai', 'deepseek', 'groq']) {
      expect(known.has(providerName('mine', preset)), preset).toBe(true);
    }
    for (const protocol of ['openai-chat', 'gemini'] as const) expect(known.has(operationOf(protocol))).toBe(true);
  });

  it('stand in the page, with what they were called before', () => {
    const page = readFileSync(new URL('../../../docs/telemetry.md', import.meta.url), 'utf8');
    const names = Object.values(ATTRIBUTES).flatMap(({ current, former }) => [current, former ?? current]);
    expect(names.filter((name) => !page.includes(`\`${name}\``))).toEqual([]);
  });

  it.each([
    ['openai-compatible', 'mine'],
    ['custom', 'mine'],
    [null, 'mine'],
    ['together', 'together'],
  ])('a provider of the preset %s is %s', (preset, name) => {
    expect(providerName('mine', preset)).toBe(name);
  });

  it.each([
    ['count', 'count_tokens'],
    ['compact', 'compact'],
    ['probe', 'chat'],
  ] as const)('a request of the kind %s asks for %s', (kind, operation) => {
    expect(operationOf('anthropic-messages', kind)).toBe(operation);
  });
});
