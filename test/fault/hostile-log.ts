import { gzipSync } from 'node:zlib';
import { type EventName, makeEvent, type NameKind, writeEvent } from '../../src/core/event/index.ts';

// Lines of a log that must not leave, and events that must. Keys are put together here, so that nobody who searches the
// repository for keys takes one for real.

/** A line as it stands in a log, without its end; `planted` is what of it nobody may read. */
export type HostileLine = {
  readonly what: string;
  readonly line: string | Uint8Array;
  readonly planted: readonly string[];
};

const BODY = 'Zx81kQ0vLmT5rB7nD2wYq9Hc';
const join = (...parts: readonly string[]): string => parts.join('');
const hex = (text: string): string => Buffer.from(text).toString('hex');
const base64 = (text: string): string => Buffer.from(text).toString('base64');

/** Keys in every shape; each has a part by which it is found. */
const KEYS: readonly (readonly [string, string])[] = [
  ['sk-', join('sk-', BODY)],
  ['sk-proj-', join('sk-', 'proj-', BODY)],
  ['sk-ant-', join('sk-', 'ant-api03-', BODY)],
  ['a short sk-', join('sk-', 'ab12')],
  ['AIza', join('AI', 'zaSy', BODY)],
  ['gsk_', join('gsk', '_', BODY)],
  ['nvapi-', join('nv', 'api-', BODY)],
  ['hf_', join('h', 'f_', 'abcdefghijklmnop')],
  ['ghp_', join('gh', 'p_', BODY)],
  ['AKIA', join('AK', 'IAQ3EXAMPLE7ZX5WVT')],
  ['a JSON web token', join('ey', 'JhbGciOiJIUzI1NiJ9.', BODY)],
  ['base64', base64(`me:${BODY}`).replaceAll('=', '')],
  ['base64url', Buffer.from(`${BODY}~~??`).toString('base64url')],
  ['hex', hex(BODY)],
  ['short hex', join('deadbeef', 'cafe1234')],
  ['a UUID', join('3f2504e0-', '4f89-11d3-9a0c-0305e82c3301')],
  ['a UUID of words', join('deadbeef-', 'cafe-babe-face-deadbeefcafe')],
  ['thrice 8 of chance', join('q7Xr2Lk9', '.', 'ZpW4mVt8', '.', 'nBsYcQ1x')],
  ['a card', join('4242', '4242', '4242', '4242')],
  ['twice 12 of chance', join('q7Xr2Lk9ZpW4', '-', 'mVt8nBsYcQ1x')],
];

const ID = 'req_01M8MS841BBW20Y4VK3CPK1Y9S';
const AT = '2026-11-29T23:11:39.217Z';

/** Where a key may stand in what looks like an event. `@` stands for it. */
const PLACES: readonly string[] = [
  `{"event":"request_ended","v":1,"at":"${AT}","request":"${ID}","model":"@"}`,
  `{"event":"request_ended","v":1,"at":"${AT}","client":"@"}`,
  `{"event":"request_ended","v":1,"served_by":"a/@"}`,
  `{"event":"request_ended","v":1,"served_by":"@/m"}`,
  `{"event":"attempt_ended","v":1,"route":"a/m#@"}`,
  `{"event":"attempt_started","v":1,"route":"a/@#default"}`,
  `{"event":"attempt_ended","v":1,"credential":"@"}`,
  `{"event":"attempt_ended","v":1,"endpoint":"@:443"}`,
  `{"event":"attempt_ended","v":1,"endpoint":"@.example.com:443"}`,
  `{"event":"attempt_ended","v":1,"outcome":"@"}`,
  `{"event":"attempt_ended","v":1,"reason":"@"}`,
  `{"event":"attempt_ended","v":1,"@":1}`,
  `{"event":"@","v":1}`,
  `{"event":"probe_result","v":1,"request":"req_@"}`,
  `{"event":"probe_result","v":1,"request":"@"}`,
  `{"event":"hold_started","v":1,"scope":"credential","id":"a/@"}`,
  `{"event":"hold_started","v":1,"scope":"@","id":"a/m"}`,
  `{"event":"discovery_failed","v":1,"provider":"@","reason":"auth"}`,
  `{"event":"traceback","type":"@"}`,
  `{"event":"traceback","type":"@Error"}`,
  `{"event":"traceback","type":"TypeError","frame":"src/@.ts:1"}`,
  '{"omitted_lines":"@"}',
  'Authorization: Bearer @',
  'Incorrect API key provided: @',
];

