import type { EventDraft } from './drafts.ts';
import { type MadeEvent, makeEvent } from './event.ts';
import type { IsOurs } from './field.ts';
import { isNameOf, type NameKind } from './names.ts';

/** Names come back with each request; what was found out of so many is kept. */
const MAX_KNOWN = 4_000;

/** Makes events of drafts. `isOurs` says which names of the right form are the configuration's; absent: all are. */
export function createEventMaker(isOurs: IsOurs = () => true): (draft: EventDraft) => MadeEvent {
  const known = new Map<string, boolean>();
  const isName = (kind: NameKind, name: string): boolean => {
    if (kind === 'request') return isNameOf(kind, name);
    const key = `${kind} ${name}`;
    const found = known.get(key);
    if (found !== undefined) return found;
    const result = isNameOf(kind, name);
    if (known.size < MAX_KNOWN && name.length <= MAX_NAME) known.set(key, result);
    return result;
  };
  return ({ name, fields }) => makeEvent(name, fields, (kind, text) => isName(kind, text) && isOurs(kind, text));
}

/** Longer ones are no names. */
const MAX_NAME = 300;
