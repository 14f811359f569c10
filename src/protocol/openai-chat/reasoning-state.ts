import type { OpaqueState } from '../../core/model/content.ts';
import type { JsonObject, JsonValue } from '../../core/model/json-value.ts';
import { parseExact, stringifyExact } from '../json/index.ts';
import { isJsonObject, without } from '../shared/json-object.ts';

/**
 * Members by which providers of this format show what was thought, the commonest first: the first that says something
 * counts, since some give the same under several names.
 */
export const THOUGHTS = ['reasoning_content', 'reasoning', 'reasoning_text', 'thinking'] as const;

/** Members of a message that only the provider that wrote them can read. */
export const OPAQUE = [
  'reasoning_details',
  'thinking_blocks',
  'reasoning_opaque',
  'reasoning_signature',
  'thinking_signature',
  'thought_signature',
  'signature',
  'encrypted_content',
  'extra_content',
] as const;

/** The same of a tool call. */
export const CALL_OPAQUE = ['extra_content', 'thought_signature', 'signature', 'reasoning_details'] as const;

/*
 * The state of a message's reasoning is the JSON text of the members that its provider wants back, with null for the
 * text itself, which stands in the part: `{"reasoning_content":null}` says that this provider wants its thoughts back.
 * A state that is no such text is a token of somebody else's, and stands alone in a list of details, where clients that
 * give reasoning back keep it.
 */

/** The state of these members; null: there are none. */
export function stateOf(members: JsonObject): OpaqueState | null {
  const opaque = Object.keys(members).filter((name) => members[name] !== null);
  if (Object.keys(members).length === 0) return null;
  const token = opaque.length === 1 ? tokenOf(members['reasoning_details']) : null;
  const isBare = token !== null && Object.keys(members).every((name) => name === opaque[0] || name === THOUGHTS[0]);
  return { issuer: 'openai-chat', value: isBare ? token : stringifyExact(members) };
}

function tokenOf(details: JsonValue | undefined): string | null {
  const [first, ...more] = Array.isArray(details) ? (details as readonly JsonValue[]) : [];
  if (more.length > 0 || !isJsonObject(first) || first['type'] !== 'reasoning.encrypted') return null;
  const { data } = first;
  const isAlone = Object.keys(without(first, ['type', 'data', 'index'])).length === 0;
  return isAlone && typeof data === 'string' && !isMembers(data) ? data : null;
}

const isMembers = (value: string): boolean => membersIn(value) !== null;

const STATE_MEMBERS: ReadonlySet<string> = new Set([...THOUGHTS, ...OPAQUE, ...CALL_OPAQUE]);

function membersIn(value: string): JsonObject | null {
  if (!value.startsWith('{')) return null;
  try {
    const members = parseExact(value);
    return isJsonObject(members) && Object.keys(members).every((name) => STATE_MEMBERS.has(name)) ? members : null;
  } catch {
    return null;
  }
}

/** The members of a message that a state stands for, with the text where it belongs. */
export function membersOfState(value: string, text: string): JsonObject {
  const members = membersIn(value);
  if (members !== null) {
    return Object.fromEntries(Object.entries(members).map(([name, member]) => [name, member ?? text]));
  }
  const details = { reasoning_details: [{ type: 'reasoning.encrypted', data: value }] };
  return text === '' ? details : { [THOUGHTS[0]]: text, ...details };
}

/** A signature alone goes where Google's clients look for it, and give it back from. */
export function callStateOf(members: JsonObject): OpaqueState | null {
  const names = Object.keys(members);
  if (names.length === 0) return null;
  const token = names.length === 1 ? signatureIn(members['extra_content']) : null;
  return { issuer: 'openai-chat', value: token !== null && !isMembers(token) ? token : stringifyExact(members) };
}

function signatureIn(value: JsonValue | undefined): string | null {
  const google = isJsonObject(value) && Object.keys(value).length === 1 ? value['google'] : null;
  const signature = isJsonObject(google) && Object.keys(google).length === 1 ? google['thought_signature'] : null;
  return typeof signature === 'string' ? signature : null;
}

export const membersOfCallState = (value: string): JsonObject =>
  membersIn(value) ?? { extra_content: { google: { thought_signature: value } } };

/** Texts of a detail, or of a block of thinking, that come in pieces. */
const GROWING = ['text', 'summary', 'thinking'] as const;

/** Puts the pieces of a streamed list of details together: those of one place and type, of which texts grow. */
export class Details {
  readonly list: JsonObject[] = [];
  readonly #places = new Map<string, number>();

  add(more: readonly JsonValue[]): void {
    for (const piece of more) {
      if (!isJsonObject(piece)) continue;
      const key = stringifyExact([piece['type'], piece['index']]);
      const at = this.#places.get(key) ?? -1;
      const known = at === this.list.length - 1 || piece['index'] != null ? this.list[at] : undefined;
      if (known !== undefined && GROWING.some((name) => name in piece || name in known))
        this.list[at] = grown(known, piece);
      else this.#places.set(key, this.list.push(piece) - 1);
    }
  }
}

function grown(known: JsonObject, piece: JsonObject): JsonObject {
  const members = new Map(Object.entries(known));
  for (const [name, value] of Object.entries(piece)) {
    const present = members.get(name);
    const grows = (GROWING as readonly string[]).includes(name) && typeof present === 'string';
    if (value === null && present !== undefined) continue;
    members.set(name, grows && typeof value === 'string' ? present + value : value);
  }
  return Object.fromEntries(members);
}

export type ToldThoughts = {
  readonly text: string;
  /** The member that held the text; null: none, or a list of details. */
  readonly name: string | null;
  readonly isSummary: boolean;
};

/** What a message, or a piece of one, shows of its reasoning. */
export function readThoughts(message: JsonObject): ToldThoughts {
  for (const name of THOUGHTS) {
    const text = textIn(message[name]);
    if (text !== null && text !== '') return { text, name, isSummary: hasSummary(message) };
  }
  for (const name of OPAQUE) {
    const text = textIn(message[name]);
    if (Array.isArray(message[name]) && text !== null && text !== '') {
      return { text, name: null, isSummary: hasSummary(message) };
    }
  }
  const empty = THOUGHTS.find((name) => message[name] === '');
  return { text: '', name: empty ?? null, isSummary: false };
}

const hasSummary = (message: JsonObject): boolean => {
  const details = message['reasoning_details'];
  return Array.isArray(details) && details.some((each) => isJsonObject(each) && each['type'] === 'reasoning.summary');
};

/** The text of reasoning in any of its forms; lists lie in lists once at most. */
export function textIn(value: unknown, depth = 0): string | null {
  if (typeof value === 'string') return value;
  if (Array.isArray(value)) return depth > 1 ? null : value.map((each) => textIn(each, depth + 1) ?? '').join('');
  if (!isJsonObject(value)) return null;
  return textIn(value['text'] ?? value['summary'] ?? value['thinking'], depth + 1);
}
