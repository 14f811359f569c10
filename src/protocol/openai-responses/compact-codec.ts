import { NO_TRACE, NO_TRACE_COLUMNS } from '../../core/failure/rows/effects.ts';
import type { ClassifierRow } from '../../core/failure/table.ts';
import type { CanonicalEvent } from '../../core/model/event.ts';
import { ANSWERED, anotherService, createNoStreamDecoder } from '../shared/json-only.ts';
import { NOT_OFFERED } from '../shared/not-offered.ts';
import { parseAnswer } from '../shared/parse-answer.ts';
import { isObject, nonEmpty } from '../shared/value.ts';
import { errorOf, isFilled, looksLikeError } from '../shared/wire-error.ts';
import type { Decoded, DecodedResponse, ProtocolCodec } from '../types.ts';
import { isSealed, sealsIn } from './seal.ts';
import type { WireResponse } from './types.ts';
import { readUsage } from './usage.ts';

/** What stands before the table of failures where a conversation is compacted. */
export const COMPACT_ROWS: readonly ClassifierRow[] = [
  {
    id: 'compact_not_offered',
    title: 'compaction not offered',
    description:
      '404, 405 or 501, a page of HTML, or JSON that is no compaction: the provider has no such path, or not now',
    match: NOT_OFFERED,
    effect: {
      outcome: 'unsupported_capability',
      component: 'target',
      onward: 'next_target',
      again: false,
      ...NO_TRACE,
      refusedValue: 'compaction of a conversation',
    },
    columns: { outcome: '`unsupported_capability`', beforeCommit: 'next target', ...NO_TRACE_COLUMNS },
  },
];

/**
 * `POST /v1/responses/compact`: a model seals a conversation, so that only its provider can go on from it. It is asked as
 * for any answer, and its end tells of the route as any does; but nobody else's protocol has words for it.
 */
export function createCompactCodec(base: ProtocolCodec): ProtocolCodec {
  const { translation: _none, conversation: _kept, ...relayed } = base;
  return {
    ...relayed,
    relaysOnly: 'compaction',
    failureRows: COMPACT_ROWS,
    decodeRequest: (body, headers) => asCompaction(base.decodeRequest(body, headers)),
    encodeRequest: (request, egress) => ({
      ...base.encodeRequest(request, { ...egress, askUsage: false, defaults: {} }),
      path: '/responses/compact',
    }),
    createStreamDecoder: createNoStreamDecoder,
    decodeResponse: decodeCompaction,
  };
}

/** Tools are listed for their tokens, and none of them runs. */
function asCompaction(decoded: Decoded): Decoded {
  if (!decoded.ok) return decoded;
  const { request } = decoded;
  const quiet = { stream: false, endsWithToolResult: false, effects: [], background: false, maxOutputTokens: null };
  return { ok: true, request: { ...request, ...quiet } };
}

/** Judged by its shape alone: what it says is sealed. An ordinary answer in its place would stand for the conversation. */
function decodeCompaction(body: Uint8Array): DecodedResponse {
  const { json, edits, parsed } = parseAnswer(body, 1);
  const answer = parsed?.value;
  if (!isObject<WireResponse>(answer)) {
    return { events: [{ type: 'malformed' }], usage: null, body: json, edits, answerId: null };
  }
  const { usage, id } = answer;
  const seals = sealsIn(Array.isArray(answer.output) ? answer.output : []);
  return { events: eventsOf(answer), usage: readUsage(usage), body: json, edits, answerId: nonEmpty(id), seals };
}

function eventsOf(answer: WireResponse): readonly CanonicalEvent[] {
  if (isCompaction(answer)) return ANSWERED;
  const isError = isFilled(answer.error) || looksLikeError(answer);
  return [isError ? { type: 'error', error: errorOf(answer) } : anotherService('The answer is no compaction.')];
}

function isCompaction({ object, output }: WireResponse): boolean {
  if (!Array.isArray(output) || output.length === 0) return false;
  return object === 'response.compaction' || output.some((item) => isObject(item) && isSealed(item['type']));
}
