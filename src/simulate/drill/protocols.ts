import type { Protocol } from '../../core/model/protocol.ts';

/** What of an answer a client understands. */
export type ReadAnswer = {
  readonly text: string;
  /** It says that it is whole. */
  readonly isEnded: boolean;
  /** Code or type of the error that it tells of. */
  readonly error: string | null;
};

/** A client of one protocol, as small as a client can be; it shares no code with the gateway's own reading. */
export type DrillProtocol = {
  readonly protocol: Protocol;
  /** For people; where `pathTo` is there it is that of one kind of request. */
  readonly path: string;
  /** Where model and form stand in the path. */
  pathTo?(model: string, stream: boolean): string;
  /** What stands behind the origin of a provider's base URL. */
  readonly basePath: string;
  readonly headers: Readonly<Record<string, string>>;
  body(model: string, stream: boolean): object;
  readStream(events: readonly StreamEvent[]): ReadAnswer;
  readJson(value: unknown): ReadAnswer;
};

export type StreamEvent = { readonly name: string | null; readonly data: string };

const PROMPT = 'Who are you?';
const MAX_TOKENS = 1024;

/** Whatever JSON may be, as a client walks through it. */
type Loose = { readonly [member: string]: Loose | undefined } | undefined;

const word = (value: unknown): string | null => (typeof value === 'string' && value !== '' ? value : null);
const items = (value: unknown): readonly Loose[] => (Array.isArray(value) ? (value as readonly Loose[]) : []);
const texts = (values: readonly unknown[]): string => values.map((value) => word(value) ?? '').join('');

const errorOf = (body: Loose): string | null => {
  const error = body?.['error'];
  if (error === undefined || error === null) return null;
  return word(error['code']) ?? word(error['type']) ?? 'an error without a name';
};

/** Gemini's code is a number; the finer word stands in the details. */
const statusOf = (body: Loose): string | null => {
  const [reason] = items(body?.['error']?.['details']).map((detail) => word(detail?.['reason']));
  return reason ?? word(body?.['error']?.['status']) ?? errorOf(body);
};

function parse(text: string): Loose {
  try {
    return JSON.parse(text) as Loose;
  } catch {
    return undefined;
  }
}

const firstOf = (codes: readonly (string | null)[]): string | null => codes.find((code) => code !== null) ?? null;

const chat: DrillProtocol = {
  protocol: 'openai-chat',
  path: '/v1/chat/completions',
  basePath: '/v1',
  headers: {},
  body: (model, stream) => ({ model, stream, messages: [{ role: 'user', content: PROMPT }] }),
  readStream(events) {
    const parsed = events.map(({ data }) => parse(data));
    const choices = parsed.flatMap((chunk) => items(chunk?.['choices']));
    return {
      text: texts(choices.map((choice) => choice?.['delta']?.['content'])),
      isEnded: events.at(-1)?.data === '[DONE]' && choices.some((choice) => word(choice?.['finish_reason']) !== null),
      error: firstOf(parsed.map(errorOf)),
    };
  },
  readJson(value) {
    const body = value as Loose;
    const [choice] = items(body?.['choices']);
    return {
      text: word(choice?.['message']?.['content']) ?? '',
      isEnded: word(choice?.['finish_reason']) !== null,
      error: errorOf(body),
    };
  },
};

const outputText = (response: Loose): string =>
  texts(
    items(response?.['output'])
      .flatMap((item) => items(item?.['content']))
      .map((part) => part?.['text']),
  );

const typeOf = (event: Loose): unknown => event?.['type'];

const responses: DrillProtocol = {
  protocol: 'openai-responses',
  path: '/v1/responses',
  basePath: '/v1',
  headers: {},
  body: (model, stream) => ({ model, stream, input: PROMPT }),
  readStream(events) {
    const parsed = events.map(({ data }) => parse(data));
    const failed = parsed.find((event) => ['response.failed', 'error'].includes(String(typeOf(event))));
    return {
      text: texts(
        parsed.filter((event) => typeOf(event) === 'response.output_text.delta').map((event) => event?.['delta']),
      ),
      isEnded: parsed.some((event) => typeOf(event) === 'response.completed'),
      error: failed === undefined ? null : (errorOf(failed['response']) ?? word(failed['code']) ?? 'response.failed'),
    };
  },
  readJson(value) {
    const body = value as Loose;
    const isEnded = (body?.['status'] as unknown) === 'completed';
    return { text: outputText(body), isEnded, error: errorOf(body) };
  },
};

const messages: DrillProtocol = {
  protocol: 'anthropic-messages',
  path: '/v1/messages',
  basePath: '',
  headers: { 'anthropic-version': '2023-06-01' },
  body: (model, stream) => ({
    model,
    stream,
    max_tokens: MAX_TOKENS,
    messages: [{ role: 'user', content: PROMPT }],
  }),
  readStream(events) {
    const parsed = events.map(({ data }) => parse(data));
    return {
      text: texts(
        parsed.filter((event) => typeOf(event) === 'content_block_delta').map((event) => event?.['delta']?.['text']),
      ),
      isEnded: parsed.some((event) => typeOf(event) === 'message_stop'),
      error: firstOf(parsed.map(errorOf)),
    };
  },
  readJson(value) {
    const body = value as Loose;
    return {
      text: texts(items(body?.['content']).map((block) => block?.['text'])),
      isEnded: word(body?.['stop_reason']) !== null,
      error: errorOf(body),
    };
  },
};

const partText = (candidate: Loose): readonly unknown[] =>
  items(candidate?.['content']?.['parts']).map((part) => part?.['text']);

const gemini: DrillProtocol = {
  protocol: 'gemini',
  path: '/v1beta/models/{model}:generateContent',
  pathTo: (model, stream) => `/v1beta/models/${model}:${stream ? 'streamGenerateContent?alt=sse' : 'generateContent'}`,
  basePath: '/v1beta',
  headers: {},
  body: () => ({ contents: [{ role: 'user', parts: [{ text: PROMPT }] }] }),
  readStream(events) {
    const parsed = events.map(({ data }) => parse(data));
    const candidates = parsed.flatMap((chunk) => items(chunk?.['candidates']));
    return {
      text: texts(candidates.flatMap(partText)),
      isEnded: candidates.some((candidate) => word(candidate?.['finishReason']) !== null),
      error: firstOf(parsed.map(statusOf)),
    };
  },
  readJson(value) {
    const body = value as Loose;
    const [candidate] = items(body?.['candidates']);
    return {
      text: texts(partText(candidate)),
      isEnded: word(candidate?.['finishReason']) !== null,
      error: statusOf(body),
    };
  },
};

/** Where a request of a protocol goes. */
export const pathTo = (protocol: DrillProtocol, model: string, stream: boolean): string =>
  protocol.pathTo?.(model, stream) ?? protocol.path;

/** One row per protocol that the drill can play; those that the gateway speaks are played. */
export const DRILL_PROTOCOLS: readonly DrillProtocol[] = [chat, responses, messages, gemini];
