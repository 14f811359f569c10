import type { ErrorCode } from './client-error.ts';
import type { Component } from './outcome.ts';

export type CatalogueEntry = {
  readonly code: ErrorCode;
  readonly status: number;
  /** The class is overload: Anthropic clients know 529 for it, whatever the others' status is. */
  readonly overload: boolean;
  readonly openaiType: string;
  readonly anthropicType: string;
  readonly geminiStatus: string;
  /** Whose fault it is, unless the cause says more. */
  readonly component: Component;
  readonly meaning: string;
  readonly remedy: string;
};

type Kind = Pick<CatalogueEntry, 'openaiType' | 'anthropicType' | 'geminiStatus'>;

const INVALID: Kind = {
  openaiType: 'invalid_request_error',
  anthropicType: 'invalid_request_error',
  geminiStatus: 'INVALID_ARGUMENT',
};
const RATE: Kind = {
  openaiType: 'rate_limit_error',
  anthropicType: 'rate_limit_error',
  geminiStatus: 'RESOURCE_EXHAUSTED',
};
const OVERLOAD: Kind = { openaiType: 'server_error', anthropicType: 'overloaded_error', geminiStatus: 'UNAVAILABLE' };
const SERVER: Kind = { openaiType: 'server_error', anthropicType: 'api_error', geminiStatus: 'INTERNAL' };
const MISSING: Kind = {
  openaiType: 'invalid_request_error',
  anthropicType: 'not_found_error',
  geminiStatus: 'NOT_FOUND',
};
const DENIED: Kind = {
  openaiType: 'permission_error',
  anthropicType: 'permission_error',
  geminiStatus: 'PERMISSION_DENIED',
};

type Rest = Omit<CatalogueEntry, 'code' | 'overload' | keyof Kind> & { readonly overload?: true };

const entry = (code: ErrorCode, kind: Kind, rest: Rest): CatalogueEntry => ({
  ...kind,
  ...rest,
  code,
  overload: rest.overload ?? false,
});

