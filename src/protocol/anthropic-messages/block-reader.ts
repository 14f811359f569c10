import type { AnswerEvent, BlockStart } from '../../core/model/answer.ts';
import type { OpaqueState } from '../../core/model/content.ts';
import type { JsonObject, JsonValue } from '../../core/model/json-value.ts';
import { parseExact, stringifyExact } from '../json/index.ts';
import { isJsonObject, listOf } from '../shared/json-object.ts';
import { nonEmpty } from '../shared/value.ts';
import { readCitation } from './citations.ts';
import { PROTOCOL } from './members.ts';
import { redactedState, signatureState } from './thoughts.ts';
import { inputText } from './tool-input.ts';

/** A block under way. */
type Open = {
  readonly index: unknown;
  /** Its number in the answer; null: it is told as a whole, when it ends. */
  readonly number: number | null;
  readonly type: string;
  /** As it began, with what its deltas added for a block that is told as a whole. */
  block: JsonObject;
  /** Pieces of its input, of its signature. */
  input: string;
  signature: string;
};

/** Members that grow, in blocks that are told as a whole. */
const GROWING: Readonly<Record<string, string>> = { text_delta: 'text', compaction_delta: 'content' };

/** A delta without a block says by its type what block it meant. */
const MEANT: Readonly<Record<string, JsonObject>> = {
  text_delta: { type: 'text', text: '' },
  thinking_delta: { type: 'thinking', thinking: '', signature: '' },
};

/** Blocks of the wire as events of an answer. */
export class BlockReader {
  readonly #out: AnswerEvent[];
  readonly #open: Open[] = [];
  #count = 0;
  hasContent = false;
  hasCalls = false;

  constructor(out: AnswerEvent[]) {
    this.#out = out;
  }

  open(index: unknown, block: JsonObject): void {
    if (this.#open.some((each) => each.index === index)) this.close(index);
    const type = nonEmpty(block['type']) ?? '';
    const start = this.#startOf(type, block);
    this.hasContent = true;
    const number = start === null ? null : this.#count++;
    this.#open.push({ index, number, type, block, input: '', signature: nonEmpty(block['signature']) ?? '' });
    if (number === null || start === null) return;
    this.#out.push({ type: 'block_start', block: number, choice: 0, content: start });
    this.#say(number, block['text']);
    this.#say(number, block['thinking']);
    for (const citation of listOf(block['citations'])) this.#cite(number, citation);
  }

  #startOf(type: string, block: JsonObject): BlockStart | null {
    if (type === 'text') return { type: 'text' };
    if (type === 'thinking' || type === 'redacted_thinking') return { type: 'reasoning', isSummary: false };
    if (type !== 'tool_use') return null;
    this.hasCalls = true;
    return {
      type: 'tool_call',
      kind: 'function',
      id: nonEmpty(block['id']) ?? `toolu_${this.#count}`,
      name: nonEmpty(block['name']) ?? '',
    };
  }

  #say(block: number, text: unknown): void {
    if (typeof text === 'string' && text !== '') this.#out.push({ type: 'delta', block, text });
  }

  #cite(block: number, value: JsonValue | undefined): void {
    const citation = readCitation(value);
    if (citation !== null) this.#out.push({ type: 'citation', block, citation });
  }

  /** The block that an event speaks of: simply the last where it names none. */
  #find(index: unknown): Open | undefined {
    return index === undefined ? this.#open.at(-1) : this.#open.findLast((each) => each.index === index);
  }

  extend(index: unknown, delta: JsonObject): void {
    const type = nonEmpty(delta['type']) ?? '';
    const meant = Object.hasOwn(MEANT, type) ? MEANT[type] : undefined;
    if (this.#find(index) === undefined && meant !== undefined) this.open(index, meant);
    const open = this.#find(index);
    if (open === undefined) return;
    if (type === 'input_json_delta') this.#feed(open, delta['partial_json']);
    else if (type === 'signature_delta') open.signature += nonEmpty(delta['signature']) ?? '';
    else if (open.number === null) grow(open, type, delta);
    else if (type === 'citations_delta' && open.type === 'text') this.#cite(open.number, delta['citation']);
    else if (meant?.['type'] === open.type) this.#say(open.number, delta[open.type]);
  }

  /** Some write the value of the text. */
  #feed(open: Open, piece: JsonValue | undefined): void {
    const text =
      typeof piece === 'string' || piece === undefined || piece === null ? (piece ?? '') : stringifyExact(piece);
    open.input += text;
    if (open.number !== null && open.type === 'tool_use') this.#say(open.number, text);
  }

  close(index: unknown): void {
    const open = this.#find(index);
    if (open !== undefined) for (const each of this.#open.splice(this.#open.indexOf(open), 1)) this.#finish(each);
  }

  closeAll(): void {
    for (const open of this.#open.splice(0)) this.#finish(open);
  }

  #finish(open: Open): void {
    if (open.number === null) this.#tellWhole(open);
    else this.#end(open, open.number);
  }

  #end(open: Open, number: number): void {
    if (open.type === 'tool_use' && open.input === '') this.#say(number, inputText(open.block['input']));
    const state = stateOf(open);
    if (state !== null) this.#out.push({ type: 'state', block: number, state });
    this.#out.push({ type: 'block_end', block: number });
  }

  #tellWhole(open: Open): void {
    const value = open.input.trim() === '' ? open.block : { ...open.block, input: parseInput(open.input) };
    const content = { type: 'native', protocol: PROTOCOL, what: open.type, value } as const;
    const block = this.#count++;
    this.#out.push({ type: 'block_start', block, choice: 0, content }, { type: 'block_end', block });
  }
}

function grow(open: Open, type: string, delta: JsonObject): void {
  const member = Object.hasOwn(GROWING, type) ? GROWING[type] : undefined;
  const more = member === undefined ? undefined : delta[member];
  if (member === undefined || more === undefined || more === null) return;
  const before = open.block[member];
  const value = typeof before === 'string' && typeof more === 'string' ? before + more : more;
  open.block = { ...open.block, [member]: value };
}

function stateOf({ type, signature, block }: Open): OpaqueState | null {
  if (type === 'thinking') return signature === '' ? null : signatureState(signature);
  const data = block['data'];
  return type === 'redacted_thinking' && typeof data === 'string' ? redactedState(data) : null;
}

/** The input of a call that the provider ran itself; broken text stays text. */
function parseInput(text: string): JsonValue {
  try {
    const value = parseExact(text);
    return isJsonObject(value) ? value : text;
  } catch {
    return text;
  }
}
