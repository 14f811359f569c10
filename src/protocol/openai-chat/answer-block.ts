import type { AnswerEvent, BlockStart } from '../../core/model/answer.ts';
import type { JsonObject, JsonValue } from '../../core/model/json-value.ts';
import { JsonFollower } from '../shared/json-follower.ts';
import { callStateOf, Details, stateOf } from './reasoning-state.ts';

/** The numbers of an answer's blocks, over all choices. */
export type BlockCount = { next: number };

type Words = 'text' | 'refusal' | 'reasoning';

/** One call of a tool, of which the start waits until its name is whole. */
export type CallBlock = {
  readonly kind: 'function' | 'custom';
  block: number | null;
  id: string;
  name: string;
  readonly input: JsonFollower;
  /** Of the input, what came before the name. */
  held: string;
  opaque: JsonObject;
  isClosed: boolean;
};

/** The blocks of one choice. Words of one kind are one block until others come; calls stay open beside them. */
export class ChoiceBlocks {
  readonly #choice: number;
  readonly #count: BlockCount;
  readonly #out: AnswerEvent[];
  readonly #calls: CallBlock[] = [];
  #words: { readonly type: Words; readonly block: number; length: number; readonly base: number } | null = null;
  /** Members by which the provider wants its reasoning back. */
  #thoughts: Map<string, JsonValue | Details> = new Map();
  /** Thoughts came under a name of their own. */
  #isShown = false;
  #said = 0;
  hasOutput = false;

  constructor(choice: number, count: BlockCount, out: AnswerEvent[]) {
    this.#choice = choice;
    this.#count = count;
    this.#out = out;
  }

  get hasCalls(): boolean {
    return this.#calls.length > 0;
  }

  /** Where the open text begins in the message; null: none is open. */
  get textBase(): number | null {
    return this.#words?.type === 'text' ? this.#words.base : null;
  }

  get openBlock(): number {
    return this.#words?.block ?? -1;
  }

  open(content: BlockStart): number {
    const block = this.#count.next++;
    this.#out.push({ type: 'block_start', block, choice: this.#choice, content });
    this.hasOutput = true;
    return block;
  }

  /** A thing that is whole at its start. */
  add(content: BlockStart): void {
    this.#settle(null);
    this.#out.push({ type: 'block_end', block: this.open(content) });
  }

  say(type: 'text' | 'refusal', text: string): void {
    if (text === '') return;
    this.#openWords(type, { type });
    this.#push(text);
  }

  /** Opens a text that something hangs on, where none is open. */
  openText(): void {
    this.#openWords('text', { type: 'text' });
  }

  /** `members`: what only the provider can read; `name`: the member that the text stood in. */
  think(text: string, name: string | null, isSummary: boolean, members: JsonObject): void {
    if (text === '' && Object.keys(members).length === 0) return;
    this.#openWords('reasoning', { type: 'reasoning', isSummary });
    // What a member of its own shows, the details only repeat.
    if (name !== null || !this.#isShown) this.#push(text);
    if (name !== null) this.#isShown = true;
    if (name !== null && !this.#thoughts.has(name)) this.#thoughts = new Map([[name, null], ...this.#thoughts]);
    for (const [member, value] of Object.entries(members)) this.#keep(member, value);
  }

  #keep(member: string, value: JsonValue): void {
    const present = this.#thoughts.get(member);
    if (Array.isArray(value)) {
      const details = present instanceof Details ? present : new Details();
      details.add(value as readonly JsonValue[]);
      this.#thoughts.set(member, details);
    } else {
      const grows = typeof present === 'string' && typeof value === 'string';
      this.#thoughts.set(member, grows ? present + value : value);
    }
  }

  newCall(kind: CallBlock['kind'], id: string): CallBlock {
    this.#settle(null);
    // Calls open in the order in which they came; nothing more comes of the name of one that another stands behind.
    for (const each of this.#calls) if (each.name !== '') this.#start(each);
    const call: CallBlock = {
      kind,
      block: null,
      id,
      name: '',
      input: new JsonFollower(),
      held: '',
      opaque: {},
      isClosed: false,
    };
    this.#calls.push(call);
    this.hasOutput = true;
    return call;
  }

  /** More of a call's input: behind it no more of its name comes, if there was one. */
  pushInput(call: CallBlock, text: string): void {
    if (call.isClosed) return;
    if (call.name === '') call.held += text;
    if (call.name === '' || (text === '' && call.held === '')) return;
    this.#start(call);
    if (text === '') return;
    call.input.push(text);
    this.#out.push({ type: 'delta', block: call.block as number, text });
  }

  #start(call: CallBlock): void {
    const { kind, id, name, held } = call;
    call.block ??= this.open({ type: 'tool_call', kind, id, name });
    call.held = '';
    if (held === '') return;
    call.input.push(held);
    this.#out.push({ type: 'delta', block: call.block, text: held });
  }

  #openWords(type: Words, content: BlockStart): void {
    if (this.#words?.type === type) return;
    this.#settle(null);
    const base = type === 'text' ? this.#said : 0;
    this.#words = { type, block: this.open(content), length: 0, base };
  }

  #push(text: string): void {
    const words = this.#words;
    if (words === null || text === '') return;
    words.length += text.length;
    if (words.type === 'text') this.#said += text.length;
    this.#out.push({ type: 'delta', block: words.block, text });
  }

  /** Closes the words, and the calls that are whole, before something else begins; `null`, or all at the end. */
  #settle(all: 'all' | null): void {
    this.#closeWords();
    for (const call of this.#calls) {
      if (call.isClosed || (all === null && !(call.kind === 'function' && call.input.isWhole))) continue;
      this.#start(call);
      this.#closeCall(call);
    }
  }

  #closeWords(): void {
    const words = this.#words;
    if (words === null) return;
    this.#words = null;
    const state = words.type === 'reasoning' ? stateOf(this.#members()) : null;
    this.#thoughts = new Map();
    if (state !== null) this.#out.push({ type: 'state', block: words.block, state });
    this.#out.push({ type: 'block_end', block: words.block });
  }

  #members(): JsonObject {
    const members = [...this.#thoughts].map(([name, value]) => [name, value instanceof Details ? value.list : value]);
    return Object.fromEntries(members) as JsonObject;
  }

  #closeCall(call: CallBlock): void {
    const block = call.block as number;
    call.isClosed = true;
    if (call.kind === 'function' && call.input.isEmpty) this.#out.push({ type: 'delta', block, text: '{}' });
    const state = callStateOf(call.opaque);
    if (state !== null) this.#out.push({ type: 'state', block, state });
    this.#out.push({ type: 'block_end', block });
  }

  /** Everything that is open. */
  close(): void {
    this.#settle('all');
  }
}
