import { type Dropped, type Extended, foreignNames } from '../shared/extensions.ts';
import type { PromptEgress } from '../translation.ts';
import { isNameless, PROTOCOL } from './members.ts';

/** What the writers of a prompt's pieces share. */
export type WriteContext = {
  /** The prompt was made in this protocol: it is written as it came, with what it takes for granted. */
  readonly isOwn: boolean;
  readonly capabilities: PromptEgress['capabilities'];
  /** Names of what the prompt says and the request does not. */
  readonly dropped: Dropped;
};

/** Names what other protocols have left with a piece, and this one can't say. */
export function dropForeign(of: Extended, { dropped }: WriteContext): void {
  for (const name of foreignNames(of, PROTOCOL)) if (!isNameless(name)) dropped.add(name);
}
