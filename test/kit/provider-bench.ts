import type { TransportError } from '../../src/core/failure/signal.ts';
import type { CanonicalEvent } from '../../src/core/model/event.ts';
import type { Protocol } from '../../src/core/model/protocol.ts';
import type { Usage } from '../../src/core/model/usage.ts';
import { isOutput } from '../../src/core/stream/commit-table.ts';
import { CODECS } from '../../src/protocol/index.ts';
import { concatBytes, decodeUtf8 } from '../../src/protocol/json/index.ts';
import type { ProtocolCodec } from '../../src/protocol/types.ts';
import { playOf, type SendView } from '../../src/simulate/provider/index.ts';
import type { Behaviour } from '../../src/simulate/scenario/scenario.ts';
import { createChance } from '../../src/simulate/world/chance.ts';
import { createNetwork, type Play } from '../../src/simulate/world/network.ts';
import { DECODER_OPTIONS } from './decoder-run.ts';
import { createVirtualClock } from './virtual-clock.ts';

// What a simulated provider does, delivered in virtual time and read by the product's codecs.

export const VOICED = [
  'openai-chat',
  'openai-responses',
  'anthropic-messages',
  'gemini',
] as const satisfies readonly Protocol[];

export const viewOf = (protocol: Protocol, stream: boolean, change: Partial<SendView> = {}): SendView => ({
  n: 7,
  protocol,
  path: protocol === 'gemini' ? `/v1beta/models/m-7:${stream ? 'streamGenerateContent' : 'generateContent'}` : '/v1',
  stream,
  body: '{"model":"m-7","stream_options":{"include_usage":true},"messages":[{"content":"hello there"}]}',
  secret: 'sk-of-the-gateway',
  clientKey: 'ck-sim-of-a-client',
  ...change,
});

export type Delivery = {
  readonly status: number | null;
  readonly headers: Readonly<Record<string, string>>;
  readonly bytes: readonly { readonly at: number; readonly bytes: Uint8Array }[];
  readonly text: string;
  /** Null: it never came. */
  readonly end: 'clean' | TransportError | null;
  readonly endAt: number | null;
};

const NEVER_MS = 24 * 3_600_000;

/** Everything that comes; the request is sent at 0. */
export function deliver(play: Play): Delivery {
  const clock = createVirtualClock(0);
  const bytes: { at: number; bytes: Uint8Array }[] = [];
  let status: number | null = null;
  let headers: Readonly<Record<string, string>> = {};
  let end: Delivery['end'] = null;
  let endAt: number | null = null;
  const over = (how: Delivery['end']): void => {
    end = how;
    endAt = clock.now();
  };
  createNetwork(clock, () => play).send(
    {
      origin: 'https://a.test:443',
      path: '/',
      method: 'POST',
      headers: {},
      body: [],
      connectTimeoutMs: 1000,
      freshSocket: false,
    },
    {
      onSent: () => {},
      onHead: (code, fields) => {
        status = code;
        headers = fields;
      },
      onData: (chunk) => void bytes.push({ at: clock.now(), bytes: chunk }),
      onEnd: () => over('clean'),
      onFailure: ({ error }) => over(error),
    },
  );
  clock.advance(NEVER_MS);
  return { status, headers, bytes, text: decodeUtf8(concatBytes(bytes.map((read) => read.bytes))), end, endAt };
}

export type Reading = {
  readonly delivery: Delivery;
  readonly events: readonly CanonicalEvent[];
  /** The answer as the product would give it in JSON. */
  json(): unknown;
  readonly usage: Usage | null;
  readonly firstOutputAt: number | null;
  /** When the answer was whole; null: it never was. */
  readonly wholeAt: number | null;
};

const codecOf = (protocol: Protocol): ProtocolCodec => {
  const codec = CODECS.get(protocol);
  if (codec === undefined) throw new Error(`no codec for ${protocol}`);
  return codec;
};

const FAILURES: ReadonlySet<string> = new Set(['error', 'malformed', 'cut']);
const isFailed = (event: CanonicalEvent): boolean =>
  FAILURES.has(event.type) ||
  (event.type === 'finish' && (event.reason === 'error' || event.reason === 'bad_generation'));

/** What is too large to be read may be anything to a gateway; a provider knows that it says nothing. */
const isSeen = (event: CanonicalEvent): boolean =>
  event.type !== 'unknown_content' && (isOutput(event) || event.type === 'reasoning');

/** It had said something, and how it ended; an end that completes a tool call counts only where the body ends well. */
const isEnded = (events: readonly CanonicalEvent[]): boolean =>
  events.some((event) => event.type === 'finish' && !isFailed(event)) &&
  events.some((event) => isSeen(event) || (event.type === 'finish' && event.reason !== 'stop')) &&
  !events.some((event) => event.type === 'tool_end' && event.terminal);

function readStream(protocol: Protocol, delivery: Delivery): Reading {
  const codec = codecOf(protocol);
  const decoder = codec.createStreamDecoder(DECODER_OPTIONS);
  const events: CanonicalEvent[] = [];
  const relayed: Uint8Array[] = [];
  let firstOutputAt: number | null = null;
  let wholeAt: number | null = null;
  let hasFailed = false;
  const take = (frames: ReturnType<typeof decoder.push>, at: number): void => {
    for (const frame of frames) {
      relayed.push(frame.bytes);
      for (const event of frame.events) {
        events.push(event);
        if (!hasFailed && isFailed(event) && isEnded(events)) wholeAt ??= at;
        hasFailed ||= isFailed(event);
        if (!hasFailed && isSeen(event)) firstOutputAt ??= at;
        if (!hasFailed && event.type === 'done') wholeAt ??= at;
      }
    }
  };
  for (const { at, bytes } of delivery.bytes) take(decoder.push(bytes), at);
  // However the body ends, an answer that has told its end has one.
  take(decoder.end(delivery.end === 'clean' || isEnded(events)), delivery.endAt ?? Number.NaN);
  return {
    delivery,
    events,
    json: () => JSON.parse(decodeUtf8(codec.responseFromStream(relayed))),
    usage: decoder.usage(),
    firstOutputAt,
    wholeAt,
  };
}

/** A JSON answer is whole with the end of its body. */
function readJson(protocol: Protocol, delivery: Delivery): Reading {
  const body = concatBytes(delivery.bytes.map((read) => read.bytes));
  const { events, usage, body: out } = codecOf(protocol).decodeResponse(body, DECODER_OPTIONS);
  const isWhole = delivery.end === 'clean' && events.some(({ type }) => type === 'finish') && !events.some(isFailed);
  const wholeAt = isWhole ? delivery.endAt : null;
  const hasOutput = events.some(isSeen);
  return {
    delivery,
    events,
    json: () => JSON.parse(decodeUtf8(out)),
    usage,
    firstOutputAt: hasOutput ? wholeAt : null,
    wholeAt,
  };
}

/** Plays a behaviour and reads what comes. */
export function readBehaviour(behaviour: Behaviour, send: SendView) {
  const { play, truth, toldMs } = playOf(behaviour, send, createChance(1));
  const delivery = deliver(play);
  const isStream = (delivery.headers['content-type'] ?? '').includes('event-stream');
  return { play, truth, toldMs, ...(isStream ? readStream : readJson)(send.protocol, delivery) };
}
