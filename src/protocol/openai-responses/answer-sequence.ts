import type { AnswerEvent, BlockStart } from '../../core/model/answer.ts';
import type { FinishReason } from '../../core/model/finish.ts';
import type { JsonObject, JsonValue } from '../../core/model/json-value.ts';
import type { Usage } from '../../core/model/usage.ts';
import type { AnswerOptions } from '../translation.ts';
import { type ResponseHead, responseObject, writeUsage } from './answer-response.ts';
import { writeFinish } from './finish.ts';
import { CallItem } from './item-call.ts';
import { MessageItem } from './item-message.ts';
import { ReasoningItem } from './item-reasoning.ts';
import { WholeItem } from './item-whole.ts';
import { type BlockWriter, createIds, type Ids, type ItemWriter } from './item-writer.ts';

export type WireEvent = { readonly type: string } & JsonObject;

/** An item that was opened, and its place in the output. */
type Slot = { readonly index: number; readonly item: ItemWriter; open: number; done: JsonObject | null };

type Block = { readonly slot: Slot; readonly writer: BlockWriter };

/** Log probabilities before the text that they were told behind, so that one event can carry both. */
function withWeightsFirst(events: readonly AnswerEvent[]): readonly AnswerEvent[] {
  const list = [...events];
  for (const [i, event] of list.entries()) {
    const next = list[i + 1];
    if (event.type === 'delta' && next?.type === 'logprobs') list.splice(i, 2, next, event);
  }
  return list;
}

/**
 * The events of an answer, in an order that holds whatever comes in: the response is opened, each item is opened, said
 * and closed, and the response is closed with all of them. Texts that follow each other are parts of one message; every
 * other block is an item of its own. Blocks that overlap are items that overlap. What belongs to no open block, or comes
 * behind the end, is left out; only choice 0 can be told.
 */
export class AnswerSequence {
  readonly #options: AnswerOptions;
  readonly #ids: Ids;
  readonly #blocks = new Map<number, Block>();
  readonly #slots: Slot[] = [];
  #out: WireEvent[] = [];
  #head: ResponseHead | null = null;
  /** A reasoning item that was not shown yet: its seal may come first, and with it its id. */
  #held: { readonly block: number; readonly item: ReasoningItem } | null = null;
  /** The last text block. */
  #text: number | null = null;
  /** Log probabilities that no text was said for yet. */
  readonly #weights: JsonValue[] = [];
  #usage: Usage | null = null;
  #finish: FinishReason | null = null;
  #hasRefusal = false;
  #sequence = 0;
  #isOver = false;

  constructor(options: AnswerOptions) {
    this.#options = options;
    this.#ids = createIds(options.createId);
  }

  /** The number of the last event; null: none so far. */
  get lastNumber(): number | null {
    return this.#sequence === 0 ? null : this.#sequence - 1;
  }

  /** The id that the client was told; null: none so far. */
  get answerId(): string | null {
    return this.#head?.id ?? null;
  }

  push(events: readonly AnswerEvent[]): readonly WireEvent[] {
    this.#out = [];
    for (const event of withWeightsFirst(events)) if (!this.#isOver) this.#take(event);
    this.#flushWeights();
    return this.#out;
  }

  #take(event: AnswerEvent): void {
    if (event.type === 'start') this.#start(event);
    else if (event.type === 'usage') this.#usage = event.usage;
    else if (event.type === 'end') this.#end();
    else if (this.#finish !== null) return;
    else if (event.type === 'finish') {
      if (event.choice === 0) this.#close(event.reason);
    } else if (event.type === 'logprobs') {
      if (event.choice === 0) this.#weights.push(...event.content);
    } else if (event.type === 'block_start') {
      if (event.choice === 0) this.#startBlock(event.block, event.content);
    } else this.#takeOfBlock(event);
  }

  #takeOfBlock(event: Extract<AnswerEvent, { type: 'delta' | 'citation' | 'state' | 'block_end' }>): void {
    const held = this.#held?.block === event.block ? this.#held.item : null;
    if (event.type === 'state') {
      const item = held ?? this.#blocks.get(event.block)?.writer;
      if (item instanceof ReasoningItem) item.seal(event.state);
      return;
    }
    if (event.type === 'delta' && event.text === '') return;
    if (held !== null && event.type !== 'citation') this.#showHeld();
    const block = this.#blocks.get(event.block);
    if (block === undefined) return;
    const say = this.#sayOf(block.slot);
    if (event.type === 'delta') {
      if (event.block === this.#text) block.writer.weigh(this.#weights.splice(0));
      block.writer.delta(event.text, event.section, say);
    } else if (event.type === 'citation') block.writer.cite(event.citation, say);
    else this.#endBlock(event.block, true);
  }

  #say(type: string, members: JsonObject): void {
    this.#out.push({ type, sequence_number: this.#sequence++, ...members });
  }

