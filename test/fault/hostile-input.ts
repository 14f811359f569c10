import { gzipSync } from 'node:zlib';
import { requestText } from '../kit/raw-client.ts';

/** What a client may send that no honest one would, and what it gets. */
export type HostileInput = {
  readonly what: string;
  /** What goes over the socket. */
  readonly bytes: string | Uint8Array;
  /** The status and, where the answer is ours, the code of its error. `200` means: relayed. */
  readonly status: number;
  readonly code?: string;
  /** Must stand in the message, so that the sender knows what to mend. */
  readonly says?: RegExp;
  /** The body that the provider must have got, byte for byte; null: it must have got nothing. */
  readonly relayed: string | null;
};

const PATH = '/v1/chat/completions';
const MESSAGES = '"messages":[{"role":"user","content":"hi"}]';
const chat = (members: string): string => `{"model":"main",${MESSAGES}${members === '' ? '' : `,${members}`}}`;
/** As the provider must get it: the model is the target's. */
const upstream = (body: string): string => body.replace('"model":"main"', '"model":"m-a"');
const post = (body: string, headers: Record<string, string | null> = {}): string =>
  requestText('POST', PATH, { body, headers });
const head = (...lines: readonly string[]): string =>
  [`POST ${PATH} HTTP/1.1`, 'host: 127.0.0.1', 'content-type: application/json', ...lines].join('\r\n');

const refused = (
  what: string,
  bytes: string | Uint8Array,
  status: number,
  code: string,
  says?: RegExp,
): HostileInput => ({ what, bytes, status, code, relayed: null, ...(says === undefined ? {} : { says }) });
const relayed = (what: string, body: string): HostileInput => ({
  what,
  bytes: post(body),
  status: 200,
  relayed: upstream(body),
});

/** Bytes that make two readers of HTTP see two different requests. */
const FRAMING: readonly HostileInput[] = [
  ['a length and chunks', `${head('content-length: 5', 'transfer-encoding: chunked')}\r\n\r\n0\r\n\r\n`],
  ['two lengths', `${head('content-length: 5', 'content-length: 6')}\r\n\r\nhello`],
  ['a negative length', `${head('content-length: -1')}\r\n\r\n`],
  ['a signed length', `${head('content-length: +5')}\r\n\r\nhello`],
  ['a length in hex', `${head('content-length: 0x5')}\r\n\r\nhello`],
  ['a length of two numbers', `${head('content-length: 5, 5')}\r\n\r\nhello`],
  ['chunks that are not last', `${head('transfer-encoding: chunked, identity')}\r\n\r\n0\r\n\r\n`],
  ['a coding that looks like chunks', `${head('transfer-encoding: xchunked')}\r\n\r\n0\r\n\r\n`],
  ['a chunk size that is no number', `${head('transfer-encoding: chunked')}\r\n\r\nzz\r\nhello\r\n0\r\n\r\n`],
  ['a chunk size beyond all numbers', `${head('transfer-encoding: chunked')}\r\n\r\nfffffffffffffffff\r\n`],
  ['a space before the colon', `${head('content-length : 5')}\r\n\r\nhello`],
  ['a folded header', `${head('x-a: 1\r\n  2', 'content-length: 5')}\r\n\r\nhello`],
  ['a NUL in a header', `${head('x-a: 1\u00002', 'content-length: 5')}\r\n\r\nhello`],
  ['a bare line feed in a header', `${head('x-a: 1\nx-b: 2', 'content-length: 5')}\r\n\r\nhello`],
  ['an HTTP/2 preface', 'PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n'],
].map(([what = '', bytes = '']) => refused(what, bytes, 400, 'invalid_request_error'));

/** JSON that two readers understand in two ways, or that costs far more to read than to send. */
const BODIES: readonly HostileInput[] = [
  refused('an empty body', post(''), 400, 'invalid_request_error'),
  refused('a body that is no object', post('[1,2]'), 400, 'invalid_request_error', /object/),
  refused('half an object', post('{"model":"main","messages":['), 400, 'invalid_request_error'),
  refused('two objects', post(`${chat('')}{}`), 400, 'invalid_request_error'),
  refused('a comment', post(`/* hi */${chat('')}`), 400, 'invalid_request_error'),
  refused('two models', post(chat('"model":"other"')), 400, 'invalid_request_error', /model/),
  refused('two models, one escaped', post(chat('"mod\\u0065l":"other"')), 400, 'invalid_request_error', /model/),
  refused('a model in other letters', post(chat('"MODEL":"other"')), 400, 'invalid_request_error', /"MODEL".*"model"/),
  refused('a stream with a long s', post(chat('"\u017ftream":true')), 400, 'invalid_request_error', /"stream"/),
  refused(
    'usage in other letters',
    post(chat('"stream_options":{"Include_Usage":true}')),
    400,
    'invalid_request_error',
  ),
  refused('a limit in camel case', post(chat('"maxTokens":5')), 400, 'invalid_request_error', /"max_tokens"/),
  refused('two lists of messages', post(chat('"messages":[]')), 400, 'invalid_request_error', /messages/),
  refused('no model', post(`{${MESSAGES}}`), 400, 'invalid_request_error', /model/),
  refused('a model that is a number', post(`{"model":1,${MESSAGES}}`), 400, 'invalid_request_error', /model/),
  refused('100,000 arrays in one another', post(chat(`"x":${'['.repeat(100_000)}`)), 400, 'invalid_request_error'),
  refused('bytes that are no UTF-8', brokenUtf8(), 400, 'invalid_request_error', /UTF-8/),
  refused('the wrong content type', post(chat(''), { 'content-type': 'text/plain' }), 403, 'forbidden'),
  refused('a coding nobody knows', post('x', { 'content-encoding': 'lzma' }), 415, 'invalid_request_error'),
  refused('gzip that is none', post('hello', { 'content-encoding': 'gzip' }), 400, 'invalid_request_error'),
  refused('a bomb of 64 MiB in gzip', bomb(), 413, 'request_too_large', /bodyLimit|larger/),
  relayed('numbers that JavaScript cannot hold', chat('"seed":123456789012345678901234567890,"x":1e400,"y":1.10')),
  relayed('half a surrogate pair', chat('"user":"\\ud800"')),
  relayed('keys that objects inherit', chat('"__proto__":{"a":1},"constructor":1,"hasOwnProperty":{}')),
  relayed('a repeated key that nobody routes by', chat('"seed":1,"seed":2')),
  relayed('a label in other letters', chat('"User":"me","promptCacheKey":"k"')),
  relayed('a limit in two spellings', chat('"max_tokens":5,"maxTokens":5')),
  relayed('a key of 64 KiB', chat(`"${'k'.repeat(65_536)}":1`)),
  relayed('500 arrays in one another', chat(`"x":${'['.repeat(500)}${']'.repeat(500)}`)),
];

