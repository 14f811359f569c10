import type { AnswerEvent } from '../../core/model/answer.ts';
import type { JsonObject } from '../../core/model/json-value.ts';
import { UNKNOWN_USAGE, type Usage } from '../../core/model/usage.ts';
import type { AnswerOptions } from '../translation.ts';
import { BlockWriter } from './block-writer.ts';
import { type Ending, writeFinish } from './finish.ts';
import { writeTierWord } from './tier-words.ts';
import type { WireOut } from './wire-out.ts';

type Finish = Extract<AnswerEvent, { readonly type: 'finish' }>;

/**
 * Events of an answer as those of the wire, in a valid order whatever comes in: the start, blocks one after the other,
 * the reason with the usage, the end. There is one choice here; others are not told.
 */
export class AnswerWriter {
  readonly #options: AnswerOptions;
  readonly #out: WireOut[] = [];
  readonly #blocks: BlockWriter;
  #start: Extract<AnswerEvent, { readonly type: 'start' }> | null = null;
  #usage: Usage = UNKNOWN_USAGE;
  #finish: Ending | null = null;
  /** `waits`: it is to be told, with the usage if that comes along. */
  #phase: 'new' | 'waits' | 'started' | 'ended' = 'new';

  constructor(options: AnswerOptions) {
    this.#options = options;
    this.#blocks = new BlockWriter(this.#out, options.createId);
  }

  write(events: readonly AnswerEvent[]): readonly WireOut[] {
    for (const event of events) if (this.#phase !== 'ended') this.#take(event);
    if (this.#phase === 'waits') this.#begin();
    return this.#out.splice(0);
  }

  #take(event: AnswerEvent): void {
    if (event.type === 'usage') this.#usage = event.usage;
    else if (event.type === 'start') {
      if (this.#phase !== 'new') return;
      this.#phase = 'waits';
      this.#start = event;
    } else {
      this.#begin();
      if (event.type === 'finish') this.#end(event);
      else if (event.type === 'end') this.#stop();
      else if (this.#finish === null) this.#blocks.take(event);
    }
  }

  #begin(): void {
    if (this.#phase === 'started') return;
    this.#phase = 'started';
    const id = this.#start?.id ?? '';
    const tier = this.#start?.serviceTier;
    this.#out.push({
      type: 'message_start',
      message: {
        id: id.startsWith('msg_') ? id : this.#options.createId('msg_'),
        type: 'message',
        role: 'assistant',
        model: this.#options.model,
        content: [],
        stop_reason: null,
        stop_sequence: null,
        usage: {
          ...inputUsage(this.#usage),
          // A placeholder, as the provider's own is: the number comes with the reason.
          output_tokens: 0,
          ...(tier === undefined ? {} : { service_tier: writeTierWord(tier) }),
        },
      },
    });
  }

  #end({ choice, reason, raw, stopSequence }: Finish): void {
    if (choice !== 0 || this.#finish !== null) return;
    this.#finish = { reason, raw, ...(stopSequence === undefined ? {} : { stopSequence }) };
    this.#blocks.closeAll();
  }

  #stop(): void {
    this.#blocks.closeAll();
    this.#phase = 'ended';
    const ending = this.#finish ?? { reason: 'stop', raw: null };
    const { outputTokens, reasoningTokens } = this.#usage;
    this.#out.push(
      {
        type: 'message_delta',
        delta: { stop_reason: writeFinish(ending, this.#blocks.hasCalls), stop_sequence: ending.stopSequence ?? null },
        usage: {
          ...(this.#usage.inputTokens === null ? {} : inputUsage(this.#usage)),
          // Client libraries take it for a number, without looking whether it is one.
          output_tokens: outputTokens ?? 0,
          ...(reasoningTokens === null ? {} : { output_tokens_details: { thinking_tokens: reasoningTokens } }),
        },
      },
      { type: 'message_stop' },
    );
  }
}

/** Here `input_tokens` leaves out what came out of the cache or went into it; 0 stands for a count that nobody told. */
function inputUsage({ inputTokens, cachedTokens, cacheWriteTokens }: Usage): JsonObject {
  const rest = (inputTokens ?? 0) - (cachedTokens ?? 0) - (cacheWriteTokens ?? 0);
  return {
    input_tokens: Math.max(0, rest),
    cache_creation_input_tokens: cacheWriteTokens,
    cache_read_input_tokens: cachedTokens,
  };
}
