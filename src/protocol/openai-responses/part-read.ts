import type {
  AudioPart,
  CacheMark,
  FilePart,
  ImagePart,
  MediaSource,
  NativePart,
  RefusalPart,
  TextPart,
} from '../../core/model/content.ts';
import type { JsonObject, JsonValue } from '../../core/model/json-value.ts';
import { isJsonObject } from '../shared/json-object.ts';
import { readUrl } from '../shared/media-url.ts';
import { isObject, nonEmpty, own } from '../shared/value.ts';
import { readAnnotations } from './citation.ts';
import { extended, PROTOCOL, restOf } from './members.ts';

export type ContentPart = TextPart | RefusalPart | ImagePart | FilePart | AudioPart | NativePart;

const BREAKPOINT = 'prompt_cache_breakpoint';

const DETAILS = ['auto', 'low', 'high', 'original'] as const;

/** Formats of sound, and their media types. Others are called as they are. */
export const AUDIO_TYPES: Readonly<Record<string, string>> = { mp3: 'audio/mpeg', wav: 'audio/wav' };

/** What a file is by the end of its name, where its bytes come without their type. */
const FILE_TYPES: Readonly<Record<string, string>> = {
  pdf: 'application/pdf',
  txt: 'text/plain',
  md: 'text/markdown',
  csv: 'text/csv',
  html: 'text/html',
  json: 'application/json',
  docx: 'application/vnd.openxmlformats-officedocument.wordprocessingml.document',
  xlsx: 'application/vnd.openxmlformats-officedocument.spreadsheetml.sheet',
  pptx: 'application/vnd.openxmlformats-officedocument.presentationml.presentation',
};

const endOfName = (name: string | null): string => name?.split('.').at(-1)?.toLowerCase() ?? '';

const typeOfFile = (name: string | null): string => own(FILE_TYPES, endOfName(name)) ?? 'application/octet-stream';

/** The usual end of a name for a media type; `bin` where there is none. */
export const suffixOf = (mediaType: string): string =>
  Object.entries(FILE_TYPES).find(([, type]) => type === mediaType)?.[0] ?? 'bin';

/** The mark of a cache, and what of it only this protocol knows. */
function readCache(part: JsonObject): { cache?: CacheMark; rest: JsonObject } {
  const mark = part[BREAKPOINT];
  if (!isJsonObject(mark)) return { rest: {} };
  const isPlain = Object.keys(mark).every((name) => name === 'mode') && mark['mode'] === 'explicit';
  return { cache: { ttl: null }, rest: isPlain ? {} : { [BREAKPOINT]: mark } };
}

function common(part: JsonObject, ...known: readonly string[]): Pick<TextPart, 'cache' | 'extensions'> {
  const { cache, rest } = readCache(part);
  const others = restOf(part, 'type', ...(cache === undefined ? [] : [BREAKPOINT]), ...known);
  return { ...(cache === undefined ? {} : { cache }), ...extended({ ...others, ...rest }) };
}

function readText(part: JsonObject): TextPart | null {
  const text = part['text'];
  if (typeof text !== 'string') return null;
  const citations = readAnnotations(part['annotations']);
  const known = ['text', ...(citations === null ? [] : ['annotations'])];
  const logprobs = part['logprobs'];
  if (Array.isArray(logprobs) && logprobs.length === 0) known.push('logprobs');
  return {
    type: 'text',
    text,
    ...(citations === null || citations.length === 0 ? {} : { citations }),
    ...common(part, ...known),
  };
}

function readRefusal(part: JsonObject): RefusalPart | null {
  const text = part['refusal'];
  return typeof text === 'string' ? { type: 'refusal', text, ...common(part, 'refusal') } : null;
}

const fileId = (id: string): MediaSource => ({ kind: 'file_id', id, issuer: PROTOCOL });

function readImage(part: JsonObject): ImagePart | null {
  const url = nonEmpty(part['image_url']);
  const id = nonEmpty(part['file_id']);
  if (url === null && id === null) return null;
  const detail = DETAILS.find((word) => word === part['detail']);
  const known = [url === null ? 'file_id' : 'image_url', ...(detail === undefined ? [] : ['detail'])];
  return {
    type: 'image',
    source: url === null ? fileId(id ?? '') : readUrl(url),
    ...(detail === undefined ? {} : { detail }),
    ...common(part, ...known),
  };
}

/** Where a file is, by the member that says so; the first that does. */
const FILE_SOURCES: Readonly<Record<string, (value: string, name: string | null) => MediaSource | null>> = {
  file_data(data, name) {
    if (!data.startsWith('data:')) return { kind: 'base64', data, mediaType: typeOfFile(name) };
    const source = readUrl(data);
    if (source.kind !== 'base64') return null;
    return source.mediaType === '' ? { ...source, mediaType: typeOfFile(name) } : source;
  },
  file_url: (url) => ({ kind: 'url', url }),
  file_id: fileId,
};

function readFile(part: JsonObject): FilePart | null {
  const name = typeof part['filename'] === 'string' ? part['filename'] : null;
  const member = Object.keys(FILE_SOURCES).find((key) => nonEmpty(part[key]) !== null);
  const source = member === undefined ? null : own(FILE_SOURCES, member)?.(part[member] as string, name);
  if (member === undefined || source == null) return null;
  const known = [member, ...(name === null ? [] : ['filename'])];
  return { type: 'file', source, ...(name === null ? {} : { name }), ...common(part, ...known) };
}

function readAudio(part: JsonObject): AudioPart | null {
  const sound = part['input_audio'];
  if (!isJsonObject(sound)) return null;
  const { data, format } = sound;
  if (typeof data !== 'string' || typeof format !== 'string' || Object.keys(sound).length > 2) return null;
  const mediaType = own(AUDIO_TYPES, format) ?? `audio/${format}`;
  return { type: 'audio', source: { kind: 'base64', data, mediaType }, ...common(part, 'input_audio') };
}

const READERS: Readonly<Record<string, (part: JsonObject) => ContentPart | null>> = {
  input_text: readText,
  output_text: readText,
  text: readText,
  refusal: readRefusal,
  input_image: readImage,
  input_file: readFile,
  input_audio: readAudio,
};

/** What only this protocol can say; its type is what it is called. */
export const nativeOf = (value: JsonValue, what?: string): NativePart => ({
  type: 'native',
  protocol: PROTOCOL,
  what: what ?? (isObject(value) ? (nonEmpty(value['type']) ?? 'unknown') : 'unknown'),
  value,
});

/** A part of a message or of a tool's output. A bare text is one, too. */
export function readPart(value: JsonValue): ContentPart {
  if (typeof value === 'string') return { type: 'text', text: value };
  const part = isJsonObject(value) ? own(READERS, value['type'])?.(value) : null;
  return part ?? nativeOf(value);
}

/** The content of a message; null: it is none. */
export function readContent(content: JsonValue | undefined): readonly ContentPart[] | null {
  if (typeof content === 'string') return [{ type: 'text', text: content }];
  return Array.isArray(content) ? content.map(readPart) : null;
}
