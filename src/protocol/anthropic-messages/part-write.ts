import type {
  FilePart,
  ImagePart,
  Message,
  Part,
  ReasoningPart,
  TextPart,
  ToolResultPart,
} from '../../core/model/content.ts';
import type { JsonObject } from '../../core/model/json-value.ts';
import type { Dropped } from '../shared/extensions.ts';
import { isJsonObject } from '../shared/json-object.ts';
import { ownCitation } from './citations.ts';
import { PROTOCOL, withExtensions, writeCache } from './members.ts';
import { plainText } from './plain-text.ts';
import { sealOf } from './thoughts.ts';
import { inputObject } from './tool-input.ts';

type Role = Message['role'];

type Writer<P extends Part> = (part: P, dropped: Dropped, role: Role) => JsonObject | null;

const WRITERS: { readonly [T in Part['type']]: Writer<Extract<Part, { readonly type: T }>> } = {
  text: writeText,
  refusal: ({ text }) => (isBlank(text) ? null : { type: 'text', text }),
  image: writeImage,
  file: writeFile,
  audio: (_part, dropped) => lose(dropped, 'audio'),
  reasoning: writeThought,
  tool_call: ({ id, name, input }) => ({ type: 'tool_use', id, name, input: inputObject(input) }),
  tool_result: writeResult,
  native: ({ protocol, what, value }, dropped) =>
    protocol === PROTOCOL && isJsonObject(value) ? value : lose(dropped, what),
};

function lose(dropped: Dropped, name: string): null {
  dropped.add(name);
  return null;
}

/** A part as a block; null: nothing is to be said, or it can't be (then it is named). */
export function writePart(part: Part, role: Role, dropped: Dropped): JsonObject | null {
  const write = WRITERS[part.type] as Writer<Part>;
  const block = write(part, dropped, role);
  if (block === null || (part.type === 'native' && part.cache === undefined && part.extensions === undefined))
    return block;
  // Thoughts take no mark.
  const marked = part.type === 'reasoning' ? block : { ...block, ...writeCache(part) };
  return withExtensions(marked, part, dropped);
}

/** Text that is nothing but white space is refused. */
export const isBlank = (text: string): boolean => text.trim() === '';

function writeText({ text, citations = [] }: TextPart, dropped: Dropped): JsonObject | null {
  if (isBlank(text)) return null;
  const told = citations.flatMap((citation) => ownCitation(citation) ?? []);
  if (told.length < citations.length) dropped.add('citations');
  return { type: 'text', text, ...(told.length === 0 ? {} : { citations: told }) };
}

/** The model's own turns hold no pictures and no documents. */
const isMisplaced = (role: Role): boolean => role === 'assistant';

function writeImage({ source, detail }: ImagePart, dropped: Dropped, role: Role): JsonObject | null {
  if (detail !== undefined) dropped.add('detail');
  const written = isMisplaced(role) ? null : writeSource(source);
  return written === null ? lose(dropped, 'image') : { type: 'image', source: written };
}

function writeFile({ source, name }: FilePart, dropped: Dropped, role: Role): JsonObject | null {
  const written = isMisplaced(role) ? null : writeDocument(source);
  if (written === null) return lose(dropped, 'file');
  return { type: 'document', source: written, ...(name === undefined ? {} : { title: name }) };
}

function writeSource(source: ImagePart['source']): JsonObject | null {
  if (source.kind === 'url') return { type: 'url', url: source.url };
  if (source.kind === 'base64') return { type: 'base64', media_type: source.mediaType, data: source.data };
  return source.issuer === PROTOCOL ? { type: 'file', file_id: source.id } : null;
}

function writeDocument(source: FilePart['source']): JsonObject | null {
  if (source.kind === 'text') return { type: 'text', media_type: 'text/plain', data: source.text };
  if (source.kind !== 'base64' || source.mediaType === 'application/pdf') return writeSource(source);
  const text = plainText(source);
  return text === null ? null : { type: 'text', media_type: 'text/plain', data: text };
}

/** Unsigned thoughts are refused; those of another issuer nobody here can read. */
function writeThought({ text, summary = [], state }: ReasoningPart, dropped: Dropped, role: Role): JsonObject | null {
  const seal = role === 'assistant' ? sealOf(state) : null;
  const told = text === '' ? summary.join('\n\n') : text;
  if (seal === null) return told === '' ? null : lose(dropped, 'reasoning');
  if ('data' in seal) return { type: 'redacted_thinking', data: seal.data };
  return { type: 'thinking', thinking: told, signature: seal.signature };
}

function writeResult({ callId, content, isError }: ToolResultPart, dropped: Dropped): JsonObject {
  const blocks = content.map((part) => writePart(part, 'tool', dropped)).filter((block) => block !== null);
  return {
    type: 'tool_result',
    tool_use_id: callId,
    ...(blocks.length === 0 ? {} : { content: blocks }),
    ...(isError === undefined ? {} : { is_error: isError }),
  };
}
