import type { Protocol } from '../core/model/protocol.ts';
import { chatVoice } from './demo/chat-voice.ts';
import { geminiVoice } from './demo/gemini-voice.ts';
import { messagesVoice } from './demo/messages-voice.ts';
import { responsesVoice } from './demo/responses-voice.ts';
import { type DemoRequest, type DemoStep, splitWords, type Trouble, type Voice } from './demo/voice.ts';

export type { DemoRequest, DemoStep } from './demo/voice.ts';

/**
 * What the built-in demo provider does, as data: the model's name says how it behaves, the protocol in which words. It
 * speaks each protocol as far as a client needs it, and looks at nothing of a request but model, stream and usage.
 */
const VOICES: { readonly [P in Protocol]?: Voice } = {
  'openai-chat': chatVoice,
  'openai-responses': responsesVoice,
  'anthropic-messages': messagesVoice,
  gemini: geminiVoice,
};

export const DEMO_TEXT =
  'An understudy learns every line and hopes never to be needed. Then, one evening, the lead loses her voice between two ' +
  'sentences. The curtain stays up, the light does not change, and a voice from the wings takes the next word. ' +
  'Nobody in the stalls looks up. That is the whole art: not to be brilliant, but to be ready, to know where the scene ' +
  'stands, and to say nothing twice. In the bar they praise the play.';

const WORD_MS = 35;
const FIRST_WORD_MS = 120;
const SLOW_MS = 4000;
const SLOW_PING_MS = 1000;
const CUT_AFTER_WORDS = 20;
const RETRY_AFTER_SECONDS = '20';

const SSE = { 'content-type': 'text/event-stream; charset=utf-8', 'cache-control': 'no-cache' };
const JSON_TYPE = { 'content-type': 'application/json; charset=utf-8' };

const wait = (ms: number): DemoStep => ({ kind: 'wait', ms });
const text = (content: string): DemoStep => ({ kind: 'text', text: content });
const END: DemoStep = { kind: 'end' };
const CUT: DemoStep = { kind: 'cut' };
const HANG: DemoStep = { kind: 'hang' };
const SSE_HEAD: DemoStep = { kind: 'head', status: 200, headers: SSE };
const JSON_HEAD: DemoStep = { kind: 'head', status: 200, headers: JSON_TYPE };

const voiceOf = ({ protocol = 'openai-chat' }: DemoRequest): Voice => VOICES[protocol] ?? chatVoice;

const opening = (r: DemoRequest): readonly DemoStep[] => voiceOf(r).opening(r).map(text);

const speak = (r: DemoRequest, said: readonly string[]): readonly DemoStep[] => [
  wait(FIRST_WORD_MS),
  ...voiceOf(r).begin().map(text),
  ...said.flatMap((word, index) => [text(voiceOf(r).word(r, word, index)), wait(WORD_MS)]),
];

const closing = (r: DemoRequest, said: readonly string[]): readonly DemoStep[] => [
  ...voiceOf(r).closing(r, said).map(text),
  END,
];

const json = (status: number, value: unknown, headers: Readonly<Record<string, string>> = {}): readonly DemoStep[] => [
  { kind: 'head', status, headers: { ...JSON_TYPE, ...headers } },
  text(JSON.stringify(value)),
  END,
];

const fail = (
  r: DemoRequest,
  status: number,
  [trouble, message]: readonly [Trouble, string],
  headers: Readonly<Record<string, string>> = {},
): readonly DemoStep[] => json(status, voiceOf(r).error(trouble, message), headers);

const completion = (r: DemoRequest, content: string): unknown => voiceOf(r).completion(r, content);

type Script = {
  readonly stream: (r: DemoRequest) => readonly DemoStep[];
  readonly json: (r: DemoRequest) => readonly DemoStep[];
};

const same = (script: Script['json']): Script => ({ stream: script, json: script });

const ALL_WORDS = splitWords(DEMO_TEXT);

