import type { ScriptedAnswer } from '../kit/fake-provider.ts';
import type { WireScript } from '../kit/wire-scripts.ts';
import type { Needle } from './find-planted.ts';

// What is planted, and where. In every template `@@` stands for what is planted.

export const OWN_KEY = 'Orchid-Lantern.quartz/Willow+Ember=Tundra';
export const CLIENT_KEY = 'Mahogany.Thistle~Copper-Meadow_Violin';
export const ADMIN_TOKEN = 'Sapphire.Walnut~Harbour-Pelican_Cello';
export const PROMPT = 'Forty violet herons recite marmalade sonnets beneath Lisbon bridges';

// Put together here, so that nobody who searches the repository for keys takes one for real.
const base64 = (value: object): string => Buffer.from(JSON.stringify(value)).toString('base64url');
const JWT = `${base64({ alg: 'HS256' })}.${base64({ sub: 'planted-user-77' })}.q7Xr2Lk9ZpW4mVt8nBsYcQ`;
const FOREIGN = ['sk', 'proj', 'Zx81kQ0vLmT5rB7nD2wY'].join('-');
const AWS = ['AKIA', 'Q3EXAMPLE7ZX5WVT'].join('');
const GITHUB = ['ghp', 'a8Kq2ZrT6vXw0LmNbY4cPd1eFgHj'].join('_');

/** One form in which a secret is written. `json`: inside a JSON string, where that is another text. */
export type Plant = {
  readonly name: string;
  readonly text: string;
  readonly json?: string;
  readonly needle: Needle;
};

const own: Needle = { name: 'own key', value: OWN_KEY };
const hexOf = (text: string): string[] => Buffer.from(text).toString('hex').match(/../g) ?? [];
const escapedWhole = hexOf(OWN_KEY)
  .map((hex) => `\\u00${hex}`)
  .join('');

const each = (write: (code: number, n: number) => string): string =>
  Array.from(OWN_KEY, (char, n) => write(char.charCodeAt(0), n)).join('');
const MIXED: readonly ((code: number) => string)[] = [
  (code) => `\\u{${code.toString(16)}}`,
  (code) => `%${code.toString(16)}`,
  (code) => String.fromCharCode(code),
  (code) => `&#${code};`,
  (code) => `\\x${code.toString(16)}`,
];

const ownForms: readonly (readonly [string, string, string?])[] = [
  ['plain', OWN_KEY],
  ['as a Bearer header', `Authorization: Bearer ${OWN_KEY}`],
  ['URL-encoded', `https://up.example/v1?key=${encodeURIComponent(OWN_KEY)}`],
  [
    'every character percent-encoded',
    hexOf(OWN_KEY)
      .map((hex) => `%${hex}`)
      .join(''),
  ],
  ['base64', Buffer.from(OWN_KEY).toString('base64')],
  ['base64 of user and key', `Basic ${Buffer.from(`me:${OWN_KEY}`).toString('base64')}`],
  ['hex', hexOf(OWN_KEY).join('')],
  ['first character escaped', OWN_KEY, OWN_KEY.replace('O', '\\u004f')],
  ['escaped twice', escapedWhole, escapedWhole.replaceAll('\\', '\\\\')],
  [
    'as HTML entities',
    OWN_KEY.split('')
      .map((c) => `&#${c.charCodeAt(0)};`)
      .join(''),
  ],
  ['escaped with braces', each((code) => `\\u{${code.toString(16)}}`)],
  ['in octal', each((code) => `\\${code.toString(8).padStart(3, '0')}`)],
  ['as padded entities, without a semicolon at the end', each((code) => `&#0000${code};`).slice(0, -1)],
  ['as entities in entities', each((code) => `&amp;#x${code.toString(16)};`)],
  ['percent-encoded twice', each((code) => `%25${code.toString(16)}`)],
  ['in five ways at once', each((code, n) => MIXED[n % MIXED.length]?.(code) ?? '')],
  ['base64 in lines', Buffer.from(OWN_KEY).toString('base64').replace(/.{16}/g, '$&\n')],
  ['as the numbers of its bytes', JSON.stringify(Buffer.from(OWN_KEY))],
  ['hex with colons', hexOf(OWN_KEY).join(':').toUpperCase()],
  ['lower case', OWN_KEY.toLowerCase()],
  ['cut short', `${OWN_KEY.slice(0, 23)}…`],
  ['its end', `…${OWN_KEY.slice(-17)}`],
  ['behind much space', `x${' '.repeat(3970)}${OWN_KEY}`],
  ['behind very much space', `x${' '.repeat(8160)}${OWN_KEY}`],
  ['with invisible characters', OWN_KEY.split('').join('\u200b')],
  ['with bidi marks', OWN_KEY.split('').join('\u061c')],
];

