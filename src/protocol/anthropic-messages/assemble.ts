import { isObject, nonEmpty, type WireBlock, type WireEvent } from './types.ts';

type Json = Record<string, unknown>;

/** A block under way: its members, and the JSON text of its input as the pieces tell it. */
type Built = { readonly block: Json; input: string | null };

/** What deltas add to, by the delta's type: a member that grows, or a list. */
const GROWING: Readonly<Record<string, { readonly from: string; readonly to: string; readonly isList?: true }>> = {
  text_delta: { from: 'text', to: 'text' },
  thinking_delta: { from: 'thinking', to: 'thinking' },
  signature_delta: { from: 'signature', to: 'signature' },
  citations_delta: { from: 'citation', to: 'citations', isList: true },
  compaction_delta: { from: 'content', to: 'content' },
};

/** Puts the events of a stream together into the answer that a client without stream would have got. */
export class MessageBuilder {
  #message: Json = {
    id: '',
    type: 'message',
    role: 'assistant',
    model: '',
    content: [],
    stop_reason: null,
    stop_sequence: null,
  };
  readonly #blocks: Built[] = [];
  readonly #byIndex = new Map<unknown, Built>();

  add(event: WireEvent): void {
    if (event.type === 'message_start') this.#start(event.message);
    else if (event.type === 'content_block_start') this.#open(event.index, event.content_block);
    else if (event.type === 'content_block_delta') this.#extend(event.index, event.delta);
    else if (event.type === 'message_delta') this.#update(event);
  }

  /** As text: the numbers in a tool's input are kept as they were written, however large. */
  build(): string {
    const { content, ...rest } = this.#message;
    const before = Array.isArray(content) ? content.map((block) => JSON.stringify(block)) : [];
    const blocks = [...before, ...this.#blocks.map(blockText)].join(',');
    const parts = Object.entries(rest).map(([name, value]) => `${JSON.stringify(name)}:${JSON.stringify(value)}`);
    return `{${[...parts.slice(0, 4), `"content":[${blocks}]`, ...parts.slice(4)].join(',')}}`;
  }

  #start(message: unknown): void {
    if (isObject(message)) this.#message = { ...this.#message, ...message };
  }

  #open(index: unknown, block: unknown): void {
    const built: Built = { block: isObject(block) ? { ...block } : {}, input: null };
    this.#blocks.push(built);
    this.#byIndex.set(index, built);
  }

  #extend(index: unknown, delta: unknown): void {
    const built = this.#byIndex.get(index);
    if (built === undefined || !isObject<WireBlock>(delta)) return;
    if (typeof delta.partial_json === 'string') built.input = (built.input ?? '') + delta.partial_json;
    const type = nonEmpty(delta.type) ?? '';
    const row = Object.hasOwn(GROWING, type) ? GROWING[type] : undefined;
    const value = row === undefined ? undefined : delta[row.from];
    if (row === undefined || value === undefined || value === null) return;
    const present = built.block[row.to];
    if (!row.isList) grow(built.block, row.to, present, value);
    else if (Array.isArray(present)) present.push(value);
    else built.block[row.to] = [value];
  }

  /** How it ended, and the count of tokens: what is told later stands. */
  #update({ delta, usage }: WireEvent): void {
    if (isObject(delta)) this.#message = { ...this.#message, ...withoutNulls(delta) };
    if (!isObject(usage)) return;
    const before = isObject(this.#message['usage']) ? this.#message['usage'] : {};
    this.#message['usage'] = { ...before, ...withoutNulls(usage) };
  }
}

function grow(block: Json, member: string, present: unknown, value: unknown): void {
  block[member] = typeof present === 'string' && typeof value === 'string' ? present + value : value;
}

const withoutNulls = (value: Json): Json =>
  Object.fromEntries(Object.entries(value).filter(([, each]) => each !== null));

function blockText({ block, input }: Built): string {
  if (input === null || input.trim() === '' || !isJsonText(input)) return JSON.stringify(block);
  const { input: _input, ...rest } = block;
  const text = JSON.stringify(rest).slice(0, -1);
  return `${text}${text === '{' ? '' : ','}"input":${input}}`;
}

function isJsonText(text: string): boolean {
  try {
    JSON.parse(text);
    return true;
  } catch {
    return false;
  }
}
