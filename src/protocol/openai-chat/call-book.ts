import { JsonFollower } from '../shared/json-follower.ts';
import { mintId } from '../shared/mend-list.ts';
import { SilentCalls } from './silent-calls.ts';

/** Calls of one choice. An answer with more is no answer of a model. */
export const MAX_CALLS = 1024;

/** One tool call of an answer, as its pieces so far tell. */
export type ToolCall = {
  /** As the client gets it: its place in the order of opening, since client libraries fail at a hole. */
  readonly index: number;
  readonly id: string;
  sourceId: string | null;
  name: string;
  /** It has arguments, or the input of a custom tool. */
  isFilled: boolean;
  readonly args: JsonFollower;
};

/** Longer names are not kept, and so never known to come again. */
const MAX_NAME = 1024;

/** The tool calls of one choice, found by whatever name a provider has for them. No question walks over them. */
export class CallBook {
  /** Opened without a name and without arguments. They are none of the others, and not counted. */
  readonly silent = new SilentCalls();
  readonly #ids = new Set<string>();
  readonly #bySourceIndex = new Map<number, ToolCall>();
  readonly #bySourceId = new Map<string, ToolCall>();
  /** Calls of which the arguments have begun and are not whole. */
  #halves = 0;
  /** Calls without arguments. */
  #blanks = 0;
  /** Calls that have arguments, and no name. */
  #nameless = 0;
  #size = 0;
  #last: ToolCall | null = null;

  get size(): number {
    return this.#size;
  }

  /** The one that was opened last. */
  get last(): ToolCall | null {
    return this.#last;
  }

  /** Are the arguments of all calls whole? `allowEmpty`: none at all are whole as well. */
  areWhole(allowEmpty: boolean): boolean {
    return this.#halves === 0 && (allowEmpty || this.#blanks === 0);
  }

  /** There are arguments that nobody knows the tool of. */
  get hasNameless(): boolean {
    return this.#nameless > 0 || this.silent.hasHalves;
  }

  get isFull(): boolean {
    return this.size + this.silent.size >= MAX_CALLS;
  }

  /** The latest of those that the provider gave this index or id. */
  bySourceIndex(index: number): ToolCall | null {
    return this.#bySourceIndex.get(index) ?? null;
  }

  bySourceId(id: string | null): ToolCall | null {
    return id === null ? null : (this.#bySourceId.get(id) ?? null);
  }

  /** A call that the provider named by `sourceIndex` and `sourceId`. It keeps the id where no other call has it. */
  open(sourceIndex: number | null, sourceId: string | null, seed: string): ToolCall {
    const index = this.#size++;
    const isTaken = sourceId === null || this.#ids.has(sourceId);
    const id = isTaken ? mintId('call_', seed, index, (each) => this.#ids.has(each)) : sourceId;
    const call: ToolCall = {
      index,
      id,
      sourceId: null,
      name: '',
      isFilled: false,
      args: new JsonFollower(),
    };
    this.#ids.add(id);
    this.#blanks++;
    this.#last = call;
    this.silent.settle();
    if (sourceIndex !== null) this.#bySourceIndex.set(sourceIndex, call);
    if (sourceId !== null) this.tellId(call, sourceId);
    return call;
  }

  /** The provider's own id of a call. */
  tellId(call: ToolCall, id: string): void {
    call.sourceId = id;
    const present = this.#bySourceId.get(id);
    if (present === undefined || present.index < call.index) this.#bySourceId.set(id, call);
  }

  /** More of a call's name. */
  name(call: ToolCall, text: string): void {
    this.#count(call, -1);
    if (call.name.length <= MAX_NAME) call.name += text;
    this.#count(call, 1);
  }

  /** More of a call's arguments. */
  grow(call: ToolCall, text: string): void {
    this.#count(call, -1);
    call.args.push(text);
    call.isFilled ||= !call.args.isBlank;
    this.#count(call, 1);
  }

  /** It has an input that is no JSON. */
  fill(call: ToolCall): void {
    this.#count(call, -1);
    call.isFilled = true;
    this.#count(call, 1);
  }

  #count({ name, isFilled, args }: ToolCall, by: number): void {
    if (args.isBlank) this.#blanks += by;
    else if (!args.isWhole) this.#halves += by;
    if (name === '' && isFilled) this.#nameless += by;
  }
}