const foreign: readonly (readonly [string, string, string])[] = [
  ['foreign key', FOREIGN, FOREIGN],
  ['AWS key', AWS, AWS],
  ['GitHub token', GITHUB, GITHUB],
  ['JWT', JWT, JWT],
  ['foreign Bearer', 'Authorization: Bearer 7f3a9c1e-55d0-4b2a', '7f3a9c1e-55d0-4b2a'],
];

const known: readonly Needle[] = [
  { name: 'client key', value: CLIENT_KEY },
  { name: 'admin token', value: ADMIN_TOKEN },
  { name: 'prompt', value: PROMPT },
];

export const PLANTS: readonly Plant[] = [
  ...ownForms.map(([name, text, json]) => ({
    name: `own key, ${name}`,
    text,
    needle: own,
    ...(json === undefined ? {} : { json }),
  })),
  ...foreign.map(([name, text, value]) => ({ name, text, needle: { name, value } })),
  ...known.map((needle) => ({ name: needle.name, text: needle.value, needle })),
];

export const NEEDLES: readonly Needle[] = [...new Map(PLANTS.map(({ needle }) => [needle.name, needle])).values()];

/** When a provider fails: with another target behind it, with none, or behind output. */
export type Phase = 'before' | 'total' | 'after';

/** A place that a provider can write to. `at`: where the template stands. */
export type ProviderPlace = {
  readonly name: string;
  readonly at: 'head' | 'body' | 'event';
  readonly template: string;
  /** Behind output it is relayed as any other frame: the client has it from its provider. */
  readonly isRelayed?: true;
  readonly status?: number;
  readonly type?: string;
  /** Header names and status lines have one line of printable characters. */
  readonly isNarrow?: true;
};

const errorOf = (rest: string): string => `{"error":{"message":"it broke",${rest}}}`;
const STATUSES = [400, 500, 429, 422];

/** JSON members that providers have been seen to fill. */
const JSON_BODIES: readonly (readonly [string, string])[] = [
  ['message', '{"error":{"message":"bad thing: @@ was sent","type":"invalid_request_error"}}'],
  ['code', errorOf('"code":"@@"')],
  ['type', errorOf('"type":"@@"')],
  ['param', errorOf('"type":"invalid_request_error","param":"@@"')],
  ['metadata.raw', errorOf('"metadata":{"raw":"@@ in the raw answer"}')],
  ['metadata.raw as JSON', errorOf('"metadata":{"raw":{"error":{"message":"inner @@","code":"@@"}}}')],
  ['details of Google', errorOf('"status":"INVALID_ARGUMENT","details":[{"reason":"@@","retryDelay":"@@"}]')],
  ['detail list', '{"detail":[{"loc":["body","@@"],"msg":"got @@","input":"@@"}]}'],
  ['error as a text', '{"error":"@@ is not right"}'],
  ['status word', errorOf('"status":"@@"')],
  ['a JSON key', errorOf('"@@":"x"')],
  ['unknown member', `{"error":{"message":"no"},"debug":"@@"}`],
  ['retry_after', errorOf('"retry_after":"@@"')],
  [
    'beta flags',
    errorOf('"type":"invalid_request_error"').replace(
      'it broke',
      'Unexpected value(s) `@@` for the `anthropic-beta` header',
    ),
  ],
];

