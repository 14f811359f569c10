import {
  childrenOf,
  type Edit,
  isKey,
  type JsonIndex,
  kindOf,
  memberOf,
  NONE,
  replaceValue,
  stringOf,
} from '../json/index.ts';
import { hash64 } from '../shared/hash.ts';
import { elementsOf, type MessageNode } from './outline.ts';

const ALNUM = '0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz';
const LENGTH = 9;

const IS_ALNUM9 = /^[A-Za-z0-9]{9}$/;

/** Nine letters and digits made of a hash: the same id always gives the same. */
function shorten(text: string): string {
  let rest = BigInt(`0x${hash64([text])}`);
  let short = '';
  for (let i = 0; i < LENGTH; i++) {
    short += ALNUM[Number(rest % 62n)] ?? '0';
    rest /= 62n;
  }
  return short;
}

/**
 * Edits that turn every tool-call id of a history into nine letters and digits, for targets that refuse others. A call
 * and its result keep naming each other; two different ids stay different; ids that are of this form already are kept.
 */
export function alnum9Edits(index: JsonIndex, messages: readonly MessageNode[]): Edit[] {
  const nodes: number[] = [];
  for (const { node } of messages) {
    const calls = elementsOf(index, memberOf(index, node, 'tool_calls'));
    for (const call of calls) for (const id of membersOf(index, call, 'id')) nodes.push(id);
    for (const id of membersOf(index, node, 'tool_call_id')) nodes.push(id);
  }
  const ids = nodes.map((node) => stringOf(index, node) ?? '');
  const taken = new Set(ids.filter((id) => IS_ALNUM9.test(id)));
  const renamed = new Map<string, string>();
  const edits: Edit[] = [];
  for (const [i, node] of nodes.entries()) {
    const id = ids[i] ?? '';
    if (IS_ALNUM9.test(id)) continue;
    let short = renamed.get(id);
    for (let salt = 0; short === undefined; salt++) {
      const tried = shorten(salt === 0 ? id : `${id} ${salt}`);
      if (!taken.has(tried)) short = tried;
    }
    taken.add(short);
    renamed.set(id, short);
    edits.push(replaceValue(index, node, JSON.stringify(short)));
  }
  return edits;
}

/** Every member of that name that is a string, repeated ones too. */
export function membersOf(index: JsonIndex, node: number, name: string): number[] {
  if (node === NONE || kindOf(index, node) !== 'object') return [];
  return childrenOf(index, node).filter((child) => isKey(index, child, name) && kindOf(index, child) === 'string');
}
