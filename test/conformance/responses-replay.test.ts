import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { clientError } from '../../src/core/failure/answer.ts';
import { classify } from '../../src/core/failure/classify.ts';
import type { Failure } from '../../src/core/failure/failure.ts';
import type { Outcome } from '../../src/core/failure/outcome.ts';
import type { FailureSignal } from '../../src/core/failure/signal.ts';
import { completeOutcome, type StreamCause } from '../../src/core/stream/machine.ts';
import { StreamPump } from '../../src/engine/pump-stream.ts';
import { concatBytes, decodeUtf8, encodeUtf8, indexJson, memberAt } from '../../src/protocol/json/index.ts';
import { openaiResponses } from '../../src/protocol/openai-responses/index.ts';
import { bytesOf } from '../../src/protocol/shared/nodes.ts';
import { signal } from '../kit/failure-signals.ts';
import { OPTIONS } from '../kit/responses-stream.ts';
import { SETTINGS } from '../kit/samples.ts';

// The judge's cases of Responses clients and Responses providers, through codec, machine and failure table: attempt by
// attempt, without sockets, clocks or health.

type Chunk = { readonly text: string; readonly delay_ms?: number };
type Upstream = {
  readonly target: string;
  readonly status: number;
  readonly headers: Record<string, string>;
  readonly body_chunks: readonly Chunk[];
  readonly end: 'normal' | 'close' | 'reset' | 'hang';
};
type Attempt = { readonly target: string; readonly outcome: string };
type Case = {
  readonly title: string;
  readonly config: { readonly targets: readonly { readonly id: string }[]; readonly settings?: object };
  readonly request: { readonly headers?: Record<string, string> };
  /** As it is written in the file: numbers keep their text. */
  readonly body: Uint8Array;
  readonly upstream: readonly Upstream[];
  readonly after?: readonly { readonly upstream?: readonly Upstream[]; readonly expect?: Case['expect'] }[];
  readonly expect: {
    readonly client_must_contain?: readonly string[];
    readonly client_must_not_contain?: readonly string[];
    readonly attempts?: readonly Attempt[];
    readonly attempts_any?: readonly (readonly Attempt[])[];
    readonly count?: Record<string, number>;
    readonly upstream_must_not_receive?: Record<string, readonly string[]>;
    readonly upstream_must_receive?: Record<string, readonly string[]>;
  };
};

function loadCase(id: string): Case {
  const text = readFileSync(join(import.meta.dirname, `judge/open/${id}.json`), 'utf8');
  const bytes = encodeUtf8(text.replaceAll('{{encrypted_content}}', 'ENC-A'));
  const index = indexJson(bytes, 2);
  if (index === null) throw new Error(`${id} is no JSON`);
  return { ...(JSON.parse(text) as Case), body: bytesOf(index, memberAt(index, 0, 'request', 'body')) };
}

const CASES: Readonly<Record<string, Case>> = Object.fromEntries(
  ['can-22', 'inc-01', 'ka-03', 'man-01', 'mid-06', 'pre-03', 'pre-10', 'pre-16', 'pre-35', 'ra-04']
    .concat(['rq-03', 'rsp-03', 'rsp-08', 'sft-01', 'sig-03', 'sig-05', 'tool-21', 'tool-23'])
    .flatMap((id) => withSteps(id, loadCase(id))),
);

/** A case, and each of its later steps that has a script of its own. */
function withSteps(id: string, scene: Case): [string, Case][] {
  const steps = (scene.after ?? []).flatMap((step) =>
    step.upstream === undefined ? [] : [{ ...scene, upstream: step.upstream, expect: step.expect ?? {} }],
  );
  return [[id, scene], ...steps.map((step, i): [string, Case] => [`${id}, step ${i + 1}`, step])];
}

const POLICY = { ...SETTINGS, acceptEmpty: false };

type Played = {
  readonly outcome: Outcome;
  readonly failure: Failure | null;
  readonly text: string;
  sequence: number | null;
  answerId: string | null;
};

type Cut = (chunks: readonly Chunk[]) => readonly Uint8Array[];

const CUTS: Readonly<Record<string, Cut>> = {
  'as the provider writes them': (chunks) => chunks.map(({ text }) => encodeUtf8(text)),
  'byte by byte': (chunks) => chunks.flatMap(({ text }) => [...encodeUtf8(text)].map((byte) => Uint8Array.of(byte))),
  'as much as one read may bring': (chunks) => {
    const reads: string[] = [];
    for (const { text, delay_ms } of chunks) {
      if (delay_ms === undefined && reads.length > 0) reads.push(`${reads.pop() ?? ''}${text}`);
      else reads.push(text);
    }
    return reads.map(encodeUtf8);
  },
};

