import type {
  Citation,
  FilePart,
  MediaSource,
  NativePart,
  Part,
  ReasoningPart,
  TextPart,
  ToolResultPart,
} from '../../core/model/content.ts';
import type { JsonObject, JsonValue } from '../../core/model/json-value.ts';
import { isJsonObject, listOf, without } from '../shared/json-object.ts';
import { nonEmpty, own } from '../shared/value.ts';
import { readCitation } from './citations.ts';
import { extended, PROTOCOL, readCache } from './members.ts';
import { redactedState, signatureState } from './thoughts.ts';
import { inputText } from './tool-input.ts';

/** Names of the tools that were called so far, by the call's id. */
export type CallNames = Map<string, string>;

type Reader = (block: JsonObject, calls: CallNames) => Part | null;

/** A block that is not here, or that its reader can't make out (null), is native. */
const READERS: Readonly<Record<string, Reader>> = {
  text: readText,
  image: readImage,
  document: readDocument,
  search_result: readSearchResult,
  thinking: readThinking,
  redacted_thinking: readRedacted,
  tool_use: readCall,
  tool_result: readResult,
};

export function readBlockPart(block: JsonObject, calls: CallNames): Part {
  const type = nonEmpty(block['type']) ?? '';
  const part = own(READERS, type)?.(block, calls);
  return part ?? ({ type: 'native', protocol: PROTOCOL, what: type, value: block } satisfies NativePart);
}

/** The mark and the members that no canonical one stands for; `over`: more that has to be written back as it was. */
function common(
  block: JsonObject,
  known: readonly string[],
  over: JsonObject = {},
): Pick<TextPart, 'cache' | 'extensions'> {
  const { cache, rest } = readCache(block['cache_control']);
  const left = without(block, ['type', 'cache_control', ...known]);
  return { ...(cache === undefined ? {} : { cache }), ...extended({ ...left, ...over, ...rest }) };
}

function readText(block: JsonObject): TextPart | null {
  if (typeof block['text'] !== 'string') return null;
  const citations = readCitations(block['citations']);
  return {
    type: 'text',
    text: block['text'],
    ...(citations.length === 0 ? {} : { citations }),
    ...common(block, ['text', 'citations']),
  };
}

const readCitations = (value: unknown): readonly Citation[] =>
  listOf(value).flatMap((each) => {
    const citation = readCitation(each);
    return citation === null ? [] : [citation];
  });

/** A source, and whether it says no more than that. */
type ReadSource = { readonly source: MediaSource; readonly isWhole: boolean };

function readMedia(value: unknown): ReadSource | null {
  if (!isJsonObject(value)) return null;
  const { data, media_type: mediaType, url, file_id: id } = value;
  const has = (...names: string[]): boolean => Object.keys(without(value, ['type', ...names])).length === 0;
  if (value['type'] === 'base64' && typeof data === 'string' && typeof mediaType === 'string') {
    return { source: { kind: 'base64', data, mediaType }, isWhole: has('data', 'media_type') };
  }
  if (value['type'] === 'url' && typeof url === 'string') {
    return { source: { kind: 'url', url }, isWhole: has('url') };
  }
  if (value['type'] === 'file' && typeof id === 'string') {
    return { source: { kind: 'file_id', id, issuer: PROTOCOL }, isWhole: has('file_id') };
  }
  return null;
}

const sourceOf = (block: JsonObject): JsonObject => ({ source: block['source'] as JsonValue });

function readImage(block: JsonObject): Part | null {
  const read = readMedia(block['source']);
  if (read === null) return null;
  return { type: 'image', source: read.source, ...common(block, ['source'], read.isWhole ? {} : sourceOf(block)) };
}

function readDocument(block: JsonObject): FilePart | null {
  const read = readMedia(block['source']) ?? readPlain(block['source']);
  if (read === null) return null;
  const name = typeof block['title'] === 'string' ? { name: block['title'] } : {};
  return {
    type: 'file',
    source: read.source,
    ...name,
    ...common(block, ['source', 'title'], read.isWhole ? {} : sourceOf(block)),
  };
}

