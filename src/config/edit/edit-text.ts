import { isDeepStrictEqual } from 'node:util';
import { Document, isMap, isScalar, isSeq, type Node, type Pair, parseDocument, type YAMLMap } from 'yaml';
import { dataOf, mergeNode, nameOf } from './merge-node.ts';

/** A value to write, or undefined to take the entry away. */
export type EntryEdit = { readonly section: string; readonly name: string; readonly value: unknown };

export type EditResult =
  | { readonly ok: true; readonly text: string }
  /** The text can't be read, or not be written so that it says what it should. */
  | { readonly ok: false; readonly message: string };

export const PARSE_OPTIONS = { version: '1.2', schema: 'core', prettyErrors: false, logLevel: 'error' } as const;

/**
 * The text of a configuration file with one entry of one section set or taken away. Everything around the entry stays byte
 * for byte where the file is laid out in blocks; within it, comments, order and quotes of what is the same. JSON stays
 * JSON.
 */
export function editText(text: string, format: 'yaml' | 'json', edit: EntryEdit): EditResult {
  try {
    return format === 'json' ? editJson(text, edit) : editYaml(text, edit);
  } catch {
    // The packages have errors of their own for aliases that lead nowhere and the like.
    return CAN_NOT;
  }
}

const CAN_NOT = { ok: false, message: 'The file can not be changed from here: edit it by hand.' } as const;
const NOT_READ = {
  ok: false,
  message: 'The file is not valid YAML now: mend it first ("understudy check" tells where).',
} as const;

function editJson(text: string, { section, name, value }: EntryEdit): EditResult {
  const tree = JSON.parse(text) as Record<string, Record<string, unknown>>;
  const { [name]: _old, ...others } = tree[section] ?? {};
  const entries = tree[section] ?? {};
  const next = value === undefined ? others : { ...entries, [name]: value };
  const indent = /^[ \t]+/m.exec(text)?.[0] ?? '  ';
  return { ok: true, text: `${JSON.stringify({ ...tree, [section]: next }, null, indent)}\n` };
}

function editYaml(text: string, edit: EntryEdit): EditResult {
  const before = parseDocument(text, PARSE_OPTIONS);
  const after = parseDocument(text, PARSE_OPTIONS);
  const faults = [...before.errors, ...before.warnings];
  if (faults.length > 0 || (before.contents !== null && !isMap(before.contents))) return NOT_READ;
  const style = styleOf(text);
  change(after, edit);
  const wanted = dataOf(after, after.contents);
  if (isDeepStrictEqual(wanted, dataOf(before, before.contents))) return { ok: true, text };
  const isRight = (made: string): boolean => {
    const read = parseDocument(made, PARSE_OPTIONS);
    return read.errors.length === 0 && isDeepStrictEqual(dataOf(read, read.contents), wanted);
  };
  const tight = { ...style, isTight: /\[[^\s\]]/.test(text) };
  // What looks best comes first; each is taken only if it says what it should.
  const candidates = [
    () => splice(text, parseDocument(text, PARSE_OPTIONS), edit, tight),
    () => splice(text, before, edit, style),
    () => after.toString(style),
  ];
  for (const make of candidates) {
    const made = attempt(make);
    if (made !== null && isRight(made)) return { ok: true, text: made };
  }
  return CAN_NOT;
}

function attempt(make: () => string | null): string | null {
  try {
    return make();
  } catch {
    return null;
  }
}

type Style = {
  readonly lineWidth: 0;
  readonly indent: number;
  readonly indentSeq: boolean;
  readonly flowCollectionPadding: boolean;
  /** Lists as `[a]`, beside maps as `{ a: 1 }`. */
  readonly isTight?: boolean;
};