const fromKeys: readonly HostileLine[] = KEYS.flatMap(([name, key]) =>
  PLACES.map((place) => ({ what: `${name} in ${place}`, line: place.replace('@', key), planted: [key] })),
);

const GENUINE = `{"event":"request_ended","v":1,"at":"${AT}","request":"${ID}","outcome":"ok"}`;
const event = (rest: string): string => `{"event":"request_ended","v":1,${rest}}`;

/** What only looks like an event: a whole event in something longer, or one that is changed a little. */
const FORGED: readonly (readonly [string, string | Uint8Array])[] = [
  ['an event inside a sentence', `upstream said ${GENUINE}`],
  ['an event with words behind it', `${GENUINE} leaked`],
  ['two events in one line', GENUINE + GENUINE],
  ['an event in a string', JSON.stringify({ msg: GENUINE })],
  ['an event in a list', `[${GENUINE}]`],
  ['a blank in front', ` ${GENUINE}`],
  ['a blank behind', `${GENUINE} `],
  ['blanks inside', GENUINE.replaceAll(':', ': ')],
  ['a carriage return inside', GENUINE.replace('"v"', '\r"v"')],
  ['NUL behind', `${GENUINE}\0`],
  ['NUL inside a word', GENUINE.replace('ok', 'o\0k')],
  ['a terminal escape in front', `\u001b[31m${GENUINE}`],
  ['a terminal escape behind', `${GENUINE}\u001b[0m`],
  ['a terminal escape in a name', event(`"model":"\u001b]0;leaked\u0007"`)],
  ['an escaped escape in a name', event('"model":"\\u001b[2Jleaked"')],
  ['a byte order mark', `\ufeff${GENUINE}`],
  ['an escaped letter in a key', GENUINE.replace('outcome', '\\u006futcome')],
  ['an escaped letter in a word', GENUINE.replace('"ok"', '"\\u006fk"')],
  ['an escaped slash', event('"served_by":"a\\/leaked"')],
  ['a key twice', event('"outcome":"ok","outcome":"auth"')],
  ['event twice', '{"event":"leaked","event":"request_ended","v":1}'],
  ['a key twice, once escaped', event('"model":"leaked","\\u006dodel":"m"')],
  ['__proto__', event('"__proto__":{"leaked":1}')],
  ['__proto__ with a word', event('"__proto__":"leaked"')],
  ['constructor', event('"constructor":"leaked"')],
  ['toString', '{"event":"toString","v":1}'],
  ['__proto__ as the event', '{"event":"__proto__","v":1}'],
  ['toJSON', event('"toJSON":"leaked"')],
  ['an object in a name', event('"model":{"leaked":"main"}')],
  ['a list in a name', event('"model":["leaked"]')],
  ['an object in a number', event('"ms":{"leaked":1}')],
  ['a deep object', event(`"model":${'['.repeat(500)}"leaked"${']'.repeat(500)}`)],
  ['null', event('"model":null')],
  ['a number as a string', event('"ms":"12"')],
  ['a number with a leaked tail', event('"ms":"12 leaked"')],
  ['a string as a number', event('"model":12345678901234567890')],
  ['a flag as a string', event('"stream":"true"')],
  ['a flag as a number', event('"stream":1')],
  ['a version as a string', '{"event":"request_ended","v":"1"}'],
  ['another version', '{"event":"request_ended","v":2}'],
  ['no version', '{"event":"request_ended"}'],
  ['no event', '{"v":1,"outcome":"ok"}'],
  ['1e999', event('"ms":1e999')],
  ['-1', event('"ms":-1')],
  ['-0', event('"ms":-0')],
  ['1.5', event('"ms":1.5')],
  ['1e2', event('"ms":1e2')],
  ['100.0', event('"ms":100.0')],
  ['a number beyond its field', event('"ms":4155551234567')],
  ['a phone number as tokens', '{"event":"probe_result","v":1,"tokens":4155551234}'],
  ['a status beyond its field', event('"status":999')],
  ['a number with 400 digits', event(`"ms":${'9'.repeat(400)}`)],
  ['NaN', event('"ms":NaN')],
  ['a name of another event', event('"escalated":true')],
  ['a member that no event has', event('"prompt":"leaked"')],
  ['a member with a blank', event('"model ":"leaked"')],
  ['capitals in the event', GENUINE.replace('request_ended', 'Request_Ended')],
  ['capitals in a word', GENUINE.replace('"ok"', '"OK"')],
  ['a Cyrillic letter in the event', GENUINE.replace('request', 'rеquest')],
  ['a Cyrillic letter in a member', GENUINE.replace('outcome', 'оutcome')],
  ['a full-width letter in a word', GENUINE.replace('"ok"', '"ｏk"')],
  ['a zero-width blank in a word', GENUINE.replace('"ok"', '"o\u200bk"')],
  ['a zero-width joiner in the event', GENUINE.replace('request_', 'request\u200d_')],
  ['a letter of another alphabet in a name', event('"model":"maіn"')],
  ['an override of direction in a name', event('"model":"\u202eleaked"')],
  ['a sentence as a name', event('"model":"leaked words of a prompt"')],
  ['a URL as a name', event('"model":"https://leaked.example/v1?key=1"')],
  ['user info in an endpoint', '{"event":"attempt_ended","v":1,"endpoint":"leaked:pw@host:443"}'],
  ['a path in an endpoint', '{"event":"attempt_ended","v":1,"endpoint":"host:443/leaked"}'],
  ['a quote in a name', event('"model":"a\\"leaked"')],
  ['a line break in a name', event('"model":"a\\nleaked"')],
  ['a name that is too long', event(`"model":"${'leaked-'.repeat(30)}"`)],
  ['an id that is too long', GENUINE.replace(ID, `${ID}LEAKED`)],
  ['an id in small letters', GENUINE.replace(ID, ID.toLowerCase())],
  ['a date that no calendar has', GENUINE.replace('11-29', '13-41')],
  ['a 30th of February', GENUINE.replace('11-29', '02-30')],
  ['a 24th hour', GENUINE.replace('T23', 'T24')],
  ['a date with a leaked tail', GENUINE.replace(AT, `${AT} leaked`)],
  ['a date without its zone', GENUINE.replace('217Z', '217')],
  ['a longer event than any', event(`"model":"${'m'.repeat(3000)}"`)],
  ['a megabyte', `${GENUINE.slice(0, -1)},"x":"${'leaked '.repeat(200_000)}"}`],
  ['a megabyte of one letter', 'x'.repeat(1_100_000)],
  ['a megabyte of brackets', '['.repeat(1_100_000)],
  ['a megabyte that ends like an event', `${'y'.repeat(1_048_576)}${GENUINE}`],
  ['half an event', GENUINE.slice(0, 40)],
  ['the other half', GENUINE.slice(40)],
  ['single quotes', GENUINE.replaceAll('"', "'")],
  ['a comma at the end', GENUINE.replace('}', ',}')],
  ['a comment', GENUINE.replace('{', '{/*leaked*/')],
  ['a record mark in front', `\u001e${GENUINE}`],
  ['a negative count', '{"omitted_lines":-1}'],
  ['a count of nothing', '{"omitted_lines":0}'],
  ['a count with words', '{"omitted_lines":1,"x":"leaked"}'],
  ['a traceback with a message', '{"event":"traceback","type":"TypeError","message":"leaked"}'],
  ['a traceback in a file that is not ours', '{"event":"traceback","type":"TypeError","frame":"src/leaked.ts:1"}'],
  ['a traceback outside', '{"event":"traceback","type":"TypeError","frame":"src/../../leaked.ts:1"}'],
  [
    'a traceback in a file of another name',
    '{"event":"traceback","type":"TypeError","frame":"src/engine/leaked.ts:12"}',
  ],
  ['a traceback with a sentence', '{"event":"traceback","type":"the leaked words"}'],
  ['invalid UTF-8', Uint8Array.of(0xff, 0xfe, 0xc0, 0x80, 0xed, 0xa0, 0x80)],
  [
    'invalid UTF-8 in an event',
    Buffer.concat([Buffer.from(GENUINE.slice(0, -3)), Buffer.of(0xc3, 0x28), Buffer.from('"}')]),
  ],
  [
    'an overlong quote',
    Buffer.concat([Buffer.from(event('"model":"a').slice(0, -1)), Buffer.of(0xc0, 0xa2), Buffer.from('leaked"}')]),
  ],
  ['UTF-16', Buffer.from(GENUINE, 'utf16le')],
  ['bytes', gzipSync('leaked').filter((byte) => byte !== 10)],
  ['nothing', ''],
  ['blanks', '   '],
  [
    'a line of the log for people',
    '{"level":"warn","time":"2026-11-29T23:11:39.217Z","reason":"leaked","msg":"attempt failed"}',
  ],
];

