import type { Citation } from '../../core/model/content.ts';
import type { JsonObject, JsonValue } from '../../core/model/json-value.ts';
import type { AnswerOptions } from '../translation.ts';

/** Says an event of the item; its place and id are added. */
export type SayOfItem = (type: string, members: JsonObject) => void;

/** Ids that are used once each. */
export type Ids = {
  /** A new one of this kind. */
  create(prefix: string): string;
  /** This one, or another where it is none or was used. */
  keep(id: string | null, prefix: string): string;
};

/** Ids in the form of this protocol, made of those of the port. */
export function createIds(createId: AnswerOptions['createId']): Ids {
  const used = new Set<string>();
  const unique = (id: string): string => {
    let free = id;
    for (let n = 2; used.has(free); n++) free = `${id}_${n}`;
    used.add(free);
    return free;
  };
  const create = (prefix: string): string => {
    const id = createId(prefix);
    return unique(id.startsWith(prefix) ? id : prefix + id);
  };
  return { create, keep: (id, prefix) => (id === null || id === '' || used.has(id) ? create(prefix) : unique(id)) };
}

/** An item of the output under way. */
export interface ItemWriter {
  readonly id: string;
  /** As it is shown when it is opened. */
  readonly opened: JsonObject;
  /** As it is now; `status` where items of its kind have one. */
  snapshot(status: 'completed' | 'incomplete'): JsonObject;
}

/** A block under way: what its events say of the item that it is in. */
export interface BlockWriter {
  delta(text: string, section: number | undefined, say: SayOfItem): void;
  cite(citation: Citation, say: SayOfItem): void;
  /** Log probabilities of the text that is said next. */
  weigh(content: readonly JsonValue[]): void;
  /** `isWhole`: the block was ended, not only cut off by the end of the answer. */
  end(say: SayOfItem, isWhole: boolean): void;
}