  #sayOf(slot: Slot): (type: string, members: JsonObject) => void {
    return (type, members) => {
      this.#say(type, { item_id: slot.item.id, output_index: slot.index, ...members });
    };
  }

  #start(event: Partial<Extract<AnswerEvent, { type: 'start' }>>): ResponseHead {
    if (this.#head !== null) return this.#head;
    const { id = null, createdAt = null, serviceTier = null } = event;
    this.#head = {
      id: id?.startsWith('resp_') === true ? id : this.#ids.create('resp_'),
      model: this.#options.model,
      createdAt: createdAt ?? this.#options.now,
      isStored: this.#options.isStored === true,
      serviceTier,
    };
    const response = responseObject(this.#head, [], null, null);
    this.#say('response.created', { response });
    this.#say('response.in_progress', { response });
    return this.#head;
  }

  #startBlock(number: number, content: BlockStart): void {
    this.#start({});
    if (this.#held !== null) this.#showHeld();
    this.#endBlock(number, true);
    if (content.type === 'reasoning') {
      this.#closeMessage();
      this.#held = { block: number, item: new ReasoningItem(content.isSummary, this.#ids) };
      return;
    }
    if (content.type === 'text' || content.type === 'refusal' || content.type === 'audio') {
      this.#startPart(number, content);
      return;
    }
    const item = this.#itemFor(content);
    if (item === null) return;
    this.#openItem(number, item);
    if (item instanceof WholeItem) this.#endBlock(number, true);
  }

  #itemFor(
    content: Exclude<BlockStart, { type: 'text' | 'refusal' | 'audio' | 'reasoning' }>,
  ): CallItem | WholeItem | null {
    if (content.type === 'tool_call') return new CallItem(content, this.#ids);
    return content.type === 'image' ? WholeItem.ofImage(content, this.#ids) : WholeItem.ofNative(content, this.#ids);
  }

  #startPart(number: number, content: Extract<BlockStart, { type: 'text' | 'refusal' | 'audio' }>): void {
    const last = this.#slots.at(-1);
    const isOpen = last !== undefined && last.done === null && last.item instanceof MessageItem;
    const slot = isOpen ? last : this.#open(new MessageItem(this.#ids));
    const writer = (slot.item as MessageItem).openPart(content, this.#sayOf(slot));
    slot.open++;
    this.#blocks.set(number, { slot, writer });
    if (content.type === 'refusal') this.#hasRefusal = true;
    if (content.type === 'text') this.#text = number;
    if (content.type === 'audio') this.#endBlock(number, true);
  }

  #open(item: ItemWriter): Slot {
    this.#closeMessage();
    const slot: Slot = { index: this.#slots.length, item, open: 0, done: null };
    this.#slots.push(slot);
    this.#say('response.output_item.added', { output_index: slot.index, item: item.opened });
    return slot;
  }

  #openItem(number: number, item: ItemWriter & BlockWriter): void {
    const slot = this.#open(item);
    slot.open++;
    this.#blocks.set(number, { slot, writer: item });
  }

  #showHeld(): void {
    const held = this.#held;
    this.#held = null;
    if (held !== null) this.#openItem(held.block, held.item);
  }

  /** Weights without a text behind them go with the one that is open: a delta of nothing carries them. */
  #flushWeights(): void {
    const block = this.#text === null ? undefined : this.#blocks.get(this.#text);
    if (this.#weights.length === 0 || block === undefined) return;
    block.writer.weigh(this.#weights.splice(0));
    block.writer.delta('', undefined, this.#sayOf(block.slot));
  }

  #endBlock(number: number, isWhole: boolean): void {
    const block = this.#blocks.get(number);
    if (block === undefined) return;
    if (number === this.#text) this.#flushWeights();
    this.#blocks.delete(number);
    block.writer.end(this.#sayOf(block.slot), isWhole);
    const { slot } = block;
    slot.open--;
    // More may be said in the message that stands last.
    if (slot.open === 0 && !(slot.item instanceof MessageItem && slot === this.#slots.at(-1)))
      this.#done(slot, isWhole);
  }

  #closeMessage(): void {
    const last = this.#slots.at(-1);
    if (last !== undefined && last.done === null && last.open === 0) this.#done(last, true);
  }

  #done(slot: Slot, isWhole: boolean): void {
    slot.done = slot.item.snapshot(isWhole ? 'completed' : 'incomplete');
    this.#say('response.output_item.done', { output_index: slot.index, item: slot.done });
  }

  #close(reason: FinishReason): void {
    this.#start({});
    this.#showHeld();
    const isWhole = writeFinish(reason, this.#hasRefusal).status === 'completed';
    for (const number of this.#blocks.keys()) this.#endBlock(number, isWhole);
    const last = this.#slots.at(-1);
    if (last !== undefined && last.done === null) this.#done(last, isWhole);
    this.#finish = reason;
  }

  #end(): void {
    const head = this.#start({});
    if (this.#finish === null) this.#close('unknown');
    const ending = writeFinish(this.#finish ?? 'unknown', this.#hasRefusal);
    const output = this.#slots.map(({ done }) => done).filter((item) => item !== null);
    this.#say(`response.${ending.status}`, {
      response: responseObject(head, output, ending, writeUsage(this.#usage)),
    });
    this.#isOver = true;
  }
}
