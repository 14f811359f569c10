import type { CanonicalEvent, RelayEdit } from '../../core/model/event.ts';
import type { Usage } from '../../core/model/usage.ts';
import { isOutput } from '../../core/stream/commit-table.ts';
import { applyEdits, concatBytes, mendEdits } from '../json/index.ts';
import { type MendList, mend } from '../shared/mend-list.ts';
import { parseAnswer } from '../shared/parse-answer.ts';
import type { DecodedResponse, DecoderOptions } from '../types.ts';
import { readBlock } from './content.ts';
import { type AnswerState, finishEvents, impliedStop, mendToolId, noteStop, startAnswer } from './inspect.ts';
import { isObject, nonEmpty, type WireBlock, type WireMessage } from './types.ts';
import { mergeUsage, NO_USAGE, usageOf } from './usage.ts';
import { errorIn } from './wire-error.ts';

/** As deep as the deepest mend: content, block, its members. */
const MEND_DEPTH = 3;

export type ResponseOptions = Pick<DecoderOptions, 'renameModel'>;

/**
 * A JSON answer, judged whole. Events come as a stream would give them, with one `finish` at the end. An answer without
 * a list of content has no events; text that is no JSON object, or one beyond `ANSWER_LIMITS`, is `malformed`. A byte
 * order mark is left out.
 */
export function decodeResponse(body: Uint8Array, { renameModel }: ResponseOptions): DecodedResponse {
  const { json, edits: before, parsed: found } = parseAnswer(body, MEND_DEPTH);
  const value = found?.value;
  // Some gateways wrap an error object into a list of one.
  const answer: unknown = Array.isArray(value) && value.length === 1 ? value[0] : value;
  if (found === null || !isObject<WireMessage>(answer)) return judged(json, [{ type: 'malformed' }], null, before);
  const usage = usageOf(mergeUsage(NO_USAGE, answer.usage) ?? NO_USAGE);
  const error = errorIn(answer);
  if (error !== null) return judged(json, [{ type: 'error', error }], usage, before);
  if (answer !== value) return judged(json, [{ type: 'malformed' }], null, before);
  const out: MendList = { mends: [], edits: new Set(before) };
  const events = readAnswer(answer, out);
  if (renameModel !== null && typeof answer.model === 'string' && answer.model !== renameModel) {
    mend(out, 'model_renamed', ['model'], { set: JSON.stringify(renameModel) });
  }
  const mended = out.mends.length === 0 ? json : concatBytes(applyEdits(json, mendEdits(found.index, out.mends)));
  return { ...judged(mended, events, usage, [...out.edits]), servedModel: nonEmpty(answer.model) };
}

const judged = (
  body: Uint8Array,
  events: readonly CanonicalEvent[],
  usage: Usage | null,
  edits: readonly RelayEdit[] = [],
): DecodedResponse => ({ events, usage, body, edits });

function readAnswer(answer: WireMessage, out: MendList): CanonicalEvent[] {
  if (!Array.isArray(answer.content)) return [];
  const state: AnswerState = startAnswer();
  state.messageId = nonEmpty(answer.id) ?? '';
  const events: CanonicalEvent[] = [];
  for (const [position, block] of answer.content.entries()) {
    if (!isObject<WireBlock>(block)) continue;
    mendToolId(block, ['content', position], position, state, out);
    mendInput(block, position, out);
    state.hasToolUse ||= block.type === 'tool_use';
    events.push(readBlock(block));
  }
  state.hasContent = events.some(isOutput);
  noteEnd(answer.stop_reason, state, out);
  const all = [...events, ...finishEvents(state)];
  return all.length > 0 ? all : [{ type: 'empty_delta' }];
}

/** The input of a call is an object; some write the text of one. */
function mendInput(block: WireBlock, position: number, out: MendList): void {
  if (block.type !== 'tool_use' || typeof block.input !== 'string') return;
  const input = block.input.trim() === '' ? '{}' : block.input;
  if (isObject(parsed(input))) mend(out, 'tool_arguments_mended', ['content', position, 'input'], { set: input });
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

/** How the answer ended. The body is whole, so a missing reason can be told from its content. */
function noteEnd(word: unknown, state: AnswerState, out: MendList): void {
  if (nonEmpty(word) !== null) noteStop(word as string, state, ['stop_reason'], out);
  else if (state.hasContent) {
    const stop = impliedStop(state);
    mend(out, 'finish_reason_added', ['stop_reason'], { set: JSON.stringify(stop) });
    state.finish = { reason: stop === 'tool_use' ? 'tool_calls' : 'stop', raw: null };
  }
}