/** How the file is written, as far as that can be seen: what is new looks like the rest. */
function styleOf(text: string): Style {
  return {
    lineWidth: 0,
    indent: /^( +)\S/m.exec(text)?.[1]?.length ?? 2,
    indentSeq: !/^( *)[^\s#-][^\n]*:[ \t]*(?:#[^\n]*)?\n\1- /m.test(text),
    flowCollectionPadding: !/\{[^\s}]/.test(text.replaceAll('${', '')),
  };
}

function change(document: Document, { section, name, value }: EntryEdit): void {
  const entries = sectionOf(document, section);
  if (value === undefined) {
    if (entries !== null) entries.items = entries.items.filter(({ key }) => nameOf(key) !== name);
    return;
  }
  if (entries === null) {
    if (document.contents === null) document.contents = document.createNode({}) as never;
    document.set(section, document.createNode({ [name]: value }));
    return;
  }
  const pair = entries.items.find(({ key }) => nameOf(key) === name);
  if (pair !== undefined) pair.value = mergeNode(document, pair.value, value);
  else entries.items.push(document.createPair(name, value));
}

function sectionOf(document: Document, section: string): YAMLMap | null {
  const found = pairsOf(document.contents).find(({ key }) => nameOf(key) === section)?.value;
  return isMap(found) ? found : null;
}

const pairsOf = (node: unknown): readonly Pair[] => (isMap(node) ? node.items : []);

/** The text with nothing but the entry changed; null where the layout does not allow that. */
function splice(text: string, before: Document, { section, name, value }: EntryEdit, style: Style): string | null {
  const entries = sectionOf(before, section);
  if (entries === null) {
    const isThere = pairsOf(before.contents).some(({ key }) => nameOf(key) === section);
    if (isThere || value === undefined || (isMap(before.contents) && before.contents.flow === true)) return null;
    const start = text === '' || text.endsWith('\n') ? text : `${text}\n`;
    return `${start}\n${print(before.createPair(section, { [name]: value }) as Pair, 0, style)}\n`;
  }
  const last = entries.items.at(-1);
  if (entries.flow === true || last === undefined) return null;
  const column = columnOf(text, last);
  if (column === null) return null;
  const at = entries.items.findIndex(({ key }) => nameOf(key) === name);
  const pair = entries.items[at];
  if (pair === undefined) {
    if (value === undefined) return text;
    const end = endOf(text, last);
    return `${text.slice(0, end)}\n${print(before.createPair(name, value) as Pair, column, style)}${text.slice(end)}`;
  }
  if (value === undefined) return entries.items.length === 1 ? null : remove(text, pair, at === 0);
  const [start, end] = [startOf(pair), endOf(text, pair)];
  stripTail(pair.value);
  pair.value = mergeNode(before, pair.value, value);
  return `${text.slice(0, start)}${print(pair, column, style).trimStart()}${text.slice(end)}`;
}

const startOf = ({ key }: Pair): number => (key as Node).range?.[0] ?? 0;

/** Where its last line ends, a comment beside it included. */
function endOf(text: string, { key, value }: Pair): number {
  const [, keyEnd = 0] = (key as Node).range ?? [];
  const [, valueEnd = keyEnd] = (value as Node | null)?.range ?? [];
  const content = text.slice(0, Math.max(keyEnd, valueEnd)).trimEnd().length;
  const end = text.indexOf('\n', content);
  return end < 0 ? text.length : end;
}

/** Blanks in front of its key; null where something else stands there. */
function columnOf(text: string, pair: Pair): number | null {
  const start = startOf(pair);
  const lead = text.slice(text.lastIndexOf('\n', start - 1) + 1, start);
  return /^ *$/.test(lead) ? lead.length : null;
}

/** Without the comment lines right above it, which speak of it; those above the first entry may speak of all. */
function remove(text: string, pair: Pair, isFirst: boolean): string {
  const start = text.lastIndexOf('\n', startOf(pair) - 1) + 1;
  const before = text.slice(0, start);
  return (isFirst ? before : before.replace(/(?<=^|\n)(?:[ \t]*#[^\n]*\n)+$/, '')) + text.slice(endOf(text, pair) + 1);
}

/** Comments below its last line are told to belong to what ends there: they stay where they are. */
function stripTail(node: unknown): void {
  if (!(isMap(node) || isSeq(node)) || node.flow === true) return;
  node.comment = null;
  const last = node.items.at(-1);
  stripTail(isMap(node) ? (last as Pair | undefined)?.value : last);
}

/** One entry as text, its lines behind so many blanks. */
function print({ key, value }: Pair, column: number, { isTight = false, ...style }: Style): string {
  const document = new Document({}, PARSE_OPTIONS);
  const name = isScalar(key) ? key.clone() : document.createNode(key);
  if (isScalar(name)) name.spaceBefore = false;
  (document.contents as unknown as YAMLMap).items = [document.createPair(name, value)];
  const printed = document.toString(style).trimEnd();
  const lines = (isTight ? printed.replaceAll('[ ', '[').replaceAll(' ]', ']') : printed).split('\n');
  return lines.map((line) => (line === '' ? line : ' '.repeat(column) + line)).join('\n');
}
