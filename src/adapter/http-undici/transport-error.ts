import type { TransportError } from '../../core/failure/signal.ts';

/** How far the exchange had come: a name that can't be resolved is one thing, a name lost behind a head another. */
export type ExchangeStage = 'connecting' | 'sent' | 'body';

/** Inside a body it stands for a cut, before it for two lengths in one head. */
const LENGTH_MISMATCH = 'UND_ERR_RES_CONTENT_LENGTH_MISMATCH';

/** Codes of Node, OpenSSL, the HTTP parser and undici. Prefixes end in `*`; the first row that fits wins. */
const ROWS: readonly (readonly [TransportError, readonly string[]])[] = [
  ['dns', ['ENOTFOUND', 'EAI_*', 'ENODATA', 'ESERVFAIL', 'EREFUSED', 'ETIMEOUT']],
  ['refused', ['ECONNREFUSED']],
  [
    'unreachable',
    ['ENETUNREACH', 'EHOSTUNREACH', 'ENETDOWN', 'EHOSTDOWN', 'ETIMEDOUT', 'EACCES', 'EPERM', 'UND_ERR_CONNECT_TIMEOUT'],
  ],
  [
    'tls',
    [
      'CERT_*',
      'ERR_TLS_*',
      'ERR_SSL_*',
      'EPROTO',
      'DEPTH_ZERO_SELF_SIGNED_CERT',
      'SELF_SIGNED_CERT_IN_CHAIN',
      'UNABLE_TO_*',
      'HOSTNAME_MISMATCH',
      'INVALID_CA',
      'INVALID_PURPOSE',
      'PATH_LENGTH_EXCEEDED',
    ],
  ],
  ['reset', ['ECONNRESET', 'EPIPE', 'ECONNABORTED']],
  // A body that stops before its length or its last chunk is a cut, whichever layer notices it.
  ['closed', ['HPE_INVALID_EOF_STATE', 'HPE_CLOSED_CONNECTION', 'UND_ERR_SOCKET']],
  // A request that can't be written is the route's fault (a key with a line end in it): the next route may be fine.
  [
    'bad_http',
    [
      'HPE_*',
      LENGTH_MISMATCH,
      'UND_ERR_HEADERS_OVERFLOW',
      'UND_ERR_INVALID_ARG',
      'ERR_INVALID_URL',
      'UND_ERR_NOT_SUPPORTED',
      'ERR_ASSERTION',
    ],
  ],
  [
    'local',
    [
      'EMFILE',
      'ENFILE',
      'EADDRNOTAVAIL',
      'ENOMEM',
      'ENOBUFS',
      'UND_ERR_DESTROYED',
      'UND_ERR_CLOSED',
      'ERR_WEBASSEMBLY*',
    ],
  ],
];

/** What only the words of an error tell: undici has one code for many socket errors, and none for its parser's. */
const WORDS: readonly (readonly [TransportError, string, RegExp])[] = [
  ['bad_http', 'UND_ERR_SOCKET', /^bad (response|upgrade)$/],
  ['closed', 'HTTPParserError', /invalid eof state/i],
  ['bad_http', 'HTTPParserError', /(?:)/],
];

/** Errors wrap each other; a chain longer than this tells nothing more. */
const MAX_CAUSES = 5;

/**
 * What an error of a socket, a parser or undici itself is for the engine. Total: unknown ones are told by the stage.
 */
export function describeTransportError(
  error: unknown,
  stage: ExchangeStage,
): { readonly error: TransportError; readonly detail: string } {
  const isCut = stage === 'body' && error instanceof Error && codeOf(error) === LENGTH_MISMATCH;
  return { error: isCut ? 'closed' : atStage(kindOf(error, MAX_CAUSES), stage), detail: detailOf(error) };
}

function atStage(kind: TransportError | null, stage: ExchangeStage): TransportError {
  if (kind === null) return stage === 'connecting' ? 'unreachable' : 'closed';
  if (stage === 'connecting') return kind;
  // The connection had been made: whatever ended it, it was broken off.
  const isOfConnecting = kind === 'dns' || kind === 'refused' || kind === 'unreachable';
  return isOfConnecting || (kind === 'tls' && stage === 'body') ? 'reset' : kind;
}

function kindOf(error: unknown, depth: number): TransportError | null {
  if (!(error instanceof Error) || depth === 0) return null;
  // Every address of a name was tried: a lack of IPv6 on this side must not hide that the server refused.
  const nested =
    'errors' in error && Array.isArray(error.errors) ? error.errors.map((one) => kindOf(one, depth - 1)) : [];
  const blamed = nested.find((kind) => kind !== null && kind !== 'local');
  if (blamed) return blamed;
  const code = codeOf(error);
  const told = WORDS.find(([, id, words]) => (id === code || id === error.name) && words.test(error.message));
  if (told) return told[0];
  const row = code === null ? undefined : ROWS.find(([, codes]) => codes.some((entry) => isMatch(entry, code)));
  return row?.[0] ?? nested.find((kind) => kind !== null) ?? kindOf(error.cause, depth - 1);
}

function isMatch(entry: string, code: string): boolean {
  return entry.endsWith('*') ? code.startsWith(entry.slice(0, -1)) : entry === code;
}

function codeOf(error: Error): string | null {
  return 'code' in error && typeof error.code === 'string' ? error.code : null;
}

function detailOf(error: unknown): string {
  if (!(error instanceof Error)) return 'unknown error';
  const code = codeOf(error);
  const text = error.message === '' ? error.name : error.message;
  return (code === null || text.includes(code) ? text : `${code}: ${text}`).slice(0, 300);
}