function signalOf(upstream: Upstream, cause: FailureSignal['cause'], rest: Partial<FailureSignal>): FailureSignal {
  const { target: provider, status, headers } = upstream;
  return signal({ cause, provider, protocol: 'openai-responses', status, headers, at: 0, ...rest });
}

function play(upstream: Upstream, settings: object, cut: Cut): Played {
  const bytes = cut(upstream.body_chunks);
  if (upstream.status !== 200) {
    const error = openaiResponses.decodeError(upstream.status, upstream.headers, concatBytes(bytes));
    const failure = classify(signalOf(upstream, { kind: 'status' }, { error, body: 'json' }));
    return { outcome: failure.outcome, failure, text: '', sequence: null, answerId: null };
  }
  let text = '';
  let sequence: number | null = null;
  const decoder = openaiResponses.createStreamDecoder(OPTIONS);
  const pump = new StreamPump(
    decoder,
    { ...POLICY, ...settings },
    {
      onCommit: () => {},
      onWrite(frames) {
        for (const frame of frames) {
          text += decodeUtf8(frame.bytes);
          sequence = frame.sequence ?? sequence;
        }
      },
    },
  );
  let end = null;
  for (const chunk of bytes) end ??= pump.push(chunk);
  end ??= pump.end(upstream.end === 'normal');
  const answerId = decoder.answerId?.() ?? null;
  const { state } = pump;
  if (end.type === 'complete') return { outcome: completeOutcome(state), failure: null, text, sequence, answerId };
  const { anyEvent, anyItem } = state;
  const error = end.cause.kind === 'error_event' ? end.cause.error : null;
  const committed = end.type === 'interrupted';
  const failure = classify(signalOf(upstream, causeOf(end.cause), { error, anyEvent, anyItem, committed }));
  return { outcome: committed ? 'interrupted' : failure.outcome, failure, text, sequence, answerId };
}

function causeOf(cause: StreamCause): FailureSignal['cause'] {
  if (cause.kind === 'outside') return { kind: 'transport', error: 'reset', detail: '' };
  return cause.kind === 'error_event' ? { kind: 'error_event' } : cause;
}

type Seen = {
  readonly attempts: Attempt[];
  readonly client: string;
  readonly sent: readonly (readonly [string, string])[];
};

type Turn = { readonly id: string; readonly withoutState: boolean };

/** What follows a failed attempt: the same target without its state, or whoever is next; null: nobody. */
function nextTurn(
  rest: readonly Turn[],
  last: Turn,
  { failure, outcome }: Played,
  mayRepeat: boolean,
): readonly Turn[] {
  if (failure === null || outcome === 'interrupted' || failure.onward === 'stop') return [];
  const isRepeat = failure.onward === 'same_without_state' && !last.withoutState && mayRepeat;
  return isRepeat ? [{ id: last.id, withoutState: true }, ...rest] : rest;
}

function replay(scene: Case, cut: Cut): Seen {
  const decoded = openaiResponses.decodeRequest(scene.body, scene.request.headers ?? {});
  if (!decoded.ok) throw new Error(decoded.problem.message);
  const { request } = decoded;
  const attempts: Attempt[] = [];
  const sent: [string, string][] = [];
  let turns: readonly Turn[] = scene.config.targets.map(({ id }) => ({ id, withoutState: false }));
  let client = '';
  for (let [turn, ...rest] = turns; turn !== undefined; [turn, ...rest] = turns) {
    const { id } = turn;
    // A sealed thought goes to nobody but its issuer.
    const withoutState = turn.withoutState || attempts.length > 0;
    const egress = { model: `m-${id}`, capabilities: {}, askUsage: true, withoutState, defaults: {} };
    sent.push([id, decodeUtf8(concatBytes(openaiResponses.encodeRequest(request, egress).body))]);
    const scripts = scene.upstream.filter((each) => each.target === id);
    const script = scripts[attempts.filter((each) => each.target === id).length] ?? scripts.at(-1);
    const played = play(script as Upstream, scene.config.settings ?? {}, cut);
    attempts.push({ target: id, outcome: played.outcome });
    turns = nextTurn(rest, turn, played, openaiResponses.readState?.(request).removable === true);
    client = played.text + (turns.length === 0 ? told(scene, played) : '');
  }
  return { attempts, client, sent };
}

/** The error that a failed request ends with. */
function told(scene: Case, { failure, outcome, sequence, answerId }: Played): string {
  if (failure === null) return '';
  const manner = scene.request.headers?.['originator'] === undefined ? null : 'codex';
  return tell(outcome, { requestId: 'req_1', sequence, answerId, manner });
}

