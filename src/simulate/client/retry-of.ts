import { decodeUtf8, encodeUtf8 } from '../../protocol/json/index.ts';
import type { ClientManner } from '../scenario/scenario.ts';
import type { Ask } from './ask.ts';
import { repeatHeaders } from './ask-headers.ts';
import type { ClientView } from './view.ts';

type ClientName = NonNullable<ClientManner['retries']>;

/** What became of one try, as a client's own code tells its cases apart. */
type Trouble =
  /** No head at all. */
  | { readonly kind: 'no_head' }
  | { readonly kind: 'status'; readonly status: number }
  /** An error where the answer should go on. */
  | { readonly kind: 'error_event' }
  /** The stream is over, by a cut or in silence, and has no end. */
  | { readonly kind: 'no_end' };

/** The wait before the next try, ms; null: it gives up. `tries`: made so far, from 1. */
type Patience = (tries: number, view: ClientView) => number | null;

type Manner = {
  /** `x-should-retry` is believed. */
  readonly heedsShouldRetry: boolean;
  readonly no_head: Patience;
  readonly error_event: Patience;
  readonly no_end: Patience;
  /** By the first row that fits; none: it gives up. */
  readonly statuses: readonly (readonly [fits: (status: number) => boolean, patience: Patience])[];
};

const never: Patience = () => null;

const is =
  (...statuses: readonly number[]) =>
  (status: number): boolean =>
    statuses.includes(status);

const isServerError = (status: number): boolean => status >= 500;

/** `most` requests in all, with pauses that double from `firstMs` to `capMs`. */
const doubling =
  (most: number, firstMs: number, capMs: number): Patience =>
  (tries) =>
    tries >= most ? null : Math.min(capMs, firstMs * 2 ** (tries - 1));

/** What the server says counts; where it says nothing, the client's own pauses do. */
const heeding =
  (own: Patience): Patience =>
  (tries, view) => {
    const pause = own(tries, view);
    return pause === null ? null : (view.retryAfterMs ?? pause);
  };

const CODEX_MOST = 6;
const CODEX_BASE_MS = 200;
const CODEX_INNER = 5;

/** Six times the whole stream, with doubling pauses. */
const codexOuter = doubling(CODEX_MOST, CODEX_BASE_MS, Number.POSITIVE_INFINITY);

/** Each of the six is up to five requests: 30 in 25 s. */
const codexInner: Patience = (tries, view) => {
  const inner = (tries - 1) % CODEX_INNER;
  if (inner < CODEX_INNER - 1) return CODEX_BASE_MS * 2 ** inner;
  return codexOuter(Math.floor(tries / CODEX_INNER), view);
};

/** Codes of a failed response behind which it does not ask again. */
const CODEX_FINAL: ReadonlySet<string> = new Set([
  'server_is_overloaded',
  'insufficient_quota',
  'invalid_prompt',
  'context_length_exceeded',
]);

const CODEX_WAIT = /try again in (\d+(?:\.\d+)?)s/i;
const SECOND = 1000;

const codexFailed: Patience = (tries, view) => {
  const { code, message } = view.error ?? { code: null, message: '' };
  if (code !== null && CODEX_FINAL.has(code)) return null;
  const wait = code === 'rate_limit_exceeded' ? CODEX_WAIT.exec(message) : null;
  const own = codexOuter(tries, view);
  return own === null || wait === null ? own : Number(wait[1]) * SECOND;
};

const codexLimited: Patience = (tries, view) => {
  const isFinal = view.retryAfterMs === null || view.error?.type === 'usage_limit_reached';
  return isFinal ? null : heeding(codexOuter)(tries, view);
};

const claudeCode = doubling(11, 500, 32_000);
/** With another request than before: without stream, or without what may have been refused. */
const once = (most: number): Patience => doubling(most, 0, 0);

const opencode = doubling(6, 2_000, 32_000);
const library = doubling(3, 500, 8_000);

/** How each client reacts, as it was seen to: docs/clients.md. */
const MANNERS: { readonly [C in ClientName]: Manner } = {
  codex: {
    heedsShouldRetry: false,
    no_head: codexInner,
    error_event: codexFailed,
    no_end: codexOuter,
    statuses: [
      [is(429), codexLimited],
      [is(401, 402, 403, 404, 422), codexOuter],
      [isServerError, heeding(codexInner)],
    ],
  },
  'claude-code': {
    heedsShouldRetry: true,
    no_head: claudeCode,
    error_event: (tries, view) => (claudeCode(tries, view) === null ? null : 0),
    no_end: claudeCode,
    statuses: [
      [is(400, 422), once(6)],
      [is(404), once(2)],
      [is(401, 408, 409, 429), heeding(claudeCode)],
      [isServerError, heeding(claudeCode)],
    ],
  },
  opencode: {
    heedsShouldRetry: false,
    no_head: opencode,
    error_event: opencode,
    no_end: opencode,
    statuses: [
      [is(429), heeding(opencode)],
      [isServerError, heeding(opencode)],
    ],
  },
  'openai-sdk': {
    heedsShouldRetry: true,
    no_head: doubling(2, 500, 8_000),
    // What has begun is the program's own affair.
    error_event: never,
    no_end: never,
    statuses: [
      [is(408, 409, 429), heeding(library)],
      [isServerError, heeding(library)],
    ],
  },
};

const OK = 200;
const NOT_FOUND = 404;

function troubleOf(view: ClientView): Trouble | null {
  if (view.isWhole) return null;
  if (view.status === null) return { kind: 'no_head' };
  if (view.status !== OK) return { kind: 'status', status: view.status };
  return view.error === null ? { kind: 'no_end' } : { kind: 'error_event' };
}

/**
 * How long this client waits, in ms, before it asks again behind such an answer; null: it has what it wanted, or gives up.
 * `tries`: the requests that it has made for this turn so far, from 1.
 */
export function retryOf(client: ClientName, view: ClientView, tries: number): number | null {
  const trouble = troubleOf(view);
  if (trouble === null) return null;
  const manner = MANNERS[client];
  const { heedsShouldRetry, statuses } = manner;
  if (heedsShouldRetry && view.shouldRetry === false && trouble.kind === 'status') return null;
  if (trouble.kind !== 'status') return manner[trouble.kind](tries, view);
  const patience = statuses.find(([fits]) => fits(trouble.status))?.[1];
  if (patience !== undefined) return patience(tries, view);
  return heedsShouldRetry && view.shouldRetry === true && tries === 1 ? 0 : null;
}

/** Behind these Claude Code asks for the whole answer at once. */
const turnsToJson = (view: ClientView): boolean =>
  view.status === NOT_FOUND || (view.status === OK && view.error !== null);

/** The request as the client sends it once more behind such an answer; `tries` as in `retryOf`. */
export function repeatAsk(ask: Ask, view: ClientView, tries: number): Ask {
  const headers = repeatHeaders(ask.headers, tries);
  if (ask.row.client.retries !== 'claude-code' || !ask.stream || !turnsToJson(view)) return { ...ask, headers };
  const body: unknown = JSON.parse(decodeUtf8(ask.body));
  return {
    ...ask,
    stream: false,
    body: encodeUtf8(JSON.stringify({ ...(body as object), stream: false })),
    headers: { ...headers, accept: 'application/json' },
  };
}
