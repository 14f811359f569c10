import type { AudioPart, FilePart, ImagePart, MediaSource, Part, ToolCallPart } from '../../core/model/content.ts';
import type { JsonObject } from '../../core/model/json-value.ts';
import { given, isJsonObject } from '../shared/json-object.ts';
import { urlOf } from '../shared/media-url.ts';
import { withExtensions } from './members.ts';
import { audioFormat } from './part-read.ts';
import { membersOfCallState } from './reasoning-state.ts';
import type { PartWriter } from './tool-write.ts';

const isOwnFile = (source: MediaSource): boolean => source.kind === 'file_id' && source.issuer === 'openai-chat';

export const text = (value: string): JsonObject => ({ type: 'text', text: value });

export function imageOf({ source, detail }: ImagePart): JsonObject | null {
  const url = urlOf(source);
  return url === null ? null : { type: 'image_url', image_url: given({ url, detail }) };
}

function audioOf({ source, transcript }: AudioPart, { dropped }: PartWriter): JsonObject | null {
  if (source.kind !== 'base64') return null;
  if (transcript !== undefined) dropped.add('transcript');
  return { type: 'input_audio', input_audio: { data: source.data, format: audioFormat(source.mediaType) } };
}

/** A document that is a text goes as one: here only bytes are files. */
function fileOf({ source, name }: FilePart, { dropped }: PartWriter): JsonObject | null {
  if (source.kind === 'text') {
    if (name !== undefined) dropped.add('name');
    return text(source.text);
  }
  if (source.kind === 'file_id') {
    return isOwnFile(source) ? { type: 'file', file: given({ file_id: source.id, filename: name }) } : null;
  }
  return { type: 'file', file: given({ file_data: urlOf(source), filename: name }) };
}

/** A part as the protocol has it; null: it has no words for it here (`lacks` said so). */
function plainPart(part: Part, writer: PartWriter): JsonObject | null {
  switch (part.type) {
    case 'text':
      if (part.citations !== undefined) writer.dropped.add('citations');
      return text(part.text);
    case 'refusal':
      return { type: 'refusal', refusal: part.text };
    case 'image':
      return imageOf(part);
    case 'audio':
      return audioOf(part, writer);
    case 'file':
      return fileOf(part, writer);
    case 'native':
      return part.protocol === 'openai-chat' && isJsonObject(part.value) ? part.value : null;
    case 'reasoning':
    case 'tool_call':
    case 'tool_result':
      return null;
  }
}

/** One part of a content, as a list of one; empty for what can't be said. */
export function writePart(part: Part, writer: PartWriter): readonly JsonObject[] {
  const plain = plainPart(part, writer);
  if (plain === null) {
    writer.dropped.add(part.type);
    return [];
  }
  return [withExtensions({ ...plain, ...writer.cache(part.cache) }, part, writer.dropped)];
}

export function writeCall(call: ToolCallPart, writer: PartWriter): JsonObject {
  const { kind, id, name, input, state } = call;
  const tool = kind === 'function' ? { name, arguments: input } : { name, input };
  const opaque = state?.issuer === 'openai-chat' ? membersOfCallState(state.value) : {};
  const written = { id, type: kind, [kind]: tool, ...opaque, ...writer.cache(call.cache) };
  return withExtensions(written, call, writer.dropped);
}

/** A content in its shortest form: a lone text that nothing hangs on is a string. */
export function contentOf(parts: readonly JsonObject[]): string | readonly JsonObject[] {
  const [first, ...more] = parts;
  if (first === undefined) return '';
  const isPlain = more.length === 0 && first['type'] === 'text' && Object.keys(first).length === 2;
  return isPlain && typeof first['text'] === 'string' && first['text'] !== '' ? first['text'] : parts;
}