/** Names that end up in messages, headers, records or as keys of maps. */
const NAMES: readonly HostileInput[] = [
  ...[
    '__proto__',
    'constructor',
    'toString',
    'hasOwnProperty',
    ' main',
    'a\\r\\nx-injected: 1',
    '../../etc/passwd',
  ].map((model) => ({
    ...refused(`the model "${model}"`, post(`{"model":"${model}",${MESSAGES}}`), 404, 'model_not_found'),
  })),
  refused('the model ""', post(`{"model":"",${MESSAGES}}`), 400, 'invalid_request_error', /model/),
  refused('a model of 1 MiB', post(`{"model":"${'m'.repeat(1_048_576)}",${MESSAGES}}`), 400, 'invalid_request_error'),
];

const LIMITS: readonly HostileInput[] = [
  refused('40 KiB of headers', `${head(`x-a: ${'y'.repeat(40_000)}`)}\r\n\r\n`, 431, 'invalid_request_error'),
  refused('a target of 40 KiB', `GET /${'p'.repeat(40_000)} HTTP/1.1\r\nhost: x\r\n\r\n`, 431, 'invalid_request_error'),
  refused('a length beyond the limit', `${head('content-length: 99999999999')}\r\n\r\n`, 413, 'request_too_large'),
];

/** Requests that a page in a browser, or a proxy on this machine, can make in the user's name. */
const DOORS: readonly HostileInput[] = [
  refused('the Host of another site (rebinding)', post(chat(''), { host: 'evil.example' }), 403, 'forbidden'),
  refused('the Origin of another site', post(chat(''), { origin: 'https://evil.example' }), 403, 'forbidden'),
  refused('no Host, as HTTP/1.0 allows', 'GET /v1/models HTTP/1.0\r\n\r\n', 403, 'forbidden'),
  refused('HTTP/0.9', 'GET /v1/models\r\n\r\n', 403, 'forbidden'),
  refused('an Origin of null', post(chat(''), { origin: 'null' }), 403, 'forbidden'),
  refused('a forwarded request', post(chat(''), { 'x-forwarded-for': '203.0.113.9' }), 403, 'forbidden'),
  refused('a client that a proxy names', post(chat(''), { 'x-real-ip': '127.0.0.1' }), 403, 'forbidden', /x-real-ip/),
  refused('a forwarded request, underscored', post(chat(''), { x_forwarded_for: '127.0.0.1' }), 403, 'forbidden'),
  refused('a form', post('a=b', { 'content-type': 'application/x-www-form-urlencoded' }), 403, 'forbidden'),
  refused('a tunnel', 'CONNECT 10.0.0.1:80 HTTP/1.1\r\nhost: 10.0.0.1:80\r\n\r\n', 405, 'method_not_allowed'),
];

const OPTIONS: readonly HostileInput[] = ['-1s', '1e3s', '30', 'NaN', `${'9'.repeat(400)}s`, '0s'].map((value) =>
  refused(
    `x-understudy-timeout: ${value.length > 20 ? '400 digits' : value}`,
    post(chat(''), { 'x-understudy-timeout': value }),
    400,
    'invalid_request_error',
    /x-understudy-timeout/,
  ),
);

export const HOSTILE_INPUTS: readonly HostileInput[] = [
  ...FRAMING,
  ...BODIES,
  ...NAMES,
  ...LIMITS,
  ...DOORS,
  ...OPTIONS,
];

function brokenUtf8(): Uint8Array {
  const body = Buffer.concat([
    Buffer.from(`{"model":"main","user":"`),
    Buffer.from([0xff, 0xfe]),
    Buffer.from(`",${MESSAGES}}`),
  ]);
  return Buffer.concat([Buffer.from(`${head(`content-length: ${body.length}`)}\r\n\r\n`), body]);
}

function bomb(): Uint8Array {
  const body = gzipSync(Buffer.alloc(64 * 1024 * 1024, 0x20));
  return Buffer.concat([
    Buffer.from(`${head('content-encoding: gzip', `content-length: ${body.length}`)}\r\n\r\n`),
    body,
  ]);
}
