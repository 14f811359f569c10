import type { CanonicalEvent, RelayEdit } from '../../core/model/event.ts';
import type { Usage } from '../../core/model/usage.ts';
import { isOutput } from '../../core/stream/commit-table.ts';
import { applyEdits, concatBytes, mendEdits } from '../json/index.ts';
import { type MendList, mend } from '../shared/mend-list.ts';
import { parseAnswer } from '../shared/parse-answer.ts';
import type { DecodedResponse, DecoderOptions } from '../types.ts';
import type { CallBook } from './call-book.ts';
import { readMessage } from './content.ts';
import { followFunctionCall } from './function-call.ts';
import {
  type AnswerState,
  type ChoiceState,
  choiceOf,
  finishEvents,
  MAX_CHOICES,
  noteFinish,
  startAnswer,
  wordForCalls,
} from './inspect.ts';
import { isHalf } from './silent-call.ts';
import { argumentsText, hasInput, leaveOut, nameOf, readSilent } from './tool-calls.ts';
import {
  isObject,
  nonEmpty,
  type WireChoice,
  type WireChunk,
  type WireFunction,
  type WireMessage,
  type WireToolCall,
} from './types.ts';
import { readUsage } from './usage.ts';
import { errorIn } from './wire-error.ts';

/** As deep as the deepest mend: choices, choice, message, tool_calls, call, function, arguments. */
const MEND_DEPTH = 7;

export type ResponseOptions = Pick<DecoderOptions, 'renameModel' | 'choices' | 'maxOutputTokens'>;

/**
 * A JSON answer, judged whole. Events come as a stream would give them, with one `finish` at the end. An answer without
 * choices has no events; text that is no JSON object, or one beyond the limits (`ANSWER_LIMITS`, `MAX_CHOICES`,
 * `MAX_CALLS`, `MAX_PARTS`), is `malformed`. A byte order mark is left out.
 */
export function decodeResponse(body: Uint8Array, options: ResponseOptions): DecodedResponse {
  const { json, edits: before, parsed } = parseAnswer(body, MEND_DEPTH);
  const value = parsed?.value;
  // Some gateways wrap an error object into a list of one.
  const answer = Array.isArray(value) && value.length === 1 ? value[0] : value;
  if (parsed === null || !isObject<WireChunk>(answer)) return judged(json, [{ type: 'malformed' }], null, before);
  const usage = readUsage(answer.usage);
  const error = errorIn(answer);
  if (error !== null) return judged(json, [{ type: 'error', error }], usage, before);
  const out: MendList = { mends: [], edits: new Set(before) };
  const events = answer === value ? readChoices(answer, { ...options, usage }, out) : null;
  if (events === null) return judged(json, [{ type: 'malformed' }], null, before);
  if (typeof answer.model === 'string' && options.renameModel !== null && answer.model !== options.renameModel) {
    mend(out, 'model_renamed', ['model'], { set: JSON.stringify(options.renameModel) });
  }
  const mended = out.mends.length === 0 ? json : concatBytes(applyEdits(json, mendEdits(parsed.index, out.mends)));
  return { ...judged(mended, events, usage, [...out.edits]), servedModel: nonEmpty(answer.model) };
}

const judged = (
  body: Uint8Array,
  events: readonly CanonicalEvent[],
  usage: Usage | null,
  edits: readonly RelayEdit[] = [],
): DecodedResponse => ({ events, usage, body, edits });

type Limits = ResponseOptions & { readonly usage: Usage | null };

/** Null for an answer beyond the limits. */
function readChoices(answer: WireChunk, limits: Limits, out: MendList): CanonicalEvent[] | null {
  const choices = Array.isArray(answer.choices) ? answer.choices : [];
  if (choices.length > MAX_CHOICES) return null;
  const state = startAnswer(limits.choices);
  const events: CanonicalEvent[] = [];
  for (const [position, wire] of choices.entries()) {
    if (!isObject<WireChoice>(wire)) continue;
    const said = readChoice(wire, position, answer, state, limits, out);
    if (said === null) return null;
    for (const event of said) events.push(event);
  }
  return choices.length === 0 ? [] : [...events, ...finishEvents(state).filter(({ type }) => type === 'finish')];
}