/** All of them. */
export const HOSTILE_LINES: readonly HostileLine[] = [
  ...fromKeys,
  ...FORGED.map(([what, line]) => ({ what, line, planted: ['leaked', 'LEAKED'] })),
];

/** Names that must not be taken for keys. */
export const HONEST_NAMES: readonly (readonly [NameKind, string])[] = [
  ['model', 'main'],
  ['model', 'fast:latest'],
  ['target', 'together/meta-llama/Llama-4-Maverick-17B-128E-Instruct-FP8'],
  ['target', 'nim/nvidia/llama-3_1-nemotron-ultra-253b-v1'],
  ['target', 'openrouter/meta-llama/llama-3.3-70b-instruct:free'],
  ['target', 'openai/ft:gpt-4o-mini-2024-07-18:my-org:custom:AbC123xy'],
  ['target', 'anthropic/claude-sonnet-4-5-20250929'],
  ['target', 'cloudflare/@cf/meta/llama-3.3-70b-instruct-fp8-fast'],
  ['target', 'ollama/hf.co/bartowski/Llama-3.2-3B-Instruct-GGUF:Q4_K_M'],
  ['target', 'fireworks/accounts/fireworks/models/qwen3-coder-480b-a35b-instruct'],
  ['target', 'xai/grok-4-fast-non-reasoning-latest'],
  ['route', 'groq/moonshotai/kimi-k2-instruct-0905#team-2'],
  ['credential', 'default'],
  ['client', 'ci_runner.1'],
  ['endpoint', 'integrate.api.nvidia.com:443'],
  ['endpoint', 'generativelanguage.googleapis.com:443'],
  ['endpoint', '[2001:db8::1]:8080'],
  ['endpoint', '127.0.0.1:36763'],
  ['scope', 'openai/second'],
  ['scope', 'api.openai.com:443'],
  ['request', 'req_01M8MS841BBW20Y4VK3CPK1Y9S'],
];

