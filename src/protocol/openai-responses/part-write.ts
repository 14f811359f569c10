import type { AudioPart, FilePart, ImagePart, MediaSource, Message, Part, TextPart } from '../../core/model/content.ts';
import type { JsonObject } from '../../core/model/json-value.ts';
import { given, isJsonObject } from '../shared/json-object.ts';
import { dataUrl, urlOf } from '../shared/media-url.ts';
import { writeAnnotation } from './citation.ts';
import { markOf, PROTOCOL, riders } from './members.ts';
import { AUDIO_TYPES, suffixOf } from './part-read.ts';
import { dropForeign, type WriteContext } from './write-context.ts';

type Role = Message['role'];

/**
 * Marks of a cache are for models that know them and are errors to all others: only who asked in this protocol gets
 * them. What is cached without one is cached by itself.
 */
function cacheMember(part: Part, context: WriteContext): JsonObject {
  if (part.cache === undefined) return {};
  if (context.isOwn) return { prompt_cache_breakpoint: { mode: 'explicit' } };
  context.dropped.add('cache');
  return {};
}

function annotations(part: TextPart, role: Role, { dropped }: WriteContext): JsonObject {
  const citations = part.citations ?? [];
  const written = citations.map((citation) => writeAnnotation(citation, part.text.length));
  const list = written.filter((annotation) => annotation !== null);
  if (list.length < written.length) dropped.add('citations');
  return role === 'assistant' || list.length > 0 ? { annotations: list } : {};
}

const writeText = (part: TextPart, role: Role, context: WriteContext): JsonObject => ({
  type: role === 'assistant' ? 'output_text' : 'input_text',
  text: part.text,
  ...annotations(part, role, context),
});

const idOf = (source: MediaSource): string | null =>
  source.kind === 'file_id' && source.issuer === PROTOCOL ? source.id : null;

function writeImage({ source, detail }: ImagePart): JsonObject | null {
  const [id, url] = [idOf(source), urlOf(source)];
  if (id === null && url === null) return null;
  return { type: 'input_image', ...given({ image_url: url, file_id: id, detail }) };
}

function writeFile(part: FilePart, { isOwn, dropped }: WriteContext): JsonObject | null {
  const { source, name } = part;
  if (source.kind === 'text') {
    // Every model reads a text; not every one reads a file that holds one.
    if (name !== undefined) dropped.add('name');
    return { type: 'input_text', text: source.text };
  }
  const id = idOf(source);
  if (source.kind === 'url') return { type: 'input_file', file_url: source.url, ...given({ filename: name }) };
  if (id !== null) return { type: 'input_file', file_id: id, ...given({ filename: name }) };
  if (source.kind !== 'base64') return null;
  // Bytes without a name are refused.
  const filename = name ?? (isOwn ? undefined : `document.${suffixOf(source.mediaType)}`);
  return { type: 'input_file', file_data: dataUrl(source), ...given({ filename }) };
}

/** The format of a sound, in this protocol's word; null: it has none. */
export function audioFormat(source: MediaSource, isOwn: boolean): string | null {
  if (source.kind !== 'base64') return null;
  const known = Object.entries(AUDIO_TYPES).find(([, type]) => type === source.mediaType)?.[0];
  if (known !== undefined) return known;
  if (source.mediaType === 'audio/mp3') return 'mp3';
  if (source.mediaType === 'audio/x-wav' || source.mediaType === 'audio/wave') return 'wav';
  return isOwn ? source.mediaType.replace('audio/', '') : null;
}

function writeAudio({ source }: AudioPart, { isOwn }: WriteContext): JsonObject | null {
  const format = audioFormat(source, isOwn);
  return format === null || source.kind !== 'base64'
    ? null
    : { type: 'input_audio', input_audio: { data: source.data, format } };
}

function bodyOf(part: Part, role: Role, context: WriteContext): JsonObject | null {
  switch (part.type) {
    case 'text':
      return writeText(part, role, context);
    case 'refusal':
      return role === 'assistant' ? { type: 'refusal', refusal: part.text } : { type: 'input_text', text: part.text };
    case 'image':
      return role === 'assistant' ? null : writeImage(part);
    case 'file':
      return role === 'assistant' ? null : writeFile(part, context);
    case 'audio':
      return role === 'assistant' ? null : writeAudio(part, context);
    default:
      return null;
  }
}

/** A part of a message or of an output; null: this protocol has no words for it, and its loss is named. */
export function writePart(part: Part, role: Role, context: WriteContext): JsonObject | null {
  dropForeign(part, context);
  if (part.type === 'native') {
    if (part.protocol === PROTOCOL && isJsonObject(part.value)) return part.value;
    context.dropped.add(part.what);
    return null;
  }
  // The mind of an assistant's turn may have held media in this protocol: they ride as they came.
  const isRiding = context.isOwn && markOf(part, '$content') !== undefined;
  const body = bodyOf(part, isRiding ? 'user' : role, context);
  if (body === null) {
    context.dropped.add(part.type);
    return null;
  }
  if (part.type === 'audio' && part.transcript !== undefined) context.dropped.add('transcript');
  return { ...body, ...cacheMember(part, context), ...riders(part) };
}

/** A text that says nothing but itself. */
export const isPlain = (part: JsonObject | undefined): boolean =>
  part !== undefined &&
  (part['type'] === 'input_text' || part['type'] === 'output_text') &&
  Object.entries(part).every(
    ([name, value]) => name === 'type' || name === 'text' || (name === 'annotations' && (value as []).length === 0),
  );

/** Content in its shortest form: one plain text is a string, which every server of this protocol takes. */
export function contentOf(parts: readonly JsonObject[]): JsonObject[string] {
  const [first] = parts;
  return parts.length === 1 && first !== undefined && isPlain(first) ? (first['text'] as string) : parts;
}