/** Documents of text: plain, or of blocks, of which others than texts can't be told in one word. */
function readPlain(value: unknown): { readonly source: FilePart['source']; readonly isWhole: boolean } | null {
  if (!isJsonObject(value)) return null;
  const { type, data, media_type: mediaType, content } = value;
  if (type === 'text' && typeof data === 'string') {
    const isPlain = mediaType === 'text/plain' && Object.keys(value).length === 3;
    return { source: { kind: 'text', text: data }, isWhole: isPlain };
  }
  const text = type === 'content' ? textsIn(content) : null;
  return text === null ? null : { source: { kind: 'text', text }, isWhole: false };
}

/** The texts of a content, joined; null: it holds something else, too. */
function textsIn(content: unknown): string | null {
  if (typeof content === 'string') return content;
  if (!Array.isArray(content)) return null;
  const texts = content.map((block) => (isJsonObject(block) && block['type'] === 'text' ? block['text'] : null));
  return texts.every((text) => typeof text === 'string') ? texts.join('\n\n') : null;
}

/** For others a document of text; what makes it more than that is kept. */
function readSearchResult(block: JsonObject): FilePart | null {
  const text = textsIn(block['content']);
  if (text === null) return null;
  const name = typeof block['title'] === 'string' ? { name: block['title'] } : {};
  return {
    type: 'file',
    source: { kind: 'text', text },
    ...name,
    ...common(block, typeof block['title'] === 'string' ? ['title'] : [], { type: 'search_result' }),
  };
}

function readThinking(block: JsonObject): ReasoningPart | null {
  if (typeof block['thinking'] !== 'string') return null;
  const signature = nonEmpty(block['signature']);
  return {
    type: 'reasoning',
    text: block['thinking'],
    ...(signature === null ? {} : { state: signatureState(signature) }),
    ...common(block, ['thinking', 'signature']),
  };
}

function readRedacted(block: JsonObject): ReasoningPart | null {
  if (typeof block['data'] !== 'string') return null;
  return { type: 'reasoning', text: '', state: redactedState(block['data']), ...common(block, ['data']) };
}

function readCall(block: JsonObject, calls: CallNames): Part | null {
  const { id, name } = block;
  if (typeof id !== 'string' || typeof name !== 'string') return null;
  calls.set(id, name);
  return {
    type: 'tool_call',
    kind: 'function',
    id,
    name,
    input: inputText(block['input']),
    ...common(block, ['id', 'name', 'input']),
  };
}

function readResult(block: JsonObject, calls: CallNames): ToolResultPart | null {
  const { tool_use_id: callId, content, is_error: isError } = block;
  if (typeof callId !== 'string') return null;
  const name = calls.get(callId);
  const parts = readResultContent(content, calls);
  const isBoolean = typeof isError === 'boolean';
  return {
    type: 'tool_result',
    kind: 'function',
    callId,
    ...(name === undefined ? {} : { name }),
    content: parts.known,
    ...(isBoolean ? { isError } : {}),
    ...common(
      block,
      ['tool_use_id', 'content', ...(isBoolean ? ['is_error'] : [])],
      parts.isWhole ? {} : { content: content as JsonValue },
    ),
  };
}

type ResultPart = ToolResultPart['content'][number];

/**
 * A part as results hold it, for everybody; null: there are no words for it. What a search of the client's found is there
 * among the tools.
 */
function wordsFor(part: Part): ResultPart | null {
  if (part.type === 'text' || part.type === 'image' || part.type === 'file') return part;
  if (part.type !== 'native' || part.what !== 'tool_reference' || !isJsonObject(part.value)) return null;
  const name = nonEmpty(part.value['tool_name']);
  return name === null ? null : { type: 'text', text: `Found the tool ${name}.` };
}

/** `isWhole`: nothing else is there. */
function readResultContent(
  content: unknown,
  calls: CallNames,
): { readonly known: readonly ResultPart[]; readonly isWhole: boolean } {
  if (typeof content === 'string')
    return { known: content === '' ? [] : [{ type: 'text', text: content }], isWhole: true };
  const blocks = listOf(content);
  const isList = content === undefined || content === null || Array.isArray(content);
  const parts = blocks.flatMap((block) => (isJsonObject(block) ? [readBlockPart(block, calls)] : []));
  const known = parts.flatMap((part) => wordsFor(part) ?? []);
  const isWhole = isList && known.length === blocks.length && !parts.some(({ type }) => type === 'native');
  return { known, isWhole };
}