const jsonPlaces = STATUSES.flatMap((status) =>
  JSON_BODIES.map(([name, template]): ProviderPlace => ({ name: `${status}, ${name}`, at: 'body', template, status })),
);

const HEAD_ERROR = 'content-type: application/json\r\n';

const HEADS: readonly (readonly [string, string])[] = [
  ['reason phrase', `HTTP/1.1 500 @@\r\n${HEAD_ERROR}`],
  ['x-request-id', `HTTP/1.1 500 No\r\nx-request-id: @@\r\n${HEAD_ERROR}`],
  ['a rate-limit header', `HTTP/1.1 429 No\r\nx-ratelimit-limit-requests: @@\r\n${HEAD_ERROR}`],
  ['name of a rate-limit header', `HTTP/1.1 429 No\r\nx-ratelimit-@@: 1\r\n${HEAD_ERROR}`],
  ['name of a header', `HTTP/1.1 500 No\r\nx-@@: 1\r\n${HEAD_ERROR}`],
  ['retry-after', `HTTP/1.1 429 No\r\nretry-after: @@\r\n${HEAD_ERROR}`],
  ['location', `HTTP/1.1 302 No\r\nlocation: https://up.example/@@\r\n${HEAD_ERROR}`],
  ['content-type', 'HTTP/1.1 500 No\r\ncontent-type: text/html; x=@@\r\n'],
  ['content-encoding', `HTTP/1.1 200 No\r\ncontent-encoding: @@\r\n${HEAD_ERROR}`],
  [
    'set-cookie and www-authenticate',
    `HTTP/1.1 401 No\r\nset-cookie: a=@@\r\nwww-authenticate: Bearer x="@@"\r\n${HEAD_ERROR}`,
  ],
  ['status line', `HTTP/1.1 @@\r\n${HEAD_ERROR}`],
  ['a line that is no header', `HTTP/1.1 200 OK\r\n@@\r\n${HEAD_ERROR}`],
  ['content-length', `HTTP/1.1 200 OK\r\ncontent-length: @@\r\n${HEAD_ERROR}`],
];

/** Paths whose answers are searched, those of single requests apart. */
export const ASKED: readonly string[] = [
  '/api/v1/requests?limit=500',
  '/api/v1/targets',
  '/api/v1/reconcile',
  '/api/v1/usage?by=model,target,key',
  '/api/v1/overview',
  '/api/v1/models',
  '/api/v1/providers',
  '/api/v1/config/versions',
  '/api/v1/audit?limit=500',
  '/api/v1/readiness',
  '/metrics',
  '/readyz?capacity=1',
  '/v1/models',
];

/** Headers of an answer that is fine otherwise. */
export const GOOD_HEADS: readonly string[] = [
  'x-request-id: @@',
  'x-ratelimit-remaining-requests: @@',
  'ratelimit-@@: 1',
  'cf-ray: @@',
];

const EVENTS: readonly (readonly [string, string, true?])[] = [
  [
    'data of an error event',
    'event: error\ndata: {"type":"error","error":{"message":"no: @@","type":"server_error"}}\n\n',
  ],
  ['code of an error event', 'data: {"error":{"message":"no","code":"@@","type":"@@"}}\n\n'],
  ['unknown member of an error event', 'data: {"error":{"message":"no"},"@@":"@@"}\n\n'],
  [
    'failed response',
    'event: response.failed\ndata: {"type":"response.failed","response":{"id":"@@","status":"failed","error":{"code":"@@","message":"@@"}}}\n\n',
  ],
  ['comment', ': @@\n\n', true],
  ['name of an event', 'event: @@\ndata: {"type":"@@"}\n\n', true],
  ['id and retry', 'id: @@\nretry: @@\ndata: {"type":"ping"}\n\n', true],
  ['unknown field', '@@: x\n\n', true],
  ['data that is no JSON', 'data: @@\n\n', true],
  ['data that breaks off', 'data: {"a": "@@\n\n'],
  ['finish reason', 'data: {"choices":[{"index":0,"delta":{},"finish_reason":"@@"}]}\n\n', true],
  ['name of a model', 'data: {"id":"@@","model":"@@","choices":[]}\n\n', true],
  [
    'name of a tool',
    'data: {"choices":[{"index":0,"delta":{"tool_calls":[{"index":0,"id":"@@","function":{"name":"@@","arguments":"{"}}]}}]}\n\n',
    true,
  ],
];

