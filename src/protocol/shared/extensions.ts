import type { Extensions } from '../../core/model/content.ts';
import type { JsonObject } from '../../core/model/json-value.ts';
import type { Protocol } from '../../core/model/protocol.ts';

export type Extended = { readonly extensions?: Extensions };

/** Names of what a prompt said and a body does not, each once. */
export type Dropped = Set<string>;

/** Members that the canonical model has no word for, as a part of what they stood in; nothing for none. */
export const extendedBy = (protocol: Protocol, rest: JsonObject): Extended =>
  Object.keys(rest).length === 0 ? {} : { extensions: { [protocol]: rest } };

/** Names of what rides along in the words of protocols other than this one. */
export const foreignNames = ({ extensions = {} }: Extended, protocol: Protocol): string[] =>
  Object.entries(extensions).flatMap(([of, members]) => (of === protocol ? [] : Object.keys(members)));
