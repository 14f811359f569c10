import type { OpaqueState } from '../../core/model/content.ts';
import { nonEmpty } from '../shared/value.ts';
import { PROTOCOL } from './members.ts';

type Sealed = { readonly id: string | null; readonly encrypted: string | null };

/** A state is the JSON text of the members that its issuer checks together: the item's id, and the sealed thoughts. */
const read = (text: string): Sealed | null => {
  if (!text.startsWith('{"id":') && !text.startsWith('{"encrypted_content":')) return null;
  try {
    const value = JSON.parse(text) as { id?: unknown; encrypted_content?: unknown };
    const sealed = { id: nonEmpty(value.id), encrypted: nonEmpty(value.encrypted_content) };
    return sealedText(sealed) === text ? sealed : null;
  } catch {
    return null;
  }
};

const sealedText = ({ id, encrypted }: Sealed): string =>
  JSON.stringify({
    ...(id === null ? {} : { id }),
    ...(encrypted === null ? {} : { encrypted_content: encrypted }),
  });

/**
 * The state of a reasoning item; null: it has none. Sealed thoughts that are a state themselves (`sealState` had to
 * put it there) are that state.
 */
export function readReasoningState(id: unknown, encrypted: unknown): OpaqueState | null {
  const sealed = { id: nonEmpty(id), encrypted: nonEmpty(encrypted) };
  if (sealed.id === null && sealed.encrypted === null) return null;
  const isNested = sealed.encrypted !== null && read(sealed.encrypted) !== null;
  return { issuer: PROTOCOL, value: isNested ? (sealed.encrypted as string) : sealedText(sealed) };
}

/** The members of an item that a state stands for. A value of another form is all sealed. */
export const openState = (state: OpaqueState): Sealed => read(state.value) ?? { id: null, encrypted: state.value };

/**
 * The sealed thoughts for an item whose id is told already. Its issuer takes them only with the id that they were sealed
 * for: where that is another one, both go into the seal.
 */
export function sealState(state: OpaqueState, itemId: string): string | null {
  const { id, encrypted } = openState(state);
  return encrypted === null || id === null || id === itemId ? encrypted : state.value;
}
