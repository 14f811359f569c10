import type { Dialect } from './dialects.ts';
import { shapeName } from './tool-names.ts';

/** A call as its provider gets it. */
type Sent = { readonly id: string; readonly name: string };

/** Calls of a conversation, in its order: what a provider calls them, and which of them each result is of. */
export interface CallIds {
  /** The id of the next call, unlike all before it. `name`: as the provider gets it. */
  open(id: string, name: string): string;
  /** The call that a result of this id is of: the first one that has none yet. Undefined: there was no call. */
  answer(id: string): Sent | undefined;
}

type Calls = { readonly all: Sent[]; answered: number };

/**
 * Some providers count their calls from zero in each answer, so that a conversation has many of one id. Where ids have to
 * be unique all but the first get another one: the same each time the conversation is sent.
 */
export function createCallIds({ maxCallId, callIdLetter }: Dialect): CallIds {
  const known = new Map<string, Calls>();
  const taken = new Set<string>();
  const fresh = (id: string, from: number): string => {
    const shaped = shapeName(id, maxCallId, callIdLetter);
    if (from === 0 && !taken.has(shaped)) return shaped;
    for (let count = from; ; count++) {
      const next = shapeName(`${id} ${count}`, maxCallId, callIdLetter);
      if (!taken.has(next)) return next;
    }
  };
  return {
    open(id, name) {
      const calls = known.get(id) ?? { all: [], answered: 0 };
      known.set(id, calls);
      const sent = { id: fresh(id, calls.all.length), name };
      taken.add(sent.id);
      calls.all.push(sent);
      return sent.id;
    },
    answer(id) {
      const calls = known.get(id);
      if (calls === undefined) return undefined;
      // One more than there are calls repeats the last one.
      const sent = calls.all[calls.answered] ?? calls.all.at(-1);
      calls.answered = Math.min(calls.answered + 1, calls.all.length);
      return sent;
    },
  };
}
