import type { CanonicalEvent, Frame, RelayEdit } from '../../core/model/event.ts';
import type { CanonicalRequest } from '../../core/model/request.ts';
import { applyEdits, concatBytes, encodeUtf8, mendEdits } from '../json/index.ts';
import { frameOf } from '../shared/frame.ts';
import type { MendList } from '../shared/mend-list.ts';
import { oneLine } from '../shared/nodes.ts';
import { parseAnswer } from '../shared/parse-answer.ts';
import { isObject, nonEmpty, own } from '../shared/value.ts';
import { errorOf, isFilled, looksLikeError } from '../shared/wire-error.ts';
import type { DecodedResponse, DecoderOptions, ProtocolCodec } from '../types.ts';
import type { FollowUp, FollowUpKind } from './follow-up.ts';
import { FOLLOW_UP_ROWS } from './follow-up-rows.ts';
import { mendModel } from './mends.ts';
import { createStreamDecoder } from './stream-decode.ts';
import type { WireResponse } from './types.ts';

/** As deep as the one mend, the model's name. */
const MEND_DEPTH = 1;

type Answer = WireResponse & { readonly deleted?: unknown; readonly data?: unknown };

const isResponse = ({ object, id, status, output }: Answer): boolean =>
  object === 'response' || (nonEmpty(id) !== null && (nonEmpty(status) !== null || Array.isArray(output)));

/** What each kind is answered with. A response that has failed, or is not done, is as good an answer as any. */
const IS_ANSWER: { readonly [K in FollowUpKind]: (answer: Answer) => boolean } = {
  retrieve: isResponse,
  cancel: isResponse,
  remove: (answer) => answer.deleted === true || isResponse(answer),
  list_items: ({ object, data }) => Array.isArray(data) && (object === 'list' || object === undefined),
};

const ANSWERED: readonly CanonicalEvent[] = [
  { type: 'unknown_content' },
  { type: 'finish', reason: 'stop', raw: null },
];

/** The codec of one request about a response: what its base knows, and the request's own row for what an answer is. */
export function createFollowUpCodec(base: ProtocolCodec, followUp: FollowUp): ProtocolCodec {
  const { kind, id, method, path, stream, startingAfter } = followUp;
  return {
    ...base,
    failureRows: FOLLOW_UP_ROWS,
    tells: 'endpoint',
    encodeRequest: () => ({
      path,
      method,
      isOnce: method !== 'GET',
      headers: { accept: stream ? 'text/event-stream' : 'application/json' },
      body: [],
    }),
    // The response itself: nobody but its issuer has it.
    readState: () => ({ removable: false, bound: true }),
    createStreamDecoder: (options) => createStreamDecoder(options, { isStored: true }),
    decodeResponse: (body, options) => decodeStored(followUp, body, options).decoded,
    streamFromResponse: (body, options) => streamFromStored(base, followUp, body, options),
    encodeStreamError: (error, context) =>
      base.encodeStreamError(error, {
        ...context,
        answerId: context.answerId ?? id,
        // The client counts on from the event that it named.
        ...(context.sequence === null ? { sequence: startingAfter } : {}),
      }),
    ...(kind === 'remove'
      ? { emptyAnswer: encodeUtf8(JSON.stringify({ id, object: 'response', deleted: true })) }
      : {}),
  };
}

/**
 * The request as routing sees it: it needs nothing of a model, and `model` is the name that the response was asked by.
 */
export const followUpRequest = ({ method, path, stream }: FollowUp, model: string): CanonicalRequest => ({
  protocol: 'openai-responses',
  model,
  stream,
  choices: 1,
  needs: [],
  usageAsked: true,
  endsWithToolResult: false,
  effects: [],
  // Whose it is was noted when it was made.
  isStored: false,
  conversation: { sessionId: null, promptCacheKey: null, previousResponseId: null, userId: null, prefixHash: null },
  estimatedInputTokens: 0,
  original: encodeUtf8(`${method} ${path}`),
  extensions: {},
});

/** `status`: of the response, where it is one and has one. */
type Stored = { readonly decoded: DecodedResponse; readonly status: string | null };

/**
 * Judged by its shape alone. No usage is read: what a stored response has cost was counted when it was made.
 */
function decodeStored(
  { kind, stream }: FollowUp,
  body: Uint8Array,
  { renameModel }: Pick<DecoderOptions, 'renameModel'>,
): Stored {
  const { json, edits, parsed } = parseAnswer(body, MEND_DEPTH);
  if (parsed === null || !isObject<Answer>(parsed.value)) return judged(json, [{ type: 'malformed' }], edits);
  const answer = parsed.value;
  if (!IS_ANSWER[kind](answer)) {
    const isError = isFilled(answer.error) || looksLikeError(answer);
    return judged(json, isError ? [{ type: 'error', error: errorOf(answer) }] : [], edits);
  }
  if (stream && !isOver(answer)) return judged(json, [NO_STREAM], edits);
  const out: MendList = { mends: [], edits: new Set(edits) };
  mendModel(answer, [], renameModel, out);
  const mended = out.mends.length === 0 ? json : concatBytes(applyEdits(json, mendEdits(parsed.index, out.mends)));
  return judged(mended, ANSWERED, [...out.edits], nonEmpty(answer.status));
}

const judged = (
  body: Uint8Array,
  events: readonly CanonicalEvent[],
  edits: readonly RelayEdit[],
  status: string | null = null,
): Stored => ({ decoded: { events, usage: null, body, edits, answerId: null }, status });

/** How a response that is over ends its stream. The API has no event of its own for one that was cancelled. */
const ENDS: Readonly<Record<string, string>> = {
  completed: 'response.completed',
  incomplete: 'response.incomplete',
  failed: 'response.failed',
  cancelled: 'response.incomplete',
};

const isOver = ({ status }: Answer): boolean => own(ENDS, status) !== undefined;

/** A response that goes on has no end that a stream could be given. */
const NO_STREAM: CanonicalEvent = {
  type: 'error',
  error: {
    status: 501,
    code: null,
    type: null,
    param: 'stream',
    message: 'The provider does not stream a response that is not done: ask without "stream".',
  },
};

/**
 * A stored response, given as JSON, for a client that asked for its stream. One that takes a stream up again, or asks
 * for a response that came to nothing, gets its last event alone, with the whole response in it.
 */
function streamFromStored(
  base: ProtocolCodec,
  followUp: FollowUp,
  body: Uint8Array,
  options: Pick<DecoderOptions, 'usageAsked' | 'renameModel'>,
): readonly Frame[] {
  const { startingAfter } = followUp;
  const { decoded, status } = decodeStored(followUp, body, options);
  const isWhole = status === 'completed' || status === 'incomplete';
  if (isWhole && startingAfter === null) return base.streamFromResponse(body, options);
  const type = own(ENDS, status) ?? ENDS['failed'];
  const number = (startingAfter ?? -1) + 1;
  const head = encodeUtf8(`event: ${type}\ndata: {"type":"${type}","sequence_number":${number},"response":`);
  const bytes = concatBytes([head, oneLine(decoded.body), encodeUtf8('}\n\n')]);
  return [{ ...frameOf(bytes, ANSWERED, ['converted_to_stream']), sequence: number }];
}
