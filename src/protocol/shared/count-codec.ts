import type { ClientError, ErrorCode } from '../../core/failure/client-error.ts';
import { NO_TRACE, NO_TRACE_COLUMNS } from '../../core/failure/rows/effects.ts';
import type { ClassifierRow } from '../../core/failure/table.ts';
import { estimateTokens } from '../../core/model/estimate-tokens.ts';
import type { CanonicalEvent, RelayEdit } from '../../core/model/event.ts';
import type { Headers, Protocol } from '../../core/model/protocol.ts';
import { PROTOCOL_NAMES } from '../../core/model/protocol-names.ts';
import type { CanonicalRequest } from '../../core/model/request.ts';
import { encodeUtf8 } from '../json/index.ts';
import type { Translation } from '../translation.ts';
import type { Decoded, DecodedResponse, Egress, EncodedRequest, OwnAnswer, ProtocolCodec } from '../types.ts';
import { ANSWERED, anotherService, createNoStreamDecoder } from './json-only.ts';
import { NOT_OFFERED } from './not-offered.ts';
import { parseAnswer } from './parse-answer.ts';
import { isObject, tokenCount } from './value.ts';
import { errorOf, isFilled, looksLikeError } from './wire-error.ts';

/** What stands before the table of failures where tokens are counted. */
export const COUNT_ROWS: readonly ClassifierRow[] = [
  {
    id: 'count_not_offered',
    title: 'counting not offered',
    description:
      '404, 405 or 501, a page of HTML, or JSON without a count above 0: the provider does not count for this model',
    match: NOT_OFFERED,
    effect: {
      outcome: 'unsupported_capability',
      component: 'target',
      onward: 'next_capable',
      again: false,
      ...NO_TRACE,
      feature: 'countTokens',
    },
    columns: {
      outcome: '`unsupported_capability`',
      beforeCommit: 'next that can; remembered for the target',
      ...NO_TRACE_COLUMNS,
    },
  },
];

/** How one protocol counts. `base` is its codec; what is left out is as there. */
export type CountForm = {
  readonly base: ProtocolCodec;
  readonly decode?: (body: Uint8Array, headers: Headers) => Decoded;
  /** What goes to a provider. `written`: the request as `base` writes it. */
  readonly write: (written: EncodedRequest, request: CanonicalRequest, egress: Egress) => EncodedRequest;
  /** The number in an answer. */
  readonly read: (answer: { readonly [name: string]: unknown }) => unknown;
  /** The answer of this number. */
  readonly answer: (tokens: number) => object;
};

/** Errors that are about the request itself: who counts has to know of them, and a number would hide them. */
const TOLD: ReadonlySet<ErrorCode> = new Set([
  'invalid_request_error',
  'not_found',
  'resource_gone',
  'previous_response_not_found',
  'content_policy_violation',
]);

/** Bytes of a token, where the request has a form that nobody here can read. */
const UNREAD_BYTES = 3;

/** The header that says that nobody counted. */
const ESTIMATED = 'x-understudy-estimated';

/** The codec of requests that ask how many tokens a prompt has. Other protocols' tokenizers are never asked. */
export function createCountCodec({ base, decode, write, read, answer }: CountForm): ProtocolCodec {
  const { translation, conversation: _kept, ...relayed } = base;
  return {
    ...relayed,
    relaysOnly: 'counting tokens',
    failureRows: COUNT_ROWS,
    tells: 'endpoint',
    decodeRequest: (body, headers) => asCount(decode?.(body, headers) ?? base.decodeRequest(body, headers)),
    encodeRequest: (request, egress) =>
      write(base.encodeRequest(request, { ...egress, askUsage: false, defaults: {} }), request, egress),
    createStreamDecoder: createNoStreamDecoder,
    decodeResponse: (body) => decodeCount(base.protocol, body, read),
    ownAnswer: (request, error, tokens) =>
      estimate(request, error, () => (tokens === undefined ? tokensOf(translation, request) : tokens), answer),
  };
}

/** It asks nothing of a model: no output, no effects, and its window is what is to be found out. */
function asCount(decoded: Decoded): Decoded {
  if (!decoded.ok) return decoded;
  const { request } = decoded;
  return {
    ok: true,
    request: {
      ...request,
      stream: false,
      choices: 1,
      needs: [...request.needs, 'countTokens'],
      maxOutputTokens: null,
      endsWithToolResult: false,
      effects: [],
      background: false,
      isStored: false,
      estimatedInputTokens: 0,
    },
  };
}

/** Byte for byte, if it has a number that can be true: no prompt has no tokens. */
function decodeCount(protocol: Protocol, body: Uint8Array, read: CountForm['read']): DecodedResponse {
  const { json, edits, parsed } = parseAnswer(body, 1);
  if (parsed === null || !isObject(parsed.value)) return judged(json, [{ type: 'malformed' }], edits);
  const answer = parsed.value;
  if ((tokenCount(read(answer)) ?? 0) > 0) return judged(json, ANSWERED, edits);
  const isError = isFilled(answer['error']) || looksLikeError(answer);
  const told = `The answer has no count of tokens as ${PROTOCOL_NAMES[protocol].short} has it.`;
  return judged(json, [isError ? { type: 'error', error: errorOf(answer) } : anotherService(told)], edits);
}

const judged = (body: Uint8Array, events: readonly CanonicalEvent[], edits: readonly RelayEdit[]): DecodedResponse => ({
  events,
  usage: null,
  body,
  edits,
  answerId: null,
});

function tokensOf(translation: Translation | undefined, request: CanonicalRequest): number | null {
  const read = translation?.readPrompt(request);
  return read?.ok === true ? estimateTokens(read.prompt) : null;
}

/** Null where something that only a provider has would be left out of it. */
function estimate(
  request: CanonicalRequest,
  error: ClientError,
  tokens: () => number | null,
  answer: CountForm['answer'],
): OwnAnswer | null {
  const { previousResponseId, conversationId } = request.conversation;
  if (TOLD.has(error.code) || previousResponseId !== null || conversationId != null) return null;
  const body = {
    ...answer(tokens() ?? Math.ceil(request.original.length / UNREAD_BYTES)),
    understudy: { estimated: true },
  };
  return { headers: { [ESTIMATED]: 'true' }, body: encodeUtf8(JSON.stringify(body)), reason: 'estimated' };
}
