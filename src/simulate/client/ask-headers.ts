import type { Headers } from '../../core/model/protocol.ts';
import type { AskRow, ClientManner } from '../scenario/scenario.ts';

type ClientName = NonNullable<ClientManner['retries']>;

/** How each client names the conversation and shows who it is. `session`: null where the request belongs to none. */
const OWN_HEADERS: { readonly [C in ClientName]: (session: string, turn: string) => Headers } = {
  codex: (session, turn) => ({
    originator: 'codex_exec',
    'session-id': session,
    'thread-id': session,
    'x-client-request-id': turn,
  }),
  'claude-code': (session) => ({
    'x-claude-code-session-id': session,
    'anthropic-beta': 'claude-code-20250219,interleaved-thinking-2025-05-14',
    'x-stainless-retry-count': '0',
  }),
  opencode: (session) => ({ 'x-session-affinity': session, 'x-session-id': session }),
  'openai-sdk': () => ({ 'x-stainless-retry-count': '0' }),
};

/** Clients whose every request belongs to a session, also the first of its kind. */
const ALWAYS_IN_SESSION: ReadonlySet<ClientName> = new Set(['codex', 'claude-code', 'opencode']);

/** The session that this client's request names; null: it names none. */
export function sessionOf({ shape, client }: AskRow, turn: string): string | null {
  if (shape.session !== undefined) return shape.session;
  return client.retries !== undefined && ALWAYS_IN_SESSION.has(client.retries) ? turn : null;
}

/** Gemini says in its path what is asked for, which the server passes on under this name. */
const pathOf = ({ model, shape }: AskRow): string =>
  `/v1beta/models/${model}:${shape.stream === false ? 'generateContent' : 'streamGenerateContent?alt=sse'}`;

export function headersOf(row: AskRow, session: string | null, turn: string): Headers {
  const { shape, client, protocol } = row;
  const { retries } = client;
  const named = session === null ? {} : { 'x-session-id': session };
  return {
    'content-type': 'application/json',
    accept: shape.stream === false ? 'application/json' : 'text/event-stream',
    ...(protocol === 'anthropic-messages' ? { 'anthropic-version': '2023-06-01' } : {}),
    ...(protocol === 'gemini' ? { ':path': pathOf(row) } : {}),
    ...(retries === undefined ? named : OWN_HEADERS[retries](session ?? turn, turn)),
    ...(shape.failover === false ? { 'x-understudy-failover': 'off' } : {}),
    ...(shape.timeoutMs === undefined ? {} : { 'x-understudy-timeout': `${shape.timeoutMs}ms` }),
  };
}

/** Of a client's repeat, as the libraries count it: `tries` were made before. */
export const repeatHeaders = (headers: Headers, tries: number): Headers =>
  'x-stainless-retry-count' in headers ? { ...headers, 'x-stainless-retry-count': String(tries) } : headers;