const ENTRIES: readonly CatalogueEntry[] = [
  entry('rate_limit_exceeded', RATE, {
    status: 429,
    component: 'credential',
    meaning: 'Every target that could serve this request is rate limited, or the client key is over its own rate.',
    remedy: 'Wait for the time in retry-after. Add a target or a credential of another account.',
  }),
  entry(
    'insufficient_quota',
    { ...RATE, openaiType: 'insufficient_quota' },
    {
      status: 429,
      component: 'credential',
      meaning: 'The quota or credit of every account that could serve this request is used up.',
      remedy:
        'Raise the quota or add credit at the provider, or add a target of another account. Repeating does not help.',
    },
  ),
  entry('service_unavailable', OVERLOAD, {
    status: 503,
    overload: true,
    component: 'target',
    meaning: 'Every target that could serve this request says that it is overloaded.',
    remedy: 'Try again after the time in retry-after, or after a short backoff. Add a target of another provider.',
  }),
  entry('outcome_unknown', SERVER, {
    status: 502,
    component: 'target',
    meaning:
      'The connection failed after the request was sent, and the request runs something outside the model, so nobody knows whether it was done.',
    remedy: 'Look at what the request was to do before sending it again. `replay: always` allows other targets.',
  }),
  entry(
    'upstream_timeout',
    { openaiType: 'server_error', anthropicType: 'timeout_error', geminiStatus: 'DEADLINE_EXCEEDED' },
    {
      status: 504,
      component: 'target',
      meaning: 'No target answered in time, or the time of the whole request ran out.',
      remedy: 'The reason names the limit that ended it: see `timeouts` of the model.',
    },
  ),
  entry('upstream_error', SERVER, {
    status: 502,
    component: 'target',
    meaning: 'Every target failed: network errors, server errors, or answers that were broken or empty.',
    remedy: 'The attempts name what each target did; `understudy explain` shows the whole story.',
  }),
  entry('route_misconfigured', SERVER, {
    status: 502,
    component: 'credential',
    meaning: "The providers refuse the gateway's own keys, permissions or model names.",
    remedy: 'Check keys, plans and model ids of the targets that the attempts name. The client can do nothing.',
  }),
  entry('context_length_exceeded', INVALID, {
    status: 400,
    component: 'client',
    meaning: 'The request is too long for every target that could serve it.',
    remedy: 'Shorten the conversation, or add a target with a larger context window.',
  }),
  entry('content_policy_violation', INVALID, {
    status: 400,
    component: 'policy',
    meaning: 'A provider refused the content of the request.',
    remedy: 'Change the content. `onContentPolicy: next` lets other targets judge for themselves.',
  }),
  entry(
    'request_too_large',
    { ...INVALID, anthropicType: 'request_too_large' },
    {
      status: 413,
      component: 'client',
      meaning: 'The body is larger than the gateway or every target takes.',
      remedy: 'Send less, or raise `server.bodyLimit` where that is the limit.',
    },
  ),
  entry('unsupported_capability', INVALID, {
    status: 400,
    component: 'client',
    meaning: 'No target of the model can do what the request needs; the message names it.',
    remedy:
      'Leave the feature out, or add a target that has it (`capabilities`), or one of the protocol that the client speaks.',
  }),
  entry('no_target_available', OVERLOAD, {
    status: 503,
    overload: true,
    component: 'target',
    meaning: 'No target could be tried: circuits are open, targets are busy or disabled.',
    remedy: 'Try again after the time in retry-after. `understudy targets` shows what holds each of them.',
  }),
  entry('budget_exceeded', RATE, {
    status: 429,
    component: 'client',
    meaning: "The client key's budget is used up.",
    remedy: 'Wait for the next period, or raise the budget of the key.',
  }),
  entry('previous_response_not_found', INVALID, {
    status: 400,
    component: 'client',
    meaning: 'The state that the request refers to is held by no target and cannot be rebuilt.',
    remedy: 'Send the whole conversation again, without reference to earlier responses.',
  }),
  entry('resource_gone', MISSING, {
    status: 410,
    component: 'client',
    meaning: 'Something that the request refers to is gone at the provider.',
    remedy: 'Create it again, or leave it out.',
  }),
  entry('not_found', MISSING, {
    status: 404,
    component: 'client',
    meaning: 'Something that the request refers to does not exist, here or at the provider.',
    remedy: 'Check the id or the path.',
  }),
  entry('model_not_found', MISSING, {
    status: 404,
    component: 'client',
    meaning: 'No model of this name is configured; the message names the nearest ones.',
    remedy: 'Ask for one of the names of `GET /v1/models`, or configure this one.',
  }),
  entry(
    'invalid_api_key',
    { openaiType: 'authentication_error', anthropicType: 'authentication_error', geminiStatus: 'UNAUTHENTICATED' },
    {
      status: 401,
      component: 'client',
      meaning: 'The client key is missing or wrong.',
      remedy: 'Send a key of this gateway as `Authorization: Bearer`, `x-api-key` or `x-goog-api-key`.',
    },
  ),
  entry('model_not_allowed', DENIED, {
    status: 403,
    component: 'client',
    meaning: 'The client key may not use this model.',
    remedy: 'Add the model to `models` of the key.',
  }),
  entry('invalid_request_error', INVALID, {
    status: 400,
    component: 'client',
    meaning: "The request is not valid; the message says why, in the gateway's or the provider's words.",
    remedy: 'Mend the request. It would fail at every target.',
  }),
  entry('gateway_overloaded', OVERLOAD, {
    status: 503,
    overload: true,
    component: 'gateway',
    meaning: 'The gateway itself is full, out of a local resource, or shutting down.',
    remedy: 'Try again after a second. See `server.maxInFlight`, `server.maxBuffered` and the limits of the system.',
  }),
  entry('forbidden', DENIED, {
    status: 403,
    component: 'client',
    meaning: 'Without keys only programs of this machine may call; this request looks like a web page or a proxy.',
    remedy: 'Configure keys (`auth.keys`), or allow the host or origin (`server.hosts`, `server.cors`).',
  }),
  entry('stream_interrupted', SERVER, {
    status: 502,
    component: 'target',
    // opencode repeats a broken Responses or Messages stream only if it is told so in these very words.
    meaning: 'The answer broke off after output had begun; what came is not whole. You can retry your request.',
    remedy: 'Send the request again. Nothing after the break was delivered.',
  }),
  entry('method_not_allowed', INVALID, {
    status: 405,
    component: 'client',
    meaning: 'The path exists, but not for this method.',
    remedy: 'Use the method in the allow header.',
  }),
  entry('internal_error', SERVER, {
    status: 500,
    component: 'gateway',
    meaning: 'The gateway failed in a way that it does not know.',
    remedy: 'Report it with the request id. Nothing is wrong with the request or the providers.',
  }),
];

/** Every code that the gateway gives to clients, once. */
export const CATALOGUE = Object.fromEntries(ENTRIES.map((each) => [each.code, each])) as Readonly<
  Record<ErrorCode, CatalogueEntry>
>;

/** The status for a client of Anthropic's protocol. */
export const anthropicStatus = (code: ErrorCode): number => (CATALOGUE[code].overload ? 529 : CATALOGUE[code].status);
