import type { JsonObject } from '../../core/model/json-value.ts';
import { type Dropped, type Extended, foreignNames } from '../shared/extensions.ts';
import type { PromptEgress } from '../translation.ts';
import { isNameless, PROTOCOL } from './extension.ts';

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

/** A member that is there only with a value. */
export const member = (name: string, value: JsonObject[string] | undefined): JsonObject =>
  value === undefined || value === null ? {} : { [name]: value };
