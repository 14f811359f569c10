import type { Protocol } from '../model/protocol.ts';
import { PROTOCOL_NAMES } from '../model/protocol-names.ts';

/** What was asked for, and in which protocol. */
export type Asked = {
  readonly model: string;
  readonly protocol: Protocol;
  /** The client's body has a member of this name at its top; absent: nobody looks. */
  readonly hasMember?: (name: string) => boolean;
};

/** What a target lacks that nothing is to be translated for. */
export const NEVER_TRANSLATED = 'translation (translate: never)';

const MAX_NAME = 40;
const MAX_WORDS = 300;

/**
 * Nobody who is listed speaks the protocol of the client, none can have the request translated, and what to do about
 * it, in at most 300 characters. `spoken`: what they speak, in their order; `missing`: what they have no words for.
 */
export function foreignWords(
  { model, protocol }: Asked,
  spoken: readonly Protocol[],
  missing: readonly string[],
): string {
  const theirs = [...new Set(spoken)].map((each) => PROTOCOL_NAMES[each].short).join(', ');
  const client = `The client speaks ${PROTOCOL_NAMES[protocol].full}; the targets of "${model.slice(0, MAX_NAME)}" speak ${theirs}`;
  const other = `a target whose provider has protocol: ${protocol} (docs/protocols.md).`;
  const lacks = missing.filter((each) => each !== NEVER_TRANSLATED);
  const remedy = lacks.length < missing.length ? 'Set translate: last, or add' : 'Add';
  if (lacks.length === 0) return `${client}, and nothing is translated for them: translate: never. ${remedy} ${other}`;
  const words = (what: string) =>
    `${client}, and this request can't be translated: they lack ${what}. ${remedy} ${other}`;
  return words(listed(lacks, MAX_WORDS - words('').length));
}

/** As many as there is room for, each whole, and how many more there are. */
function listed(names: readonly string[], room: number): string {
  for (let count = names.length; count > 0; count--) {
    const more = names.length - count;
    const text = `${names.slice(0, count).join(', ')}${more === 0 ? '' : ` and ${more} more`}`;
    if (text.length <= room) return text;
  }
  return `${(names[0] ?? '').slice(0, Math.max(0, room - 1))}…`;
}
