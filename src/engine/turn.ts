import type { Issuer } from '../core/routing/affinity-state.ts';

/** The account that an answer came from; null: none, since nobody was asked. */
export type Account = Pick<Issuer, 'provider' | 'credential' | 'account'>;

/**
 * One request and its answer, as lists of items (`ConversationCodec`). What came before it is shared with everything else
 * that goes on from there, so that a conversation takes the room of what was said in it, and not of all its turns.
 */
export type Turn = {
  readonly parent: Turn | null;
  readonly input: Uint8Array;
  readonly output: Uint8Array;
  readonly by: Account | null;
};

/** From the first turn to this one. */
export function turnsTo(last: Turn | null): readonly Turn[] {
  const turns: Turn[] = [];
  for (let turn = last; turn !== null; turn = turn.parent) turns.push(turn);
  return turns.reverse();
}
