import type { AnswerEvent } from '../../core/model/answer.ts';
import type { JsonObject, JsonValue } from '../../core/model/json-value.ts';
import { createFrameReader, isJsonObject, listOf, parseObject, readObject } from '../shared/json-object.ts';
import { nonEmpty } from '../shared/value.ts';
import type { AnswerDecoder } from '../translation.ts';
import { BlockReader } from './block-reader.ts';
import { isPlainEnd, readFinish } from './finish.ts';
import { readTierWord } from './tier-words.ts';
import { mergeUsage, NO_USAGE, type UsageParts, usageOf } from './usage.ts';

/** The content of a stream; see `AnswerDecoder`. */
export function createAnswerDecoder(): AnswerDecoder {
  return new MessagesAnswerDecoder();
}

class MessagesAnswerDecoder implements AnswerDecoder {
  readonly #answer = new AnswerReader();
  readonly #readFrames = createFrameReader((data) => {
    const event = parseObject(data);
    if (event !== null) this.#answer.read(event);
  });

  push(bytes: Uint8Array): readonly AnswerEvent[] {
    this.#readFrames(bytes);
    return this.#answer.take();
  }

  end(): readonly AnswerEvent[] {
    this.#answer.end();
    return this.#answer.take();
  }
}

/** A JSON answer that was found good; text that is none gives an answer of nothing. */
export function readAnswer(body: Uint8Array): readonly AnswerEvent[] {
  const answer = new AnswerReader();
  const message = readObject(body) ?? {};
  const { stop_reason, stop_sequence, usage } = message;
  // All is told in one place: the usage comes with the reason.
  const told =
    isJsonObject(usage) && usage['service_tier'] !== undefined ? { service_tier: usage['service_tier'] } : null;
  answer.read({ type: 'message_start', message: { ...message, usage: told } });
  answer.read({
    type: 'message_delta',
    delta: { stop_reason: stop_reason ?? null, stop_sequence: stop_sequence ?? null },
    usage: usage ?? null,
  });
  answer.end();
  return answer.take();
}

type Reader = (event: JsonObject) => void;

/** Events of the wire, one by one, as those of an answer. */
class AnswerReader {
  readonly #out: AnswerEvent[] = [];
  readonly #blocks = new BlockReader(this.#out);
  #usage: UsageParts = NO_USAGE;
  #hasStarted = false;
  #hasEnded = false;
  #finish: { readonly raw: string | null } | null = null;

  readonly #readers: ReadonlyMap<unknown, Reader> = new Map<unknown, Reader>([
    ['message_start', ({ message }) => this.#start(isJsonObject(message) ? message : {})],
    [
      'content_block_start',
      ({ index, content_block: block }) => this.#blocks.open(index, isJsonObject(block) ? block : {}),
    ],
    ['content_block_delta', ({ index, delta }) => this.#blocks.extend(index, isJsonObject(delta) ? delta : {})],
    ['content_block_stop', ({ index }) => this.#blocks.close(index)],
    ['message_delta', (event) => this.#update(event)],
  ]);

  take(): readonly AnswerEvent[] {
    return this.#out.splice(0);
  }

  read(event: JsonObject): void {
    const reader = this.#readers.get(event['type']);
    if (reader === undefined || this.#hasEnded) return;
    if (event['type'] !== 'message_start' && !this.#hasStarted) this.#start({});
    reader(event);
  }

  /** Where no reason was told, what came makes certain which it was. */
  end(): void {
    if (this.#hasEnded) return;
    if (!this.#hasStarted) this.#start({});
    this.#hasEnded = true;
    this.#blocks.closeAll();
    if (this.#finish === null) this.#end(this.#blocks.hasCalls ? 'tool_calls' : 'stop', null, null);
    this.#out.push({ type: 'end' });
  }

  #start(message: JsonObject): void {
    if (this.#hasStarted) return;
    this.#hasStarted = true;
    const usage = isJsonObject(message['usage']) ? message['usage'] : {};
    const tier = readTierWord(usage['service_tier']);
    this.#out.push({
      type: 'start',
      id: nonEmpty(message['id']),
      model: nonEmpty(message['model']),
      createdAt: null,
      ...(tier === null ? {} : { serviceTier: tier }),
    });
    // The number of output tokens is a placeholder at the start.
    this.#note({ ...usage, output_tokens: null });
    for (const [position, block] of listOf(message['content']).entries()) {
      if (!isJsonObject(block)) continue;
      this.#blocks.open(position, block);
      this.#blocks.close(position);
    }
  }

  #note(usage: JsonValue | undefined): void {
    const parts = mergeUsage(this.#usage, usage);
    if (parts === null) return;
    this.#usage = parts;
    // No prompt is of no tokens: nobody counted.
    const read = usageOf(
      parts.input === 0 && !parts.cacheRead && !parts.cacheWrite ? { ...parts, input: null } : parts,
    );
    if (read !== null) this.#out.push({ type: 'usage', usage: read });
  }

  #update({ delta, usage }: JsonObject): void {
    this.#note(usage);
    const { stop_reason: word, stop_sequence: sequence } = isJsonObject(delta) ? delta : {};
    const raw = nonEmpty(word);
    if (raw === null || this.#finish !== null) return;
    this.#blocks.closeAll();
    const { hasCalls, hasContent } = this.#blocks;
    // That the turn has plainly ended, behind a call, is not what the provider meant.
    const reason = hasCalls && isPlainEnd(raw) ? 'tool_calls' : readFinish(raw, hasContent);
    this.#end(reason, raw, nonEmpty(sequence));
  }

  #end(reason: ReturnType<typeof readFinish>, raw: string | null, stopSequence: string | null): void {
    this.#finish = { raw };
    this.#out.push({ type: 'finish', choice: 0, reason, raw, ...(stopSequence === null ? {} : { stopSequence }) });
  }
}