export const PROVIDER_PLACES: readonly ProviderPlace[] = [
  ...jsonPlaces,
  { name: 'plain text', at: 'body', template: 'upstream said: @@', status: 500, type: 'text/plain' },
  { name: 'plain text of a 400', at: 'body', template: 'upstream said: @@', status: 400, type: 'text/plain' },
  { name: 'HTML', at: 'body', template: '<html><title>@@</title><p>@@</p></html>', status: 502, type: 'text/html' },
  { name: '200 with an error', at: 'body', template: errorOf('"code":"@@"').replace('it broke', '@@'), status: 200 },
  { name: '200 with something else', at: 'body', template: '@@', status: 200, type: 'text/plain' },
  ...HEADS.map(([name, template]): ProviderPlace => ({ name, at: 'head', template, isNarrow: true })),
  ...EVENTS.map(
    ([name, template, isRelayed]): ProviderPlace => ({
      name,
      at: 'event',
      template,
      ...(isRelayed ? { isRelayed } : {}),
    }),
  ),
];

const plantIn = (template: string, text: string): string => template.replaceAll('@@', () => text);

/** What the provider sends; null where this plant can't stand in that place, or that place not in this phase. */
export function answerOf(place: ProviderPlace, plant: Plant, phase: Phase, script: WireScript): ScriptedAnswer | null {
  const inJson = plant.json ?? JSON.stringify(plant.text).slice(1, -1);
  if (place.at === 'head') {
    if (phase === 'after' || /[^\x20-\x7e]/.test(plant.text) || plant.text.length > 4096) return null;
    return { rawHead: `${plantIn(place.template, plant.text)}\r\n`, chunks: [errorOf('"code":"x"')], end: 'close' };
  }
  if (place.at === 'body') {
    if (phase === 'after') return null;
    const isJson = place.type === undefined;
    const bytes = Buffer.from(plantIn(place.template, isJson ? inJson : plant.text));
    return {
      status: place.status ?? 500,
      headers: { 'content-type': place.type ?? 'application/json' },
      chunks: halves(bytes),
    };
  }
  const behind = phase === 'after' ? script.word('The word. ') : '';
  return {
    headers: { 'content-type': 'text/event-stream' },
    chunks: [script.preamble + behind, ...halves(Buffer.from(plantIn(place.template, inJson))), script.failure],
  };
}

/** So cut that what is planted lies in two chunks. */
const halves = (bytes: Buffer): Buffer[] => {
  const at = Math.floor(bytes.length / 2);
  return [bytes.subarray(0, at), bytes.subarray(at)].filter(({ length }) => length > 0);
};

/** A place that a client can write to. */
export type ClientPlace = {
  readonly name: string;
  readonly method?: string;
  readonly path?: string;
  readonly headers?: Readonly<Record<string, string | null>>;
  /** Members that are added to the body, as JSON text; `body`: the whole of it. */
  readonly members?: string;
  readonly body?: string;
};

const header = (name: string, value = '@@'): ClientPlace => ({ name: `header ${name}`, headers: { [name]: value } });
const get = (name: string, path: string): ClientPlace => ({ name, method: 'GET', path, body: '' });
const ADMIN = { authorization: `Bearer ${ADMIN_TOKEN}` };

