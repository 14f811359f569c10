import type { BlockStart } from '../../core/model/answer.ts';
import type { JsonObject } from '../../core/model/json-value.ts';
import type { BlockWriter, Ids, ItemWriter, SayOfItem } from './item-writer.ts';

type CallStart = Extract<BlockStart, { type: 'tool_call' }>;

/** A call of a tool that the client runs. */
export class CallItem implements ItemWriter, BlockWriter {
  readonly id: string;
  readonly #head: JsonObject;
  readonly #member: 'arguments' | 'input';
  readonly #stem: string;
  #text = '';

  constructor({ kind, name, namespace, id }: CallStart, ids: Ids) {
    const isCustom = kind === 'custom';
    this.id = ids.create(isCustom ? 'ctc_' : 'fc_');
    this.#member = isCustom ? 'input' : 'arguments';
    this.#stem = isCustom ? 'response.custom_tool_call_input' : 'response.function_call_arguments';
    this.#head = {
      type: isCustom ? 'custom_tool_call' : 'function_call',
      call_id: ids.keep(id, 'call_'),
      name,
      ...(namespace === undefined ? {} : { namespace }),
    };
  }

  get opened(): JsonObject {
    return this.#shown('in_progress');
  }

  snapshot(status: string): JsonObject {
    return this.#shown(status);
  }

  delta(text: string, _section: number | undefined, say: SayOfItem): void {
    this.#text += text;
    say(`${this.#stem}.delta`, { delta: text });
  }

  cite(): void {}

  weigh(): void {}

  end(say: SayOfItem, isWhole: boolean): void {
    // Arguments are JSON; a call without any has an object without members.
    if (isWhole && this.#member === 'arguments' && this.#text === '') this.delta('{}', undefined, say);
    say(`${this.#stem}.done`, { [this.#member]: this.#text });
  }

  #shown(status: string): JsonObject {
    return { id: this.id, ...this.#head, [this.#member]: this.#text, status };
  }
}