const made = (name: EventName, fields: Readonly<Record<string, unknown>>): string => {
  const { event: result, dropped } = makeEvent(name, { at: AT, ...fields });
  if (dropped > 0) throw new Error(`${name}: a genuine event lost ${dropped} members`);
  return writeEvent(result);
};

const ROUTE = {
  route: 'fw/accounts/fireworks/models/llama-v3p1-405b-instruct#second',
  target: 'fw/accounts/fireworks/models/llama-v3p1-405b-instruct',
  credential: 'second',
  endpoint: 'api.fireworks.ai:443',
} as const;

/** Events as the gateway writes them, each with all of its members once. */
export const GENUINE_EVENTS: readonly string[] = [
  GENUINE,
  made('probe_result', {
    request: ID,
    model: 'main',
    ...ROUTE,
    state: 'deferred',
    outcome: 'rate_limited',
    status: 429,
    escalated: true,
    ms: 320,
    tokens: 17,
  }),
  made('route_state_changed', {
    scope: 'endpoint',
    id: '[::1]:8080',
    from: 'ready',
    to: 'open',
    cause: 'overloaded',
    for_ms: 30_000,
  }),
  made('attempt_started', {
    request: ID,
    n: 2,
    model: 'fast:latest',
    protocol: 'anthropic-messages',
    kind: 'probe',
    ...ROUTE,
    charged: true,
    trial: false,
    since_ms: 12,
  }),
  made('attempt_ended', {
    request: ID,
    n: 1,
    ...ROUTE,
    outcome: 'timeout_first_output',
    phase: 'preflight',
    status: 200,
    ms: 20_001,
    head_ms: 80,
    commit_ms: 90,
    input_tokens: 100_000,
    output_tokens: 0,
  }),
  made('provider_exhausted', { provider: 'fw', credential: 'second', cause: 'billing', for_ms: 600_000 }),
  made('provider_rejected_permanent', {
    provider: 'fw',
    scope: 'target',
    id: ROUTE.target,
    cause: 'model_gone',
    for_ms: 86_400_000,
  }),
  made('hold_started', { scope: 'credential', id: 'fw/second', state: 'rejected', cause: 'auth', for_ms: 1 }),
  made('circuit_changed', { scope: 'route', id: ROUTE.route, from: 'open', to: 'half_open', cause: 'server_error' }),
  made('request_ended', {
    request: ID,
    model: 'main',
    protocol: 'gemini',
    kind: 'count',
    stream: true,
    client: 'ci-runner',
    outcome: 'interrupted',
    component: 'target',
    status: 200,
    served_by: ROUTE.target,
    attempts: 2,
    ms: 225,
    commit_ms: 90,
  }),
  made('config_changed', { result: 'in_force', models: 3, providers: 2 }),
  made('discovery_failed', { provider: 'fw', reason: 'timeout_whole' }),
];