const whole: Script = {
  stream: (r) => [SSE_HEAD, ...opening(r), ...speak(r, ALL_WORDS), ...closing(r, ALL_WORDS)],
  json: (r) => json(200, completion(r, DEMO_TEXT)),
};

const half = (content: string): string => content.slice(0, Math.floor(content.length / 2));

/** A frame whose data breaks off in the middle. */
function damage(frame: string): string {
  const start = frame.indexOf('data: ') + 'data: '.length;
  return `${frame.slice(0, start)}${half(frame.slice(start).trimEnd())}\n\n`;
}

const cutJson = (r: DemoRequest): readonly DemoStep[] => [
  JSON_HEAD,
  text(half(JSON.stringify(completion(r, DEMO_TEXT)))),
  wait(WORD_MS),
  CUT,
];

const BROKEN = ['broken', 'It broke behind its 200.'] as const;

/** One row per model of the demo provider. */
const DEMO_SCRIPTS = {
  ok: whole,
  'error-503': same((r) => fail(r, 503, ['overloaded', 'The demo provider is overloaded. This is on purpose.'])),
  'rate-limited': same((r) =>
    fail(r, 429, ['rate_limited', 'The demo provider limits you. This is on purpose.'], {
      'retry-after': RETRY_AFTER_SECONDS,
    }),
  ),
  'error-after-200': {
    stream: (r) => [SSE_HEAD, ...opening(r), wait(FIRST_WORD_MS), text(voiceOf(r).streamError(...BROKEN)), END],
    json: (r) => fail(r, 200, BROKEN),
  },
  'cut-after-20-words': {
    stream: (r) => [SSE_HEAD, ...opening(r), ...speak(r, ALL_WORDS.slice(0, CUT_AFTER_WORDS)), CUT],
    json: cutJson,
  },
  stall: {
    stream: (r) => [SSE_HEAD, ...opening(r), HANG],
    json: () => [JSON_HEAD, HANG],
  },
  silent: same(() => [HANG]),
  'slow-first-token': {
    stream: (r) => [
      SSE_HEAD,
      ...Array.from({ length: SLOW_MS / SLOW_PING_MS }).flatMap(() => [
        text(': thinking it over\n\n'),
        wait(SLOW_PING_MS),
      ]),
      ...whole.stream(r).slice(1),
    ],
    json: (r) => [wait(SLOW_MS), ...whole.json(r)],
  },
  empty: {
    stream: (r) => [SSE_HEAD, ...opening(r), wait(FIRST_WORD_MS), ...closing(r, [])],
    json: (r) => json(200, completion(r, '')),
  },
  'retired-410': same((r) => fail(r, 410, ['retired', 'This model has reached its end of life.'])),
  'html-200': same(() => [
    { kind: 'head', status: 200, headers: { 'content-type': 'text/html; charset=utf-8' } },
    text('<!doctype html><title>Sign in</title><p>A proxy wants you to sign in.</p>'),
    END,
  ]),
  'damaged-frame': {
    stream: (r) => [
      SSE_HEAD,
      ...opening(r),
      wait(FIRST_WORD_MS),
      ...voiceOf(r).begin().map(text),
      text(damage(voiceOf(r).word(r, 'Half of a', 0))),
      ...closing(r, ['Half of a']),
    ],
    json: (r) => [JSON_HEAD, text(half(JSON.stringify(completion(r, 'x')))), END],
  },
} as const satisfies Readonly<Record<string, Script>>;

export type DemoModel = keyof typeof DEMO_SCRIPTS;

export const DEMO_MODELS = Object.keys(DEMO_SCRIPTS) as readonly DemoModel[];

/** What the demo provider does with a request: a model that it does not know is told so as a provider would. */
export function demoScript(request: DemoRequest): readonly DemoStep[] {
  const script: Script | undefined = Object.hasOwn(DEMO_SCRIPTS, request.model)
    ? DEMO_SCRIPTS[request.model as DemoModel]
    : undefined;
  if (script === undefined) return fail(request, 404, ['unknown_model', 'The demo provider has no such model.']);
  return request.stream ? script.stream(request) : script.json(request);
}
