import type { JsonObject } from '../../core/model/json-value.ts';
import { type Extended, extendedBy } from '../shared/extensions.ts';

export const PROTOCOL = 'openai-responses';

/**
 * Members that only tell where something stood, so that a prompt of this protocol is written back as it came. They
 * begin with `$`, which no member of the protocol does; for other protocols their loss is nobody's loss.
 *
 * - `$message`: at the first part of a message item in an assistant's turn: the item's other members.
 * - `$content`: a native part of a turn of the assistant that stands in a message, not among the items.
 * - `$part`: a part of a tool's output that the model has no words for, as it stood.
 * - `$additional_tools`: the item that a tool came in: its place in the input (`at`) and its other members.
 * - `$found`: a tool that a search of the client has brought: it stands in that search's item, and nowhere else.
 * - `$namespace`: at the first tool of a namespace: the other members of the namespace.
 * - `$member`: a native part that is a member of the request (`conversation`, `prompt`).
 */
export type Mark = '$message' | '$content' | '$part' | '$additional_tools' | '$found' | '$namespace' | '$member';

/** Names in this protocol's extensions that say nothing to another protocol: marks, and ids that its issuer keeps. */
export const isNameless = (name: string): boolean => name.startsWith('$') || name === 'id';

export const extended = (rest: JsonObject): Extended => extendedBy(PROTOCOL, rest);

/** What rode along of this protocol, marks included. */
export const ownMembers = (of: Extended): JsonObject => of.extensions?.[PROTOCOL] ?? {};

export const markOf = (of: Extended, mark: Mark): JsonObject[string] | undefined => ownMembers(of)[mark];

/** What rode along of this protocol, without marks: to be written again. */
export const riders = (of: Extended): JsonObject => filterMembers(ownMembers(of), (name) => !name.startsWith('$'));

/** Members that nobody has read. Null says the same as nothing. */
export const restOf = (object: JsonObject, ...known: readonly string[]): JsonObject =>
  filterMembers(object, (name, value) => !known.includes(name) && value !== null);

const filterMembers = (object: JsonObject, isKept: (name: string, value: unknown) => boolean): JsonObject =>
  Object.fromEntries(Object.entries(object).filter(([name, value]) => isKept(name, value)));
