import type { OpaqueState } from '../../core/model/content.ts';
import type { JsonObject } from '../../core/model/json-value.ts';
import type { BlockWriter, Ids, ItemWriter, SayOfItem } from './item-writer.ts';
import { PROTOCOL } from './members.ts';
import { openState, sealState } from './reasoning-state.ts';

/** A reasoning item: its summary in sections, or the thoughts. Its id has to be the one that its seal was made for. */
export class ReasoningItem implements ItemWriter, BlockWriter {
  readonly #isSummary: boolean;
  readonly #texts: string[] = [];
  readonly #ids: Ids;
  #id: string | null = null;
  #section = 0;
  #isOpen = false;
  #state: OpaqueState | null = null;

  constructor(isSummary: boolean, ids: Ids) {
    this.#isSummary = isSummary;
    this.#ids = ids;
  }

  /** Decided when it is asked for first. */
  get id(): string {
    this.#id ??= this.#ids.keep(this.#state === null ? null : openState(this.#state).id, 'rs_');
    return this.#id;
  }

  seal(state: OpaqueState): void {
    if (state.issuer === PROTOCOL) this.#state = state;
  }

  get opened(): JsonObject {
    return { id: this.id, type: 'reasoning', summary: [] };
  }

  snapshot(): JsonObject {
    const parts = this.#texts.map((text) => this.#part(text));
    const sealed = this.#state === null ? null : sealState(this.#state, this.id);
    return {
      ...this.opened,
      ...(this.#isSummary ? { summary: parts } : parts.length > 0 ? { content: parts } : {}),
      ...(sealed === null ? {} : { encrypted_content: sealed }),
    };
  }

  delta(text: string, section: number | undefined, say: SayOfItem): void {
    if (this.#isSummary && this.#isOpen && section !== undefined && section > this.#section) this.#close(say);
    this.#section = Math.max(this.#section, section ?? 0);
    if (!this.#isOpen) {
      this.#isOpen = true;
      this.#texts.push('');
      say(`${this.#stem}_part.added`, { ...this.#place, part: this.#part('') });
    }
    this.#texts.push((this.#texts.pop() ?? '') + text);
    say(`${this.#textStem}.delta`, { ...this.#place, delta: text });
  }

  cite(): void {}

  weigh(): void {}

  end(say: SayOfItem): void {
    if (this.#isOpen) this.#close(say);
  }

  #close(say: SayOfItem): void {
    this.#isOpen = false;
    const text = this.#texts.at(-1) ?? '';
    say(`${this.#textStem}.done`, { ...this.#place, text });
    say(`${this.#stem}_part.done`, { ...this.#place, part: this.#part(text) });
  }

  get #stem(): string {
    return this.#isSummary ? 'response.reasoning_summary' : 'response.content';
  }

  get #textStem(): string {
    return this.#isSummary ? 'response.reasoning_summary_text' : 'response.reasoning_text';
  }

  get #place(): JsonObject {
    const at = this.#texts.length - 1;
    return this.#isSummary ? { summary_index: at } : { content_index: at };
  }

  #part(text: string): JsonObject {
    return { type: this.#isSummary ? 'summary_text' : 'reasoning_text', text };
  }
}
