import type { BlockStart } from '../../core/model/answer.ts';
import type { JsonObject, JsonValue } from '../../core/model/json-value.ts';
import { isObject, nonEmpty } from '../shared/value.ts';
import type { BlockWriter, Ids, ItemWriter } from './item-writer.ts';
import { PROTOCOL } from './members.ts';

/** Items that are whole at once. */
export class WholeItem implements ItemWriter, BlockWriter {
  readonly id: string;
  readonly opened: JsonObject;
  readonly #value: JsonObject;

  private constructor(id: string, opened: JsonObject, value: JsonObject) {
    this.id = id;
    this.opened = opened;
    this.#value = value;
  }

  snapshot(): JsonObject {
    return this.#value;
  }

  delta(): void {}

  cite(): void {}

  weigh(): void {}

  end(): void {}

  static ofImage({ data, mediaType }: Extract<BlockStart, { type: 'image' }>, ids: Ids): WholeItem {
    const format = mediaType.replace('image/', '').replace('svg+xml', 'svg');
    const head = { id: ids.create('ig_'), type: 'image_generation_call', output_format: format };
    return new WholeItem(
      head.id,
      { ...head, status: 'in_progress', result: null },
      { ...head, status: 'completed', result: data },
    );
  }

  /** Null: another protocol's words, or an item that could not stand as it is. */
  static ofNative({ protocol, value }: Extract<BlockStart, { type: 'native' }>, ids: Ids): WholeItem | null {
    const type = nonEmpty(value['type']);
    if (protocol !== PROTOCOL || type === null || UNFIT[type]?.(value) === true) return null;
    const id = ids.keep(nonEmpty(value['id']), PREFIXES[type] ?? 'item_');
    const call = NAMED_CALLS.has(type) ? { call_id: nonEmpty(value['call_id']) ?? ids.create('call_') } : {};
    const message = type === 'message' ? { role: 'assistant', status: 'completed' } : {};
    const whole = { ...value, id, ...call, ...message };
    return new WholeItem(id, 'status' in whole ? { ...whole, status: 'in_progress' } : whole, whole);
  }
}

const PREFIXES: Readonly<Record<string, string>> = { message: 'msg_', web_search_call: 'ws_', mcp_call: 'mcp_' };

/** Calls that are nothing without the id under which their results come. */
const NAMED_CALLS: ReadonlySet<string> = new Set(['shell_call', 'shell_call_output']);

const isObjects = (value: JsonValue | undefined): boolean =>
  Array.isArray(value) && value.every((part: JsonValue) => isObject(part));

/** Items that have blocks of their own are none of these, but for messages of parts that have no block. */
const UNFIT: Readonly<Record<string, (value: JsonObject) => boolean>> = {
  message: ({ content }) => !isObjects(content),
  reasoning: () => true,
  function_call: () => true,
  custom_tool_call: () => true,
};