export const CLIENT_PLACES: readonly ClientPlace[] = [
  ...['x-request-id', 'x-client-request-id', 'user-agent', 'anthropic-beta', 'openai-beta', 'cookie'].map((name) =>
    header(name),
  ),
  ...['x-understudy-timeout', 'x-understudy-failover', 'x-understudy-mid-stream', 'x-session-id'].map((name) =>
    header(name),
  ),
  ...['idempotency-key', 'traceparent', 'tracestate', 'origin', 'referer', 'content-type'].map((name) => header(name)),
  ...['content-encoding', 'anthropic-version', 'accept', 'x-stainless-retry-count'].map((name) => header(name)),
  header('x-forwarded-for'),
  { name: 'header name', headers: { 'x-@@': 'x' } },
  { name: 'wrong key', headers: { authorization: 'Bearer @@x' } },
  { name: 'basic auth', headers: { authorization: 'Basic @@' } },
  { name: 'wrong x-api-key', headers: { authorization: null, 'x-api-key': '@@x' } },
  { name: 'x-request-id of a request without a key', headers: { authorization: null, 'x-request-id': '@@' } },
  { name: 'model', members: '"model":"@@"' },
  { name: 'model behind a known one', members: '"model":"openai-chat/@@"' },
  { name: 'model of a pattern', members: '"model":"any-@@"' },
  { name: 'JSON key', members: '"@@":1' },
  { name: 'JSON key twice', members: '"@@":1,"@@":2' },
  { name: 'value of another type', members: '"stream":"@@"' },
  { name: 'user and metadata', members: '"user":"@@","metadata":{"user_id":"@@","@@":"@@"}' },
  { name: 'previous_response_id', members: '"previous_response_id":"@@"' },
  { name: 'prompt_cache_key', members: '"prompt_cache_key":"@@"' },
  { name: 'tools', members: '"tools":[{"type":"@@","name":"@@","function":{"name":"@@"}}]' },
  { name: 'body that is no JSON', body: '{"model": @@' },
  { name: 'body that is a text', body: '"@@"' },
  { name: 'query', path: '?api_key=@@&key=@@' },
  get('path', '/v1/@@'),
  get('path of a model', '/v1/models/@@'),
  get('path of a response', '/v1/responses/@@'),
  get('path of its parts', '/v1/responses/@@/input_items?after=@@'),
  get('path of another protocol', '/v1beta/models/@@:generateContent'),
  { ...get('method', '/v1/models'), method: 'PUT', headers: { 'x-request-id': '@@' } },
  ...[
    '/requests/@@',
    '/requests/@@/explain',
    '/requests?outcome=@@',
    '/requests?cursor=@@',
    '/requests?since=@@',
    '/requests?limit=@@',
    '/requests?model=@@',
    '/targets/@@',
    '/@@',
    '/reconcile?since=@@',
    '/usage?by=@@',
    '/overview?window=@@',
    '/events?types=@@',
    '/audit?limit=@@',
    '/models/@@',
    '/providers/@@',
  ].map((path) => ({ ...get(`/api/v1${path}`, `/api/v1${path}`), headers: ADMIN })),
  { name: 'plan of a model', path: '/api/v1/plan', headers: ADMIN, body: '{"model":"@@","messages":[]}' },
  { name: 'disabling a target', path: '/api/v1/targets/@@/disable', headers: ADMIN, body: '{}' },
  { name: 'putting back a version', path: '/api/v1/config/rollback', headers: ADMIN, body: '{"version":"@@"}' },
  { name: 'logging in', path: '/api/v1/session', body: '{"token":"@@"}' },
  { name: 'plan, no JSON', path: '/api/v1/plan', headers: ADMIN, body: '@@' },
  { ...get('wrong admin token', '/api/v1/requests'), headers: { authorization: 'Bearer @@x' } },
];
