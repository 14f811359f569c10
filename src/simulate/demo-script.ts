/**
 * What the built-in demo provider does, as data: the model's name says how it behaves. It speaks OpenAI Chat Completions
 * as far as a client needs it, and looks at nothing of a request but model, stream and usage.
 */
export type DemoStep =
  | { readonly kind: 'wait'; readonly ms: number }
  | { readonly kind: 'head'; readonly status: number; readonly headers: Readonly<Record<string, string>> }
  | { readonly kind: 'text'; readonly text: string }
  | { readonly kind: 'end' }
  /** The connection is cut in the middle of the body. */
  | { readonly kind: 'cut' }
  /** Nothing more, ever: whoever asked has to give up. */
  | { readonly kind: 'hang' };

export type DemoRequest = { readonly model: string; readonly stream: boolean; readonly wantsUsage: boolean };

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
const PROMPT_TOKENS = 12;

const SSE = { 'content-type': 'text/event-stream; charset=utf-8', 'cache-control': 'no-cache' };
const JSON_TYPE = { 'content-type': 'application/json; charset=utf-8' };

const words = (text: string): readonly string[] => text.match(/\S+\s*/g) ?? [];
const wait = (ms: number): DemoStep => ({ kind: 'wait', ms });
const frame = (value: unknown): DemoStep => ({ kind: 'text', text: `data: ${JSON.stringify(value)}\n\n` });
const END: DemoStep = { kind: 'end' };
const CUT: DemoStep = { kind: 'cut' };
const HANG: DemoStep = { kind: 'hang' };
const SSE_HEAD: DemoStep = { kind: 'head', status: 200, headers: SSE };

const chunk = (model: string, delta: object, finish: string | null = null): unknown => ({
  id: 'chatcmpl-demo',
  object: 'chat.completion.chunk',
  created: 0,
  model,
  choices: [{ index: 0, delta, finish_reason: finish }],
});

const usage = (completionTokens: number): object => ({
  prompt_tokens: PROMPT_TOKENS,
  completion_tokens: completionTokens,
  total_tokens: PROMPT_TOKENS + completionTokens,
});

const opening = ({ model }: DemoRequest): DemoStep => frame(chunk(model, { role: 'assistant', content: '' }));

const speak = ({ model }: DemoRequest, text: readonly string[]): readonly DemoStep[] => [
  wait(FIRST_WORD_MS),
  ...text.flatMap((word) => [frame(chunk(model, { content: word })), wait(WORD_MS)]),
];

const closing = (request: DemoRequest, tokens: number): readonly DemoStep[] => [
  frame(chunk(request.model, {}, 'stop')),
  ...(request.wantsUsage
    ? [frame({ ...(chunk(request.model, {}) as object), choices: [], usage: usage(tokens) })]
    : []),
  { kind: 'text', text: 'data: [DONE]\n\n' },
  END,
];

const json = (status: number, value: unknown, headers: Readonly<Record<string, string>> = {}): readonly DemoStep[] => [
  { kind: 'head', status, headers: { ...JSON_TYPE, ...headers } },
  { kind: 'text', text: JSON.stringify(value) },
  END,
];

const completion = ({ model }: DemoRequest, content: string): unknown => ({
  id: 'chatcmpl-demo',
  object: 'chat.completion',
  created: 0,
  model,
  choices: [{ index: 0, message: { role: 'assistant', content }, finish_reason: 'stop' }],
  usage: usage(words(content).length),
});

const error = (message: string, type: string, code: string | null): unknown => ({
  error: { message, type, param: null, code },
});

type Script = {
  readonly stream: (r: DemoRequest) => readonly DemoStep[];
  readonly json: (r: DemoRequest) => readonly DemoStep[];
};

const same = (script: Script['json']): Script => ({ stream: script, json: script });

const whole: Script = {
  stream: (r) => [SSE_HEAD, opening(r), ...speak(r, words(DEMO_TEXT)), ...closing(r, words(DEMO_TEXT).length)],
  json: (r) => json(200, completion(r, DEMO_TEXT)),
};

