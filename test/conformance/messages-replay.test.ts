import { describe, expect, it } from 'vitest';
import { classify } from '../../src/core/failure/classify.ts';
import type { FailureSignal } from '../../src/core/failure/signal.ts';
import type { Usage } from '../../src/core/model/usage.ts';
import { completeOutcome } from '../../src/core/stream/machine.ts';
import type { StreamPolicy } from '../../src/core/stream/phase.ts';
import { type PumpEnd, StreamPump } from '../../src/engine/pump-stream.ts';
import { anthropicMessages as codec } from '../../src/protocol/anthropic-messages/index.ts';
import { concatBytes, decodeUtf8, encodeUtf8 } from '../../src/protocol/json/index.ts';
import { signal } from '../kit/failure-signals.ts';
import { OPTIONS } from '../kit/messages-stream.ts';
import { SETTINGS } from '../kit/samples.ts';
import { type Case, loadCases } from './select.ts';

// What the judge's providers send, through decoder, machine and failure table, without a gateway around them.

type Upstream = {
  readonly target: string;
  readonly status: number;
  readonly headers?: Readonly<Record<string, string>>;
  readonly body_chunks?: readonly { readonly text: string }[];
  readonly end?: string;
};
type Attempt = { readonly target: string; readonly outcome: string };
type FullCase = Case & {
  readonly upstream: readonly Upstream[];
  readonly config: { readonly settings?: Partial<StreamPolicy> };
  readonly request: { readonly body?: unknown };
  readonly expect: {
    readonly attempts?: readonly Attempt[];
    readonly served_by?: string;
    readonly client_must_contain?: readonly string[];
    readonly client_must_not_contain?: readonly string[];
    readonly count?: Readonly<Record<string, number>>;
    readonly recorded?: { readonly usage?: unknown; readonly attempts?: readonly Readonly<Record<string, unknown>>[] };
  };
};

const speaks = ({ config, request }: Case): boolean =>
  (request.path ?? '').split('?')[0] === '/v1/messages' &&
  config.targets.some(({ protocol }) => protocol === 'anthropic-messages');

const CASES = (loadCases() as FullCase[]).filter(speaks);

const SPLITS: readonly (readonly [name: string, split: (chunks: readonly Uint8Array[]) => readonly Uint8Array[]])[] = [
  ['as sent', (chunks) => chunks],
  ['whole', (chunks) => [concatBytes(chunks)]],
  ['by byte', (chunks) => [...concatBytes(chunks)].map((c) => Uint8Array.of(c))],
];

type Seen = { readonly outcome: string; readonly delivered: string; readonly usage: Usage | null };

function signalOf(upstream: Upstream, cause: FailureSignal['cause'], rest: Partial<FailureSignal>): FailureSignal {
  const { target: provider, status, headers = {} } = upstream;
  return signal({ cause, provider, protocol: 'anthropic-messages', status, headers, at: 0, ...rest });
}

function refusal(upstream: Upstream): Seen {
  const body = encodeUtf8((upstream.body_chunks ?? []).map(({ text }) => text).join(''));
  const error = codec.decodeError(upstream.status, upstream.headers ?? {}, body);
  const { outcome } = classify(signalOf(upstream, { kind: 'status' }, { error, body: 'json' }), []);
  return { outcome, delivered: '', usage: null };
}

function stream(upstream: Upstream, chunks: readonly Uint8Array[], settings: Partial<StreamPolicy>): Seen {
  const decoder = codec.createStreamDecoder(OPTIONS);
  const out: Uint8Array[] = [];
  const policy: StreamPolicy = { ...SETTINGS, ...settings, acceptEmpty: false };
  const pump = new StreamPump(decoder, policy, {
    onCommit: () => {},
    onWrite: (frames) => out.push(...frames.map(({ bytes }) => bytes)),
  });
  let end: PumpEnd | null = null;
  for (const chunk of chunks) end ??= pump.push(chunk);
  end ??= pump.end(upstream.end === 'normal');
  return { outcome: outcomeOf(upstream, end, pump), delivered: decodeUtf8(concatBytes(out)), usage: decoder.usage() };
}

