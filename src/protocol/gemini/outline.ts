import type { Feature } from '../../core/model/capability.ts';
import {
  childrenOf,
  isSet,
  isString,
  type JsonIndex,
  keyOf,
  kindOf,
  memberOf,
  NONE,
  parseNode,
  stringOf,
} from '../json/index.ts';
import { bytesOf, lengthOf } from '../shared/nodes.ts';

/**
 * How deep a request is noted: top, contents, content, parts, part, its members, theirs. Enough for every question that
 * routing asks and for every edit; texts and pictures stay bytes.
 */
export const REQUEST_DEPTH = 6;

/** One item of `contents`, by the nodes of its index. */
export type ContentNode = { readonly node: number; readonly role: string; readonly parts: readonly number[] };

const snake = (name: string): string => name.replaceAll(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`);

/** Google's readers know each member in two spellings: `inlineData` and `inline_data`. */
export function memberIn(index: JsonIndex, object: number, name: string): number {
  if (object === NONE) return NONE;
  const node = memberOf(index, object, name);
  return node === NONE ? memberOf(index, object, snake(name)) : node;
}

/** The member at the end of a path of names, each in either spelling. */
export const memberAlong = (index: JsonIndex, ...path: readonly string[]): number =>
  path.reduce((node, name) => memberIn(index, node, name), 0);

/** Elements of a list; a single object stands for a list of one. */
export function listed(index: JsonIndex, node: number): readonly number[] {
  if (node === NONE) return [];
  const kind = kindOf(index, node);
  return kind === 'array' ? childrenOf(index, node) : kind === 'object' ? [node] : [];
}

/** The list of contents, each an object; the place of the first that is none otherwise. */
export function outlineContents(index: JsonIndex): readonly ContentNode[] | number {
  const contents: ContentNode[] = [];
  for (const [position, node] of listed(index, memberOf(index, 0, 'contents')).entries()) {
    if (kindOf(index, node) !== 'object') return position;
    const role = stringOf(index, memberOf(index, node, 'role')) ?? 'user';
    contents.push({ node, role, parts: partsOf(index, node) });
  }
  return contents;
}

export const partsOf = (index: JsonIndex, content: number): readonly number[] =>
  content === NONE
    ? []
    : listed(index, memberOf(index, content, 'parts')).filter((part) => kindOf(index, part) === 'object');

const mediaOf = (index: JsonIndex, part: number): number => {
  const inline = memberIn(index, part, 'inlineData');
  return inline === NONE ? memberIn(index, part, 'fileData') : inline;
};

function needOf(index: JsonIndex, part: number): Feature | null {
  const media = mediaOf(index, part);
  if (media === NONE || kindOf(index, media) !== 'object') return null;
  const mime = stringOf(index, memberIn(index, media, 'mimeType')) ?? '';
  if (mime.startsWith('image/')) return 'images';
  return mime.startsWith('audio/') ? 'audio' : 'files';
}

const isOn = (index: JsonIndex, node: number): boolean => parseNode(index, node) === true;

/** What the members of `generationConfig` need of the target. */
const CONFIG_NEEDS: readonly (readonly [need: Feature, isNeeded: (index: JsonIndex, config: number) => boolean])[] = [
  [
    'responseFormat',
    (index, config) => isString(index, memberIn(index, config, 'responseMimeType'), 'application/json'),
  ],
  ['responseFormat', (index, config) => isSet(index, memberIn(index, config, 'responseSchema'))],
  ['responseFormat', (index, config) => isSet(index, memberIn(index, config, 'responseJsonSchema'))],
  ['logprobs', (index, config) => isOn(index, memberIn(index, config, 'responseLogprobs'))],
  [
    'reasoningEffort',
    (index, config) => isSet(index, memberIn(index, memberIn(index, config, 'thinkingConfig'), 'thinkingLevel')),
  ],
];

/** What a target must be able to do for this request. */
export function readNeeds(index: JsonIndex, contents: readonly ContentNode[], choices: number): Feature[] {
  const needs = new Set<Feature>();
  for (const { parts } of contents) {
    for (const part of parts) {
      const need = needOf(index, part);
      if (need !== null) needs.add(need);
    }
  }
  const config = memberAlong(index, 'generationConfig');
  if (config !== NONE && kindOf(index, config) === 'object') {
    for (const [need, isNeeded] of CONFIG_NEEDS) if (isNeeded(index, config)) needs.add(need);
  }
  if (listed(index, memberOf(index, 0, 'tools')).length > 0) needs.add('tools');
  if (choices > 1) needs.add('n');
  if (contents.at(-1)?.role === 'model') needs.add('prefill');
  return [...needs];
}

export function endsWithToolResult(index: JsonIndex, contents: readonly ContentNode[]): boolean {
  const part = contents.at(-1)?.parts.at(-1);
  return part !== undefined && memberIn(index, part, 'functionResponse') !== NONE;
}

/**
 * Tools whose repetition harms nobody: the client runs them itself, they only read, or they run in a box of their own
 * without a way out. Any other runs at the provider, with effects that nobody here can know.
 */
const HARMLESS_TOOLS =
  /^(?:function_?declarations|google_?search(?:_?retrieval)?|google_?maps|enterprise_?web_?search|url_?context|code_?execution|file_?search|retrieval|computer_?use)$/i;

export function readEffects(index: JsonIndex): string[] {
  const effects = new Set<string>();
  for (const tool of listed(index, memberOf(index, 0, 'tools'))) {
    for (const member of kindOf(index, tool) === 'object' ? childrenOf(index, tool) : []) {
      const name = keyOf(index, member);
      if (!HARMLESS_TOOLS.test(name) && isSet(index, member)) effects.add(`${name.slice(0, 64)} tool`);
    }
  }
  return [...effects];
}

/** A part beyond this size is a picture or a file, of which bytes say nothing about tokens. */
const LARGE_PART = 2048;

/** About four bytes a token, over contents, system text and tools; large parts that are no text count nothing. */
export function estimateTokens(index: JsonIndex, contents: readonly ContentNode[]): number {
  let bytes = 0;
  for (const name of ['contents', 'systemInstruction', 'tools']) bytes += lengthOf(index, memberAlong(index, name));
  for (const { parts } of contents) {
    for (const part of parts) {
      const length = lengthOf(index, part);
      if (length > LARGE_PART && needOf(index, part) !== null) bytes -= length;
    }
  }
  return Math.ceil(bytes / 4);
}

/**
 * The bytes that all turns of a conversation have in common: system text, tools and the first user turn. Null on a
 * first turn, where there is nothing yet to be faithful to.
 */
export function prefixOf(index: JsonIndex, contents: readonly ContentNode[]): readonly Uint8Array[] | null {
  const [first, second] = contents.filter(({ role }) => role === 'user');
  if (first === undefined || second === undefined) return null;
  const nodes = [memberAlong(index, 'systemInstruction'), memberOf(index, 0, 'tools'), first.node];
  return nodes.map((node) => bytesOf(index, node));
}
