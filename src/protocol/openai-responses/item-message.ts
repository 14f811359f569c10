import type { BlockStart } from '../../core/model/answer.ts';
import type { Citation } from '../../core/model/content.ts';
import type { JsonObject, JsonValue } from '../../core/model/json-value.ts';
import { writeAnnotation } from './citation.ts';
import type { BlockWriter, Ids, ItemWriter, SayOfItem } from './item-writer.ts';

/** A message, whose content grows part by part. */
export class MessageItem implements ItemWriter {
  readonly id: string;
  readonly parts: (() => JsonObject)[] = [];

  constructor(ids: Ids) {
    this.id = ids.create('msg_');
  }

  get opened(): JsonObject {
    return { id: this.id, type: 'message', status: 'in_progress', role: 'assistant', content: [] };
  }

  snapshot(status: string): JsonObject {
    return { ...this.opened, status, content: this.parts.map((part) => part()) };
  }

  /** Opens the next part. */
  openPart(content: BlockStart, say: SayOfItem): BlockWriter {
    const place = { content_index: this.parts.length };
    const opened = partOf(content);
    const part = opened === null ? new TextWriter(place) : null;
    const snapshot = (): JsonObject => part?.snapshot(content.type === 'refusal') ?? opened ?? {};
    this.parts.push(snapshot);
    say('response.content_part.added', { ...place, part: snapshot() });
    const isRefusal = content.type === 'refusal';
    return {
      delta: (text) => part?.delta(text, isRefusal, say),
      cite: (citation) => (isRefusal ? undefined : part?.cite(citation, say)),
      weigh: (probs) => part?.weigh(probs),
      end: () => {
        part?.end(isRefusal, say);
        say('response.content_part.done', { ...place, part: snapshot() });
      },
    };
  }
}

/** A part that is whole from the start; null: one that is said piece by piece. */
const partOf = (content: BlockStart): JsonObject | null =>
  content.type === 'audio' ? { type: 'output_audio', data: content.data, transcript: content.transcript ?? '' } : null;

class TextWriter {
  readonly #place: JsonObject;
  readonly #annotations: JsonObject[] = [];
  readonly #logprobs: JsonValue[] = [];
  #waiting: readonly JsonValue[] = [];
  #text = '';

  constructor(place: JsonObject) {
    this.#place = place;
  }

  snapshot(isRefusal: boolean): JsonObject {
    if (isRefusal) return { type: 'refusal', refusal: this.#text };
    return {
      type: 'output_text',
      annotations: [...this.#annotations],
      logprobs: [...this.#logprobs],
      text: this.#text,
    };
  }

  delta(text: string, isRefusal: boolean, say: SayOfItem): void {
    this.#text += text;
    if (isRefusal) say('response.refusal.delta', { ...this.#place, delta: text });
    else {
      this.#logprobs.push(...this.#waiting);
      say('response.output_text.delta', { ...this.#place, delta: text, logprobs: this.#waiting });
      this.#waiting = [];
    }
  }

  cite(citation: Citation, say: SayOfItem): void {
    const annotation = writeAnnotation(citation, this.#text.length);
    if (annotation === null) return;
    const place = { ...this.#place, annotation_index: this.#annotations.length };
    this.#annotations.push(annotation);
    say('response.output_text.annotation.added', { ...place, annotation });
  }

  weigh(content: readonly JsonValue[]): void {
    this.#waiting = [...this.#waiting, ...content];
  }

  end(isRefusal: boolean, say: SayOfItem): void {
    if (this.#waiting.length > 0) this.delta('', isRefusal, say);
    if (isRefusal) say('response.refusal.done', { ...this.#place, refusal: this.#text });
    else say('response.output_text.done', { ...this.#place, text: this.#text, logprobs: [...this.#logprobs] });
  }
}