function outcomeOf(upstream: Upstream, end: PumpEnd, { state }: StreamPump): string {
  if (end.type === 'complete') return completeOutcome(state);
  if (end.type === 'interrupted') return 'interrupted';
  const { cause } = end;
  if (cause.kind === 'outside') return 'incomplete_stream';
  const error = cause.kind === 'error_event' ? cause.error : null;
  const told = cause.kind === 'error_event' ? ({ kind: 'error_event' } as const) : cause;
  return classify(signalOf(upstream, told, { error, anyEvent: state.anyEvent, anyItem: state.anyItem }), []).outcome;
}

function replay({ upstream, config, expect: { attempts = [] } }: FullCase, split: (typeof SPLITS)[number][1]): Seen[] {
  return attempts.flatMap(({ target }) => {
    const sent = upstream.find((each) => each.target === target);
    if (sent === undefined) return [];
    if (sent.status !== 200) return [refusal(sent)];
    const chunks = (sent.body_chunks ?? []).map(({ text }) => encodeUtf8(text));
    return [stream(sent, split(chunks), config.settings ?? {})];
  });
}

const bytesOf = (one: FullCase, target: string): string =>
  (one.upstream.find((each) => each.target === target)?.body_chunks ?? []).map(({ text }) => text).join('');

describe.each(CASES.map((one) => [one.id, one] as const))('%s', (_id, one) => {
  it.each(SPLITS)('ends each attempt as it must (%s)', (_name, split) => {
    const seen = replay(one, split);
    expect(seen.map(({ outcome }) => outcome)).toEqual(one.expect.attempts?.map(({ outcome }) => outcome));
  });

  it.each(SPLITS)('delivers a whole answer byte for byte, and of a failed attempt nothing (%s)', (_name, split) => {
    for (const [position, { outcome, delivered }] of replay(one, split).entries()) {
      if (outcome === 'interrupted') continue;
      const isWhole = outcome === 'ok' || outcome === 'refused';
      expect(delivered).toBe(isWhole ? bytesOf(one, one.expect.attempts?.[position]?.target ?? '') : '');
    }
  });

  it.each(SPLITS)('gives the client of an interrupted one what it had, and no end (%s)', (_name, split) => {
    const last = replay(one, split).at(-1);
    if (last?.outcome !== 'interrupted') return;
    const { client_must_contain: must = [], client_must_not_contain: mustNot = [], count = {} } = one.expect;
    // The error event itself is not the decoder's.
    for (const text of must.filter((each) => each !== 'event: error')) expect(last.delivered).toContain(text);
    for (const text of mustNot) expect(last.delivered).not.toContain(text);
    for (const [text, times] of Object.entries(count)) expect(last.delivered.split(text)).toHaveLength(times + 1);
  });

  it('counts what each attempt has used', () => {
    const seen = replay(one, (chunks) => chunks);
    const told =
      one.expect.recorded?.attempts ?? (one.expect.recorded?.usage === undefined ? [] : [one.expect.recorded.usage]);
    for (const [position, usage] of [told].flat().entries()) {
      const { target: _target, ...numbers } = usage as Record<string, unknown>;
      const { inputTokens, outputTokens, cachedTokens } = seen[position]?.usage ?? {};
      const known = { input_tokens: inputTokens, output_tokens: outputTokens, cached_tokens: cachedTokens };
      expect(known).toMatchObject(numbers);
    }
  });

  it('is asked in words that reach the provider unchanged', () => {
    const body = encodeUtf8(JSON.stringify(one.request.body));
    const decoded = codec.decodeRequest(body, {});
    if (!decoded.ok) throw new Error(decoded.problem.message);
    const egress = { model: 'm-a', capabilities: {}, askUsage: true, withoutState: false, defaults: {} };
    const sent = decodeUtf8(concatBytes(codec.encodeRequest(decoded.request, egress).body));
    expect(sent).toBe(decodeUtf8(body).replace('"v-main"', '"m-a"'));
  });
});

it('covers all cases of the protocol', () => {
  expect(CASES).toHaveLength(24);
});