function tell(outcome: Outcome, context: Parameters<typeof openaiResponses.encodeStreamError>[1]): string {
  const code =
    outcome === 'interrupted' ? 'stream_interrupted' : outcome === 'bad_request' ? 'not_found' : 'upstream_error';
  return decodeUtf8(openaiResponses.encodeStreamError(clientError(code), context));
}

/** What every stream of this protocol has to be. */
function checkStream(text: string): void {
  const types = [...text.matchAll(/^event: (.*)\ndata: (.*)$/gm)].map(([, name, data]) => {
    expect((JSON.parse(data as string) as { type: string }).type).toBe(name);
    return name as string;
  });
  const ends = types.filter((type) => /^response\.(completed|incomplete|failed)$/.test(type));
  expect(types).not.toContain('error');
  expect(['response.created', 'response.failed']).toContain(types[0]);
  expect(ends).toEqual([types.at(-1)]);
}

const isHead = (text: string): boolean => /^[\w-]+: /.test(text) && !text.startsWith('event: ');

describe.each(Object.keys(CUTS))('bytes cut %s', (name) => {
  it.each(Object.entries(CASES))('%s', (_id, scene) => {
    const { attempts, client, sent } = replay(scene, CUTS[name] as Cut);
    const rights = scene.expect.attempts === undefined ? (scene.expect.attempts_any ?? []) : [scene.expect.attempts];
    expect(rights.map((right) => right.map(({ target, outcome }) => ({ target, outcome })))).toContainEqual(attempts);
    checkStream(client);
    const must = (scene.expect.client_must_contain ?? []).filter((text) => !isHead(text) && text !== '"error"');
    for (const text of must) expect(client).toContain(text);
    for (const text of scene.expect.client_must_not_contain ?? []) expect(client).not.toContain(text);
    for (const [text, count] of Object.entries(scene.expect.count ?? {}))
      expect(client.split(text)).toHaveLength(count + 1);
    const received = (id: string): string =>
      sent
        .filter(([to]) => to === id)
        .map(([, body]) => body)
        .join('\n');
    for (const [id, texts] of Object.entries(scene.expect.upstream_must_receive ?? {})) {
      for (const text of texts) expect(received(id)).toContain(text);
    }
    for (const [id, texts] of Object.entries(scene.expect.upstream_must_not_receive ?? {})) {
      for (const text of texts) expect(received(id)).not.toContain(text);
    }
  });
});

describe('what is sent again', () => {
  it('has no sealed thought in it that was refused', () => {
    const { sent } = replay(CASES['sig-03'] as Case, CUTS['byte by byte'] as Cut);
    expect(sent.map(([id, body]) => [id, body.includes('ENC-A'), body.includes('"go"')])).toEqual([
      ['a', true, true],
      ['a', false, true],
    ]);
  });
});

describe('the last event', () => {
  const completed = (output: string): string =>
    `event: response.completed\ndata: {"type":"response.completed","response":{"status":"completed","output":${output}}}\n\n`;
  const text = '[{"type":"message","content":[{"type":"output_text","text":"x"}]}]';

  function push(stream: string, policy: object = {}): { type: string; text: string } {
    let seen = '';
    const decoder = openaiResponses.createStreamDecoder(OPTIONS);
    const sink = {
      onCommit: () => {},
      onWrite: (frames: readonly { bytes: Uint8Array }[]) => {
        for (const { bytes } of frames) seen += decodeUtf8(bytes);
      },
    };
    const pump = new StreamPump(decoder, { ...POLICY, ...policy }, sink);
    return { type: pump.push(encodeUtf8(stream))?.type ?? 'open', text: seen };
  }

  it('ends the attempt at once, before the body does', () => {
    expect(push(completed(text))).toEqual({ type: 'complete', text: completed(text) });
    expect(push(completed('[]'))).toEqual({ type: 'failed', text: '' });
    expect(push(completed('[]'), { acceptEmpty: true })).toEqual({ type: 'complete', text: completed('[]') });
  });

  it('releases the end of a tool call, also where every end is kept until then', () => {
    const call = '{"type":"function_call","call_id":"c","name":"pay","arguments":"{}"}';
    const done = `event: response.output_item.done\ndata: {"type":"response.output_item.done","item":${call}}\n\n`;
    const next = 'event: response.in_progress\ndata: {"type":"response.in_progress"}\n\n';
    expect(push(done)).toEqual({ type: 'open', text: '' });
    expect(push(done + next).text).toBe(done + next);
    expect(push(done + next, { holdToolEnd: 'all' }).text).toBe('');
    expect(push(done + next + completed(`[${call}]`), { holdToolEnd: 'all' }).text).toBe(
      done + next + completed(`[${call}]`),
    );
    expect(push(done, { holdToolEnd: false }).text).toBe(done);
  });
});
