import type { AnswerEvent, BlockStart } from '../../core/model/answer.ts';
import type { FinishReason } from '../../core/model/finish.ts';
import type { JsonObject, JsonValue } from '../../core/model/json-value.ts';
import type { Usage } from '../../core/model/usage.ts';
import { isJsonObject } from '../shared/json-object.ts';
import { mintId } from '../shared/mend-list.ts';
import { type Cited, writeCitations } from './citations.ts';
import { writeFinish } from './finish.ts';
import { writeLogprobs } from './logprobs.ts';
import { writeArgs } from './part-write.ts';
import { writeUsage } from './usage.ts';

/** A part that is due, of which candidate. */
export type Due = { readonly choice: number; readonly part: JsonObject };

type Block = {
  readonly choice: number;
  readonly content: BlockStart;
  text: string;
  /** Of the text, what has not been given out: another block of its kind is at it. */
  held: string;
  state: string | null;
  readonly citations: Cited['citation'][];
  section: number | undefined;
  isEnded: boolean;
};

type Choice = {
  /** Open blocks of text and of thoughts; the first of each is given out piece by piece. */
  readonly queues: { readonly text: Block[]; readonly thought: Block[] };
  /** Waits for the part that it belongs to. */
  signature: string | null;
  readonly cited: { readonly block: Block; readonly citation: Cited['citation'] }[];
  readonly logprobs: JsonValue[];
  readonly metadata: [string, JsonObject][];
  finish: string | null;
};

type Start = Extract<AnswerEvent, { type: 'start' }>;

/** Ends behind which a call that is still open is not whole. */
const CUTS: ReadonlySet<FinishReason> = new Set(['length', 'content_filter', 'refusal']);

/** Natives that stand at a candidate, not among its parts. */
const METADATA: ReadonlySet<string> = new Set(['groundingMetadata', 'urlContextMetadata', 'citationMetadata']);

/**
 * Turns events into parts, in order, and keeps what only the last chunk tells. Whatever comes in: unknown and closed
 * blocks get nothing, a second start changes nothing, and behind the end nothing is said.
 */
export class PartFlow {
  readonly #blocks = new Map<number, Block>();
  readonly #choices = new Map<number, Choice>();
  readonly #callIds = new Set<string>();
  #due: Due[] = [];
  #usage: Usage | null = null;
  start: Start | null = null;
  isEnded = false;

  /** The parts that are due behind these events. */
  push(events: readonly AnswerEvent[]): readonly Due[] {
    for (const event of events) if (!this.isEnded) this.#take(event);
    const due = this.#due;
    this.#due = [];
    return due;
  }

  /** What the last chunk holds: each candidate that began, and usage. */
  lasts(): { readonly candidates: readonly (JsonObject & { index: number })[]; readonly usage: object | null } {
    const candidates = [...this.#choices]
      .toSorted(([a], [b]) => a - b)
      .map(([index, choice]) => ({
        ...(choice.finish === null ? {} : { finishReason: choice.finish }),
        index,
        ...this.#metadata(choice),
      }));
    return { candidates, usage: this.#usage === null ? null : writeUsage(this.#usage) };
  }

  #metadata({ cited, logprobs, metadata }: Choice): JsonObject {
    const citations = writeCitations(cited.map(({ block, citation }) => ({ citation, text: block.text })));
    const members = Object.entries(citations);
    for (const [name, value] of metadata) {
      const before = members.findIndex(([known]) => known === name);
      const known = members[before]?.[1];
      if (before < 0) members.push([name, value]);
      else members[before] = [name, { ...(isJsonObject(known) ? known : {}), ...value }];
    }
    if (logprobs.length > 0) members.push(['logprobsResult', writeLogprobs(logprobs)]);
    return Object.fromEntries(members);
  }

  #take(event: AnswerEvent): void {
    switch (event.type) {
      case 'start':
        this.start ??= event;
        break;
      case 'block_start':
        this.#open(event.block, event.choice, event.content);
        break;
      case 'logprobs':
        this.#choiceOf(event.choice).logprobs.push(...event.content);
        break;
      case 'usage':
        this.#usage = event.usage;
        break;
      case 'finish':
        this.#finish(event.choice, event.reason, event.raw);
        break;
      case 'end':
        this.#endAll();
        break;
      default:
        this.#change(event);
    }
  }

