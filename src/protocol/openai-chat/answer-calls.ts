import type { JsonObject, JsonValue } from '../../core/model/json-value.ts';
import { stringifyExact } from '../json/index.ts';
import { isJsonObject } from '../shared/json-object.ts';
import { mintId } from '../shared/mend-list.ts';
import { nonEmpty } from '../shared/value.ts';
import type { CallBlock, ChoiceBlocks } from './answer-block.ts';
import { CALL_OPAQUE } from './reasoning-state.ts';

/**
 * The tool calls of one choice. A relay has mended most of what providers do to indices and ids; what is still missing
 * is told apart by whatever there is.
 */
export class CallReader {
  readonly #blocks: ChoiceBlocks;
  readonly #byIndex = new Map<number, CallBlock>();
  readonly #sourceIds = new Map<CallBlock, string>();
  readonly #ids = new Set<string>();
  #last: CallBlock | null = null;
  #legacy: CallBlock | null = null;

  constructor(blocks: ChoiceBlocks) {
    this.#blocks = blocks;
  }

  /** The `tool_calls` of a piece, or of a whole message, where each entry is a call. */
  read(list: readonly JsonValue[], isWhole: boolean, seed: string): void {
    for (const item of list) if (isJsonObject(item)) this.#takePiece(item, isWhole, seed);
  }

  #takePiece(item: JsonObject, isWhole: boolean, seed: string): void {
    const kind = item['type'] === 'custom' || isJsonObject(item['custom']) ? 'custom' : 'function';
    const tool = isJsonObject(item[kind]) ? item[kind] : {};
    const id = nonEmpty(item['id']);
    const name = nonEmpty(tool['name']);
    const input = inputOf(tool[kind === 'custom' ? 'input' : 'arguments']);
    const index = Number.isInteger(item['index']) ? (item['index'] as number) : null;
    const known = isWhole ? null : this.#find(index, id, name);
    if (known === null && name === null && input === '') return;
    const call = known ?? this.#open(kind, index, id, seed);
    takeName(call, name);
    call.opaque = { ...call.opaque, ...opaqueOf(item) };
    this.#blocks.pushInput(call, input);
  }

  #find(index: number | null, id: string | null, name: string | null): CallBlock | null {
    const known = index === null ? this.#byId(id) : (this.#byIndex.get(index) ?? null);
    if (known === null) return null;
    const isOther = id !== null && name !== null && this.#sourceIds.get(known) !== id && known.block !== null;
    return isOther ? null : known;
  }

  #byId(id: string | null): CallBlock | null {
    if (id === null) return this.#last;
    return [...this.#sourceIds].findLast(([, each]) => each === id)?.[0] ?? null;
  }

  #open(kind: CallBlock['kind'], index: number | null, sourceId: string | null, seed: string): CallBlock {
    const isTaken = sourceId === null || this.#ids.has(sourceId);
    const id = isTaken ? mintId('call_', seed, this.#ids.size, (each) => this.#ids.has(each)) : sourceId;
    const call = this.#blocks.newCall(kind, id);
    this.#ids.add(id);
    this.#last = call;
    if (index !== null) this.#byIndex.set(index, call);
    if (sourceId !== null) this.#sourceIds.set(call, sourceId);
    return call;
  }

  /** The older form: one call, without an id. */
  takeLegacy(fn: JsonObject, seed: string): void {
    const name = nonEmpty(fn['name']);
    const input = inputOf(fn['arguments']);
    if (this.#legacy === null && name === null && input === '') return;
    this.#legacy ??= this.#open('function', null, null, `${seed} function_call`);
    takeName(this.#legacy, name);
    this.#blocks.pushInput(this.#legacy, input);
  }
}

const inputOf = (value: JsonValue | undefined): string => {
  if (typeof value === 'string') return value;
  return value == null || typeof value !== 'object' ? '' : stringifyExact(value);
};

/** Names come whole, in pieces, or again with each piece; behind the first of the input they are told. */
function takeName(call: CallBlock, name: string | null): void {
  if (name !== null && call.block === null && name !== call.name) call.name += name;
}

const opaqueOf = (item: JsonObject): JsonObject =>
  Object.fromEntries(CALL_OPAQUE.flatMap((name) => (item[name] == null ? [] : [[name, item[name]]]))) as JsonObject;
