import type { Headers, Protocol } from '../../core/model/protocol.ts';
import type { Behaviour, DelayForm, ErrorBodyForm } from '../scenario/scenario.ts';
import type { ErrorParts } from '../wire/frame.ts';
import type { SendView } from './send-view.ts';
import type { ProviderVoice } from './voice.ts';

type Types = readonly [openai: string, anthropic: string, google: string];

/**
 * Types that go with a status: OpenAI's, Anthropic's, Google's. Others: a fault of the request below 500, of the server
 * from there.
 */
const TYPES: Readonly<Record<number, Types>> = {
  401: ['authentication_error', 'authentication_error', 'UNAUTHENTICATED'],
  402: ['billing_error', 'billing_error', 'FAILED_PRECONDITION'],
  403: ['permission_error', 'permission_error', 'PERMISSION_DENIED'],
  404: ['invalid_request_error', 'not_found_error', 'NOT_FOUND'],
  413: ['invalid_request_error', 'request_too_large', 'INVALID_ARGUMENT'],
  429: ['rate_limit_error', 'rate_limit_error', 'RESOURCE_EXHAUSTED'],
  503: ['server_error', 'api_error', 'UNAVAILABLE'],
  504: ['server_error', 'api_error', 'DEADLINE_EXCEEDED'],
  529: ['overloaded_error', 'overloaded_error', 'UNAVAILABLE'],
};
const BAD_REQUEST: Types = ['invalid_request_error', 'invalid_request_error', 'INVALID_ARGUMENT'];
const SERVER_ERROR: Types = ['server_error', 'api_error', 'INTERNAL'];

/** Which of them a protocol has; OpenAI's for the rest. */
const WHOSE: { readonly [P in Protocol]?: 1 | 2 } = { 'anthropic-messages': 1, gemini: 2 };

const MESSAGE = 'The simulated provider says no.';
/** Of what it was sent, so much comes back. */
const ECHO_LENGTH = 120;

const typesOf = (status: number): Types =>
  TYPES[status] ?? (status >= 400 && status < 500 ? BAD_REQUEST : SERVER_ERROR);

/** What an error says. `status`: 200 and the like for one inside an answer. */
export function errorParts(
  { error = {}, echoes, retryAfterMs, toldAs }: Pick<Behaviour, 'error' | 'echoes' | 'retryAfterMs' | 'toldAs'>,
  status: number,
  { protocol, secret, clientKey, body }: SendView,
): ErrorParts {
  const types = typesOf(status);
  const seconds = retryAfterMs === undefined ? null : inSeconds(retryAfterMs);
  const words = seconds !== null && toldAs === 'words' ? ` Please try again in ${seconds}s.` : '';
  const echo = echoes ? ` Key ${secret}, user ${clientKey ?? 'unknown'}, request ${body.slice(0, ECHO_LENGTH)}` : '';
  return {
    message: `${error.message ?? MESSAGE}${words}${echo}`,
    type: error.type ?? types[WHOSE[protocol] ?? 0],
    code: error.code ?? null,
    param: error.param ?? null,
    status,
    ...(seconds !== null && toldAs === 'member' ? { more: { resets_in_seconds: seconds } } : {}),
  };
}

/** The text of an error body. */
export function errorText(
  voice: ProviderVoice,
  parts: ErrorParts,
  status: number,
  form: ErrorBodyForm = 'own',
): string {
  if (form === 'text') return parts.message;
  return JSON.stringify(FORMS[form](voice.errorBody(parts), parts, status));
}

const FORMS: Readonly<
  Record<Exclude<ErrorBodyForm, 'text'>, (own: object, parts: ErrorParts, status: number) => unknown>
> = {
  own: (own) => own,
  flat: (_own, { message, type, code, param, more }, status) => ({
    object: 'error',
    message,
    type,
    param,
    code: code ?? status,
    ...more,
  }),
  problem: (_own, { message, type, code, more }, status) => ({ status, title: type, detail: message, code, ...more }),
  list: (own) => [own],
  nested: (own) => ({
    error: { message: 'The provider has failed.', code: 'provider_error', metadata: { raw: JSON.stringify(own) } },
  }),
};

const inSeconds = (ms: number): number => Math.ceil(ms / 1000);

/** A provider's clock may be years ahead or behind: only how far one moment of it is from another is ever read. */
const CLOCKS = [Date.UTC(2026, 10, 29, 10, 0, 0), Date.UTC(2019, 10, 29, 10, 0, 0)] as const;

type Told = { readonly headers: Headers; readonly ms: number };

/** How each form stands in the head, and what a careful reader takes from it. */
const TOLD: Readonly<Partial<Record<DelayForm, (ms: number) => Told>>> = {
  seconds: (ms) => inHead({ 'retry-after': String(inSeconds(ms)) }, inSeconds(ms) * 1000),
  ms: (ms) => inHead({ 'retry-after-ms': String(Math.ceil(ms)) }, Math.ceil(ms)),
  date: (ms) => {
    const told = inSeconds(ms) * 1000;
    const at = (moment: number): string => new Date(moment).toUTCString();
    const now = CLOCKS[inSeconds(ms) % 2 === 0 ? 0 : 1];
    return inHead({ date: at(now), 'retry-after': at(now + told) }, told);
  },
  reset: (ms) => {
    const headers = {
      'x-ratelimit-limit-requests': '60',
      'x-ratelimit-remaining-requests': '0',
      'x-ratelimit-reset-requests': `${inSeconds(ms)}s`,
    };
    return inHead(headers, inSeconds(ms) * 1000);
  },
};

const inHead = (headers: Headers, ms: number): Told => ({ headers, ms });

/** The headers that tell a delay; those of forms that stand elsewhere tell nothing. */
export function toldHeaders({ retryAfterMs, toldAs = 'seconds' }: Behaviour): Headers {
  if (retryAfterMs === undefined) return {};
  return toldAs === 'garbage' ? { 'retry-after': 'soon' } : (TOLD[toldAs]?.(retryAfterMs).headers ?? {});
}

/** A delay that a 429 or a 503 tells in its head, in ms; budgets count at a 429 alone. Null: none is told. */
export function toldDelay({ retryAfterMs, toldAs = 'seconds' }: Behaviour, status: number | null): number | null {
  const counts = status === 429 || (status === 503 && toldAs !== 'reset');
  return retryAfterMs === undefined || !counts ? null : (TOLD[toldAs]?.(retryAfterMs).ms ?? null);
}
