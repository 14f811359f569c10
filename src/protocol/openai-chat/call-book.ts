import { JsonFollower } from '../shared/json-follower.ts';
import { mintId } from '../shared/mend-list.ts';

/** Calls of one choice. An answer with more is no answer of a model. */
export const MAX_CALLS = 1024;

/** One tool call of an answer, as its pieces so far tell. */
export type ToolCall = {
  /** As the client gets it. */
  readonly index: number;
  readonly id: string;
  /** Place in the order of opening. */
  readonly place: number;
  sourceId: string | null;
  name: string;
  /** It has arguments, or the input of a custom tool. */
  isFilled: boolean;
  readonly args: JsonFollower;
};

/** A call that was opened and has said nothing yet: whatever the provider gave it besides. */
export type SilentCall = { readonly id: string | null; readonly type: string | null };

/** Longer names are not kept, and so never known to come again. */
const MAX_NAME = 1024;

/** The tool calls of one choice, found by whatever name a provider has for them. No question walks over them. */
export class CallBook {
  readonly #byIndex = new Map<number, ToolCall>();
  readonly #ids = new Set<string>();
  readonly #bySourceIndex = new Map<number, ToolCall>();
  readonly #bySourceId = new Map<string, ToolCall>();
  /** Calls of which the arguments have begun and are not whole. */
  #halves = 0;
  /** Calls without arguments. */
  #blanks = 0;
  /** Calls that have arguments, and no name. */
  #nameless = 0;
  /** By the index that the provider gave them; null for those without. */
  readonly #silent = new Map<number | null, SilentCall>();
  #top = -1;
  #last: ToolCall | null = null;

  get size(): number {
    return this.#byIndex.size;
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
    return this.#nameless > 0;
  }

  /** A call was opened that has neither name nor arguments. It is none of the others, and not counted. */
  get hasSilent(): boolean {
    return this.#silent.size > 0;
  }

  get isFull(): boolean {
    return this.size + this.#silent.size >= MAX_CALLS;
  }

  isSilent(sourceIndex: number | null): boolean {
    return this.#silent.has(sourceIndex);
  }

  /** A piece without name and arguments, of a call that nobody has heard of. What came first is kept. */
  noteSilent(sourceIndex: number | null, { id, type }: SilentCall): void {
    const before = this.#silent.get(sourceIndex);
    this.#silent.set(sourceIndex, { id: before?.id ?? id, type: before?.type ?? type });
  }

  /** It speaks: it is to be opened, with what it was given before. */
  takeSilent(sourceIndex: number | null): SilentCall | null {
    const silent = this.#silent.get(sourceIndex) ?? null;
    this.#silent.delete(sourceIndex);
    return silent;
  }

  /** The latest of those that the provider gave this index or id. */
  bySourceIndex(index: number): ToolCall | null {
    return this.#bySourceIndex.get(index) ?? null;
  }

  bySourceId(id: string | null): ToolCall | null {
    return id === null ? null : (this.#bySourceId.get(id) ?? null);
  }

  /** A call that the provider named by `sourceIndex` and `sourceId`, which it keeps where they are its own. */
  open(sourceIndex: number | null, sourceId: string | null, seed: string): ToolCall {
    const isFree = sourceIndex !== null && !this.#byIndex.has(sourceIndex);
    const index = isFree ? sourceIndex : this.#top + 1;
    const isTaken = sourceId === null || this.#ids.has(sourceId);
    const id = isTaken ? mintId('call_', seed, index, (each) => this.#ids.has(each)) : sourceId;
    const call: ToolCall = {
      index,
      id,
      place: this.size,
      sourceId: null,
      name: '',
      isFilled: false,
      args: new JsonFollower(),
    };
    this.#byIndex.set(index, call);
    this.#ids.add(id);
    this.#top = Math.max(this.#top, index);
    this.#blanks++;
    this.#last = call;
    if (sourceIndex !== null) this.#bySourceIndex.set(sourceIndex, call);
    if (sourceId !== null) this.tellId(call, sourceId);
    return call;
  }

  /** The provider's own id of a call. */
  tellId(call: ToolCall, id: string): void {
    call.sourceId = id;
    const present = this.#bySourceId.get(id);
    if (present === undefined || present.place < call.place) this.#bySourceId.set(id, call);
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
