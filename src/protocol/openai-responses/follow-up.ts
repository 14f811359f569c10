import type { RequestProblem } from '../types.ts';

/** What may be asked about a response that exists already. */
export type FollowUpKind = 'retrieve' | 'remove' | 'cancel' | 'list_items';

/** One such request, checked: nothing of it is the client's own text any more. */
export type FollowUp = {
  readonly kind: FollowUpKind;
  readonly id: string;
  readonly method: 'GET' | 'POST' | 'DELETE';
  /** Behind the base URL, query included. */
  readonly path: string;
  readonly stream: boolean;
  /** Number of the last event that the client has of a stream that it takes up again; null: it begins anew. */
  readonly startingAfter: number | null;
};

export type ReadFollowUp =
  | { readonly ok: true; readonly followUp: FollowUp }
  | { readonly ok: false; readonly problem: RequestProblem };

type Form = { readonly pattern: RegExp; readonly what: string; readonly isList?: boolean };

const FLAG: Form = { pattern: /^(?:true|false|1|0)$/, what: 'true or false' };
const NUMBER: Form = { pattern: /^\d{1,15}$/, what: 'a whole number' };
const ID: Form = { pattern: /^[\w.~=:+-]{1,256}$/, what: 'an id of at most 256 letters, digits and "_.~=:+-"' };
const ORDER: Form = { pattern: /^(?:asc|desc)$/, what: 'asc or desc' };
const WORDS: Form = {
  pattern: /^[\w.-]{1,128}$/,
  what: 'at most 32 names of at most 128 letters, digits and "_.-"',
  isList: true,
};

type Row = {
  readonly method: FollowUp['method'];
  readonly suffix: string;
  /** Members of the query that go on to the provider. */
  readonly query: Readonly<Record<string, Form>>;
};

const ROWS: { readonly [K in FollowUpKind]: Row } = {
  retrieve: {
    method: 'GET',
    suffix: '',
    query: { stream: FLAG, starting_after: NUMBER, include: WORDS, include_obfuscation: FLAG },
  },
  remove: { method: 'DELETE', suffix: '', query: {} },
  cancel: { method: 'POST', suffix: '/cancel', query: {} },
  list_items: {
    method: 'GET',
    suffix: '/input_items',
    query: { after: ID, before: ID, limit: NUMBER, order: ORDER, include: WORDS },
  },
};

const MAX_LIST = 32;

/** Only of such ids a path is made: they mean the same to whoever reads it, encoded or not. */
export const isPathId = (id: string): boolean => ID.pattern.test(id) && !/^\.+$/.test(id);

/**
 * Reads a request about a response. `query`: names and values, decoded. What the API does not know is ignored, as it is
 * elsewhere; a known member in a form that it can't have is refused by name.
 */
export function readFollowUp(
  kind: FollowUpKind,
  id: string,
  query: Iterable<readonly [name: string, value: string]>,
): ReadFollowUp {
  const { method, suffix, query: forms } = ROWS[kind];
  const kept = new Map<string, string[]>();
  for (const [written, value] of query) {
    const member = memberOf(forms, written);
    if (member === null) continue;
    const problem = keep(kept, member, value);
    if (problem !== null) return { ok: false, problem };
  }
  const stream = isOn(kept.get('stream')?.[0]);
  const after = kept.get('starting_after')?.[0];
  const path = `/responses/${encodeURIComponent(id)}${suffix}${queryOf(kept)}`;
  const startingAfter = stream && after !== undefined ? Number(after) : null;
  return { ok: true, followUp: { kind, id, method, path, stream, startingAfter } };
}

type Member = { readonly name: string; readonly form: Form };

/** What the API knows by this name; lists may be written with brackets. */
function memberOf(forms: Row['query'], written: string): Member | null {
  const name = written.replace(/\[\d*\]$/, '');
  const form = Object.hasOwn(forms, name) ? forms[name] : undefined;
  return form === undefined || (written !== name && form.isList !== true) ? null : { name, form };
}

/** Of a member that is no list, the first one counts. */
function keep(kept: Map<string, string[]>, { name, form }: Member, value: string): RequestProblem | null {
  const isList = form.isList === true;
  const key = isList ? `${name}[]` : name;
  const values = kept.get(key) ?? [];
  if (!form.pattern.test(value) || values.length >= MAX_LIST) {
    return { message: `"${name}" in the query must be ${form.what}.`, param: name };
  }
  if (isList || values.length === 0) kept.set(key, [...values, value]);
  return null;
}

const isOn = (flag: string | undefined): boolean => flag === 'true' || flag === '1';

const FLAGS: ReadonlySet<string> = new Set(['stream', 'include_obfuscation']);

/** Lists in the form in which the API's own libraries write them. */
function queryOf(kept: ReadonlyMap<string, readonly string[]>): string {
  const pairs = [...kept].flatMap(([name, values]) =>
    values.map((value) => `${name}=${encodeURIComponent(FLAGS.has(name) ? String(isOn(value)) : value)}`),
  );
  return pairs.length === 0 ? '' : `?${pairs.join('&')}`;
}