const half = (text: string): string => text.slice(0, Math.floor(text.length / 2));

const cutJson = (r: DemoRequest): readonly DemoStep[] => [
  { kind: 'head', status: 200, headers: JSON_TYPE },
  { kind: 'text', text: half(JSON.stringify(completion(r, DEMO_TEXT))) },
  wait(WORD_MS),
  CUT,
];

/** One row per model of the demo provider. */
export const DEMO_SCRIPTS = {
  ok: whole,
  'error-503': same(() =>
    json(503, error('The demo provider is overloaded. This is on purpose.', 'server_error', null)),
  ),
  'rate-limited': same(() =>
    json(429, error('The demo provider limits you. This is on purpose.', 'rate_limit_error', 'rate_limit_exceeded'), {
      'retry-after': RETRY_AFTER_SECONDS,
    }),
  ),
  'error-after-200': {
    stream: (r) => [
      SSE_HEAD,
      opening(r),
      wait(FIRST_WORD_MS),
      frame(error('It broke behind its 200.', 'server_error', null)),
      END,
    ],
    json: () => json(200, error('It broke behind its 200.', 'server_error', null)),
  },
  'cut-after-20-words': {
    stream: (r) => [SSE_HEAD, opening(r), ...speak(r, words(DEMO_TEXT).slice(0, CUT_AFTER_WORDS)), CUT],
    json: cutJson,
  },
  stall: {
    stream: (r) => [SSE_HEAD, opening(r), HANG],
    json: () => [{ kind: 'head', status: 200, headers: JSON_TYPE }, HANG],
  },
  silent: same(() => [HANG]),
  'slow-first-token': {
    stream: (r) => [
      SSE_HEAD,
      ...Array.from({ length: SLOW_MS / SLOW_PING_MS }).flatMap(() => [
        { kind: 'text', text: ': thinking it over\n\n' } as const,
        wait(SLOW_PING_MS),
      ]),
      ...whole.stream(r).slice(1),
    ],
    json: (r) => [wait(SLOW_MS), ...whole.json(r)],
  },
  empty: {
    stream: (r) => [SSE_HEAD, opening(r), wait(FIRST_WORD_MS), ...closing(r, 0)],
    json: (r) => json(200, completion(r, '')),
  },
  'retired-410': same(() =>
    json(410, error('This model has reached its end of life.', 'invalid_request_error', 'model_retired')),
  ),
  'html-200': same(() => [
    { kind: 'head', status: 200, headers: { 'content-type': 'text/html; charset=utf-8' } },
    { kind: 'text', text: '<!doctype html><title>Sign in</title><p>A proxy wants you to sign in.</p>' },
    END,
  ]),
  'damaged-frame': {
    stream: (r) => [
      SSE_HEAD,
      opening(r),
      wait(FIRST_WORD_MS),
      { kind: 'text', text: `data: ${half(JSON.stringify(chunk(r.model, { content: 'Half of a' })))}\n\n` },
      ...closing(r, 1),
    ],
    json: (r) => [
      { kind: 'head', status: 200, headers: JSON_TYPE },
      { kind: 'text', text: half(JSON.stringify(completion(r, 'x'))) },
      END,
    ],
  },
} as const satisfies Readonly<Record<string, Script>>;

export type DemoModel = keyof typeof DEMO_SCRIPTS;

export const DEMO_MODELS = Object.keys(DEMO_SCRIPTS) as readonly DemoModel[];

/** What the demo provider does with a request: a model that it does not know is told so as a provider would. */
export function demoScript(request: DemoRequest): readonly DemoStep[] {
  const script: Script | undefined = Object.hasOwn(DEMO_SCRIPTS, request.model)
    ? DEMO_SCRIPTS[request.model as DemoModel]
    : undefined;
  if (script === undefined)
    return json(404, error('The demo provider has no such model.', 'invalid_request_error', 'model_not_found'));
  return request.stream ? script.stream(request) : script.json(request);
}
