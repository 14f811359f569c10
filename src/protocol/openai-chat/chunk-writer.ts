import type { AnswerEvent } from '../../core/model/answer.ts';
import type { JsonObject, JsonValue } from '../../core/model/json-value.ts';
import { UNKNOWN_USAGE, type Usage } from '../../core/model/usage.ts';
import type { AnswerOptions } from '../translation.ts';
import { ChoiceWriter } from './choice-writer.ts';
import { writeUsage } from './usage.ts';

/** As many as may be asked for. */
const MAX_CHOICES = 128;

type Started = AnswerEvent & { readonly type: 'block_start' };
type Filling = AnswerEvent & { readonly type: 'delta' | 'citation' | 'state' | 'block_end' };

/** Makes chunks of an answer's events: a valid sequence, whatever comes. Nothing comes behind the end. */
export class ChunkWriter {
  readonly #options: AnswerOptions;
  readonly #choices = new Map<number, ChoiceWriter>();
  /** Whose each block is, for as long as it is open. */
  readonly #owners = new Map<number, ChoiceWriter>();
  readonly #seen = new Set<number>();
  #head: JsonObject | null = null;
  #usage: Usage = UNKNOWN_USAGE;
  #out: JsonObject[] = [];
  isDone = false;

  constructor(options: AnswerOptions) {
    this.#options = options;
  }

  /** The chunks of these events, as objects. */
  push(events: readonly AnswerEvent[]): readonly JsonObject[] {
    for (const event of events) if (!this.isDone) this.#take(event);
    for (const choice of this.#choices.values()) choice.flush();
    return this.#out.splice(0);
  }

  #take(event: AnswerEvent): void {
    switch (event.type) {
      case 'start':
        this.#head ??= headOf(event, this.#options);
        return;
      case 'block_start':
        this.#open(event);
        return;
      case 'delta':
      case 'citation':
      case 'state':
      case 'block_end':
        this.#fill(event);
        return;
      case 'logprobs':
        this.#choice(event.choice)?.weigh(event.content);
        return;
      case 'usage':
        this.#usage = event.usage;
        return;
      case 'finish':
        this.#choice(event.choice)?.finish(event.reason);
        return;
      case 'end':
        this.#end();
    }
  }

  /** Nothing for a block that was never opened, or is closed. */
  #fill(event: Filling): void {
    const { block } = event;
    const owner = this.#owners.get(block);
    if (event.type === 'delta') owner?.grow(block, event.text, event.section);
    else if (event.type === 'citation') owner?.cite(block, event.citation);
    else if (event.type === 'state') owner?.keep(block, event.state);
    else {
      owner?.close(block);
      this.#owners.delete(block);
    }
  }

  #open({ block, choice, content }: Started): void {
    const owner = this.#seen.has(block) ? null : this.#choice(choice);
    if (owner === null || !owner.open(block, content)) return;
    this.#seen.add(block);
    this.#owners.set(block, owner);
  }

  /** Null for a number that no choice can have. */
  #choice(index: number): ChoiceWriter | null {
    if (!Number.isInteger(index) || index < 0 || index >= MAX_CHOICES) return null;
    const known = this.#choices.get(index);
    if (known !== undefined) return known;
    const choice = new ChoiceWriter(index, this.#options, (wire) => this.#emit([wire]));
    this.#choices.set(index, choice);
    return choice;
  }

  #emit(choices: readonly JsonValue[], usage: JsonObject | null = null): void {
    this.#head ??= headOf(null, this.#options);
    // Where usage was asked for, every chunk has the member, and only the last one a value.
    this.#out.push({ ...this.#head, choices, ...(this.#options.usageAsked ? { usage } : {}) });
  }

  /** What did not finish ends here. Client libraries fail at a hole in the choices, and where there are none. */
  #end(): void {
    for (let index = Math.max(0, ...this.#choices.keys()); index >= 0; index--) this.#choice(index);
    for (const [, choice] of [...this.#choices].toSorted(([a], [b]) => a - b)) choice.finish(null);
    const usage = writeUsage(this.#usage);
    if (this.#options.usageAsked && usage !== null) this.#emit([], usage);
    this.isDone = true;
  }
}

/** The id of an answer that this protocol did not give would be taken for one that it knows. */
const OWN_ID = /^chatcmpl-/;

/** The documented tiers, and what other protocols call them; any other word means nothing here. */
const TIERS: ReadonlyMap<string | undefined, string> = new Map([
  ...['auto', 'default', 'flex', 'scale', 'priority', 'fast'].map((tier) => [tier, tier] as const),
  ['standard', 'default'],
]);

function headOf(start: (AnswerEvent & { readonly type: 'start' }) | null, options: AnswerOptions): JsonObject {
  const id = start?.id ?? '';
  const tier = TIERS.get(start?.serviceTier);
  return {
    id: OWN_ID.test(id) ? id : options.createId('chatcmpl-'),
    object: 'chat.completion.chunk',
    created: Math.floor((start?.createdAt ?? options.now) / 1000),
    model: options.model,
    ...(tier === undefined ? {} : { service_tier: tier }),
  };
}
