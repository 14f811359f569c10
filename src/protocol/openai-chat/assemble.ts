import { isJsonObject } from '../shared/json-object.ts';
import { isObject, nonEmpty, type WireChoice, type WireChunk, type WireFunction, type WireToolCall } from './types.ts';

type Json = Record<string, unknown>;

type BuiltCall = { id: unknown; type: unknown; function: { name: string; arguments: string }; rest: Json };

type BuiltChoice = { message: Json; calls: Map<number, BuiltCall>; finish: unknown; logprobs: Json | null };

/** Members of a delta that say the same in each chunk, so that the last one counts. */
const REPEATED: ReadonlySet<string> = new Set([
  'role',
  'id',
  'type',
  'name',
  'object',
  'status',
  'expires_at',
  'format',
]);

/** Members of a chunk that are put together, or its own. */
const IN_PARTS: ReadonlySet<string> = new Set(['choices', 'object', 'usage', 'obfuscation']);

/** Puts the chunks of a stream together into the answer that a client without stream would have got. */
export class AnswerBuilder {
  readonly #top: Json = { id: '', object: 'chat.completion', created: 0, model: '' };
  readonly #choices = new Map<number, BuiltChoice>();
  #usage: unknown;

  add(chunk: WireChunk): void {
    for (const [name, value] of Object.entries(chunk)) if (!IN_PARTS.has(name)) this.#takeTop(name, value);
    if (isObject(chunk.usage)) this.#usage = chunk.usage;
    if (!Array.isArray(chunk.choices)) return;
    for (const wire of chunk.choices) if (isObject<WireChoice>(wire)) this.#addChoice(wire);
  }

  /** The first id, time and model are those of the answer; a filter's preamble has empty ones. */
  #takeTop(name: string, value: unknown): void {
    const present = Object.hasOwn(this.#top, name) ? this.#top[name] : undefined;
    const isOpen = present === undefined || present === '' || present === 0;
    if (value !== null && value !== '' && isOpen) define(this.#top, name, value);
  }

  build(): Json {
    const choices = [...this.#choices]
      .toSorted(([a], [b]) => a - b)
      .map(([index, choice]) => buildChoice(index, choice));
    return { ...this.#top, choices, ...(this.#usage === undefined ? {} : { usage: this.#usage }) };
  }

  #addChoice(wire: WireChoice): void {
    const index = Number.isInteger(wire.index) ? (wire.index as number) : 0;
    let choice = this.#choices.get(index);
    if (choice === undefined) {
      choice = { message: { role: 'assistant', content: null }, calls: new Map(), finish: null, logprobs: null };
      this.#choices.set(index, choice);
    }
    if (nonEmpty(wire.finish_reason) !== null) choice.finish = wire.finish_reason;
    if (isObject(wire.logprobs)) choice.logprobs = merge(choice.logprobs ?? {}, wire.logprobs);
    if (!isObject(wire.delta)) return;
    const { tool_calls: calls, ...delta } = wire.delta as Json & { readonly tool_calls?: unknown };
    merge(choice.message, delta);
    if (Array.isArray(calls)) for (const call of calls) if (isObject<WireToolCall>(call)) addCall(choice.calls, call);
  }
}

/** Texts grow, lists grow, objects are merged, everything else is taken over. */
function merge(into: Json, from: Json): Json {
  for (const [name, value] of Object.entries(from)) {
    const present = Object.hasOwn(into, name) ? into[name] : undefined;
    if (value === null || value === undefined) {
      if (present === undefined) define(into, name, null);
    } else if (REPEATED.has(name)) define(into, name, value === '' ? present : value);
    else if (typeof value === 'string') define(into, name, typeof present === 'string' ? present + value : value);
    else if (Array.isArray(value)) define(into, name, Array.isArray(present) ? extend(present, value) : value);
    else if (isJsonObject(value)) define(into, name, merge(isObject(present) ? present : {}, value));
    else define(into, name, value);
  }
  return into;
}

/** Lists are the chunks' own, which nobody else has. */
function extend(list: unknown[], more: readonly unknown[]): unknown[] {
  for (const item of more) list.push(item);
  return list;
}

/** As JSON means it: a member called `__proto__` is a member. */
function define(object: Json, name: string, value: unknown): void {
  Object.defineProperty(object, name, { value, writable: true, enumerable: true, configurable: true });
}

function addCall(calls: Map<number, BuiltCall>, wire: WireToolCall): void {
  const index = Number.isInteger(wire.index) ? (wire.index as number) : 0;
  const { index: _index, id, function: fn, type, ...rest } = wire as WireToolCall & Json & { readonly type?: unknown };
  let call = calls.get(index);
  if (call === undefined) {
    call = { id: '', type: 'function', function: { name: '', arguments: '' }, rest: {} };
    calls.set(index, call);
  }
  call.id = nonEmpty(id) ?? call.id;
  call.type = nonEmpty(type) ?? call.type;
  merge(call.rest, rest);
  const { name, arguments: args }: WireFunction = isObject<WireFunction>(fn) ? fn : {};
  call.function.name += nonEmpty(name) ?? '';
  call.function.arguments += nonEmpty(args) ?? '';
}

function buildChoice(index: number, choice: BuiltChoice): Json {
  const calls = [...choice.calls]
    .toSorted(([a], [b]) => a - b)
    .map(([, call]) => {
      const isFunction = call.type === 'function' || call.function.name !== '';
      return { id: call.id, type: call.type, ...(isFunction ? { function: call.function } : {}), ...call.rest };
    });
  const message = { ...choice.message };
  if (calls.length > 0) {
    message['tool_calls'] = calls;
    if (message['content'] === '') message['content'] = null;
  }
  return { index, message, logprobs: choice.logprobs, finish_reason: choice.finish };
}