function readChoice(
  wire: WireChoice,
  position: number,
  answer: WireChunk,
  state: AnswerState,
  limits: Limits,
  out: MendList,
): CanonicalEvent[] | null {
  const choice = choiceOf(state, wire.index ?? position);
  const path = ['choices', position];
  const message: WireMessage = isObject<WireMessage>(wire.message) ? wire.message : {};
  const events = readMessage(message);
  if (events === null) return null;
  if (Array.isArray(message.tool_calls)) {
    const seed = JSON.stringify([answer.id, answer.created, position]);
    const said = readCalls(choice.calls, message.tool_calls, [...path, 'message', 'tool_calls'], seed, out);
    if (said === null) return null;
    for (const event of said) events.push(event);
  }
  if (isObject<WireFunction>(message.function_call)) {
    const said = followFunctionCall(choice.call, message.function_call, [...path, 'message', 'function_call'], out);
    if (said !== null) events.push(said);
  }
  choice.hasOutput = events.some(isOutput);
  noteEnd(choice, wire.finish_reason, [...path, 'finish_reason'], limits, out);
  return events;
}

/**
 * Calls of a whole message: each entry is one, and has to have an id of its own, but for those that say nothing, which
 * are left out. Null when they are too many.
 */
function readCalls(
  calls: CallBook,
  list: readonly unknown[],
  path: readonly (string | number)[],
  seed: string,
  out: MendList,
): CanonicalEvent[] | null {
  const events: CanonicalEvent[] = [];
  const silent: number[] = [];
  for (const [position, item] of list.entries()) {
    if (!isObject<WireToolCall>(item)) {
      silent.push(position);
      continue;
    }
    if (calls.isFull) return null;
    const told = readSilent(item, '');
    // The body is whole: half of an object stays what it is.
    if (told !== null && !isHalf(told.args)) {
      calls.silent.note(position, null, { args: '', rest: {} });
      silent.push(position);
      continue;
    }
    const fn: WireFunction = isObject<WireFunction>(item.function) ? item.function : {};
    const sourceId = nonEmpty(item.id);
    const call = calls.open(position, sourceId, seed);
    if (call.id !== sourceId) mend(out, 'tool_id_mended', [...path, position, 'id'], { set: JSON.stringify(call.id) });
    if (Number.isInteger(item.index) && item.index !== call.index) {
      mend(out, 'tool_index_mended', [...path, position, 'index'], { set: String(call.index) });
    }
    calls.name(call, nameOf(item).name ?? '');
    calls.grow(call, argumentsText(fn.arguments, [...path, position, 'function', 'arguments'], out));
    if (hasInput(item)) calls.fill(call);
    // Tools of other types have their name elsewhere; an entry of a whole message is a call whatever its type.
    events.push({ type: 'tool_call' });
  }
  leaveOut(silent, list, path, out);
  return events;
}

/**
 * How a choice ended. The body is whole, so a missing reason can be told from the message; `tool_calls` over arguments
 * that stop halfway, with the token limit reached, is `length` under another name.
 */
function noteEnd(
  choice: ChoiceState,
  word: unknown,
  path: readonly (string | number)[],
  limits: Limits,
  out: MendList,
): void {
  noteFinish(choice, word, path, out);
  const calls = wordForCalls(choice, true);
  if (choice.finish === null) {
    if (calls === 'broken') {
      choice.finish = { reason: 'bad_generation', raw: null };
      return;
    }
    if (!choice.hasOutput) return;
    const meant = calls ?? 'stop';
    mend(out, 'finish_reason_added', path, { set: JSON.stringify(meant) });
    choice.finish = { reason: meant === 'function_call' ? 'tool_calls' : meant, raw: null };
  } else if (choice.finish.reason === 'tool_calls' && calls === 'broken' && isAtLimit(limits)) {
    mend(out, 'finish_reason_mended', path, { set: '"length"' });
    choice.finish = { reason: 'length', raw: choice.finish.raw };
  }
}

/** Were all tokens spent that the request allowed? Where nobody told the limit, broken arguments have to say it. */
function isAtLimit({ usage, maxOutputTokens }: Limits): boolean {
  if (maxOutputTokens === undefined) return true;
  return maxOutputTokens !== null && usage?.outputTokens != null && usage.outputTokens >= maxOutputTokens;
}