  #change(event: Extract<AnswerEvent, { type: 'delta' | 'citation' | 'state' | 'block_end' }>): void {
    const block = this.#blocks.get(event.block);
    if (block === undefined || block.isEnded) return;
    if (event.type === 'delta') this.#grow(block, event.text, event.section);
    else if (event.type === 'citation') {
      if (block.content.type === 'text') this.#choiceOf(block.choice).cited.push({ block, citation: event.citation });
    } else if (event.type === 'state') {
      if (event.state.issuer === 'gemini') block.state = event.state.value;
    } else this.#close(block);
  }

  #choiceOf(index: number): Choice {
    const known = this.#choices.get(index);
    if (known !== undefined) return known;
    const choice: Choice = {
      queues: { text: [], thought: [] },
      signature: null,
      cited: [],
      logprobs: [],
      metadata: [],
      finish: null,
    };
    this.#choices.set(index, choice);
    return choice;
  }

  #open(number: number, index: number, content: BlockStart): void {
    const choice = this.#choiceOf(index);
    if (this.#blocks.has(number) || choice.finish !== null) return;
    const block: Block = {
      choice: index,
      content,
      text: '',
      held: '',
      state: null,
      citations: [],
      section: undefined,
      isEnded: false,
    };
    this.#blocks.set(number, block);
    queueOf(choice, content)?.push(block);
    if (content.type === 'image' || content.type === 'audio') {
      this.#give(block, { inlineData: { mimeType: content.mediaType, data: content.data } });
    } else if (content.type === 'native' && content.protocol === 'gemini') {
      if (METADATA.has(content.what)) choice.metadata.push([content.what, content.value]);
      else this.#give(block, content.value);
    }
  }

  #grow(block: Block, text: string, section: number | undefined): void {
    const isNext = section !== undefined && block.section !== undefined && section !== block.section;
    block.section = section ?? block.section;
    const added = isNext && block.text !== '' ? `\n\n${text}` : text;
    block.text += added;
    const queue = queueOf(this.#choiceOf(block.choice), block.content);
    if (queue === null) return;
    if (queue[0] === block) this.#say(block, added);
    else block.held += added;
  }

  #say(block: Block, text: string): void {
    if (text !== '') this.#give(block, block.content.type === 'reasoning' ? { text, thought: true } : { text });
  }

  /** A part, with the signature that waited for it where it is none of its own. */
  #give({ choice: index, content }: Pick<Block, 'choice' | 'content'>, part: JsonObject): void {
    const choice = this.#choiceOf(index);
    if (content.type === 'reasoning' || content.type === 'tool_call') this.#flush(index, choice);
    const { signature } = choice;
    choice.signature = null;
    this.#due.push({ choice: index, part: signature === null ? part : { ...part, thoughtSignature: signature } });
  }

  #flush(index: number, choice: Choice): void {
    if (choice.signature === null) return;
    this.#due.push({ choice: index, part: { text: '', thoughtSignature: choice.signature } });
    choice.signature = null;
  }

  #close(block: Block): void {
    block.isEnded = true;
    const queue = queueOf(this.#choiceOf(block.choice), block.content);
    if (block.content.type === 'tool_call') this.#giveCall(block, block.content);
    if (queue === null || queue[0] !== block) return;
    for (let first = queue[0]; first?.isEnded; first = queue[0]) {
      this.#sign(first);
      queue.shift();
      const next = queue[0];
      if (next !== undefined) this.#say(next, next.held);
    }
  }

  /** The signature of thoughts follows them; without any it belongs to what comes next. */
  #sign(block: Block): void {
    if (block.content.type !== 'reasoning' || block.state === null) return;
    if (block.text !== '') this.#give(block, { text: '', thought: true, thoughtSignature: block.state });
    else {
      const choice = this.#choiceOf(block.choice);
      this.#flush(block.choice, choice);
      choice.signature = block.state;
    }
  }

  #giveCall(block: Block, { id: given, name, kind }: Extract<BlockStart, { type: 'tool_call' }>): void {
    if (name === '') return;
    const isTaken = (taken: string): boolean => this.#callIds.has(taken);
    const id = given === '' || isTaken(given) ? mintId('call_', name, this.#callIds.size, isTaken) : given;
    this.#callIds.add(id);
    const args = kind === 'custom' ? { input: block.text } : writeArgs(block.text);
    const signature = block.state === null ? {} : { thoughtSignature: block.state };
    this.#give(block, { functionCall: { id, name, args }, ...signature });
  }

  #finish(index: number, reason: FinishReason, raw: string | null): void {
    const choice = this.#choiceOf(index);
    if (choice.finish !== null) return;
    for (const block of this.#blocks.values()) {
      if (block.choice !== index || block.isEnded) continue;
      // Here a call is whole or is none.
      if (CUTS.has(reason) && block.content.type === 'tool_call') block.isEnded = true;
      else this.#close(block);
    }
    this.#flush(index, choice);
    choice.finish = writeFinish(reason, raw);
  }

  /** An answer that ends without a reason for one of its candidates has none to tell. */
  #endAll(): void {
    if (this.#choices.size === 0) this.#choiceOf(0);
    for (const [index, { finish }] of this.#choices) if (finish === null) this.#finish(index, 'unknown', null);
    this.isEnded = true;
  }
}

function queueOf({ queues }: Choice, { type }: BlockStart): Block[] | null {
  if (type === 'text' || type === 'refusal') return queues.text;
  return type === 'reasoning' ? queues.thought : null;
}

/** Pieces of one text are one part; a signature stands at the first of them, and alone where there is no text. */
export function joinParts(parts: readonly JsonObject[]): JsonObject[] {
  const joined: JsonObject[] = [];
  for (const part of parts) {
    const last = joined.at(-1);
    const text = last === undefined ? null : joinedText(last, part);
    if (text === null) joined.push(part);
    else joined[joined.length - 1] = { ...last, text };
  }
  return joined;
}

/** The text of two parts, if the second goes on with the first. */
function joinedText(last: JsonObject, part: JsonObject): string | null {
  const { text: before, thought, thoughtSignature: signature } = last;
  const { text } = part;
  if (typeof before !== 'string' || typeof text !== 'string' || thought !== part['thought']) return null;
  const isSigned = signature !== undefined && (before === '' || thought === true);
  return isSigned || part['thoughtSignature'] !== undefined ? null : before + text;
}
