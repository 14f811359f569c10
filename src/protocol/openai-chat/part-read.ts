import type { AudioPart, CacheMark, FilePart, ImagePart, Part } from '../../core/model/content.ts';
import type { JsonObject, JsonValue } from '../../core/model/json-value.ts';
import { isJsonObject, without } from '../shared/json-object.ts';
import { readUrl } from '../shared/media-url.ts';
import { own } from '../shared/value.ts';
import { extended } from './members.ts';

type Marked = { readonly cache?: CacheMark };

/** `cache_control`, as OpenRouter and LiteLLM have it. `used`: it is a mark, and said by `cache`. */
export function readCache(value: JsonValue | undefined): { readonly mark: Marked; readonly isUsed: boolean } {
  if (!isJsonObject(value) || value['type'] !== 'ephemeral') return { mark: {}, isUsed: false };
  const { ttl } = value;
  const isPlain = Object.keys(without(value, ['type', 'ttl'])).length === 0;
  if (!isPlain || (ttl != null && typeof ttl !== 'string')) return { mark: {}, isUsed: false };
  return { mark: { cache: { ttl: ttl ?? null } }, isUsed: true };
}

/** The mark of an object and what is left of it without these members. */
export function common(value: JsonObject, names: readonly string[], inner: JsonObject = {}): Common {
  const { mark, isUsed } = readCache(value['cache_control']);
  const rest = without(value, isUsed ? [...names, 'cache_control'] : names);
  return { ...mark, ...extended({ ...rest, ...inner }) };
}

type Common = Pick<Part, 'cache' | 'extensions'>;

const DETAILS = ['auto', 'low', 'high', 'original'] as const;

const readDetail = (value: unknown): (typeof DETAILS)[number] | undefined => DETAILS.find((word) => word === value);

/** What is left of an object within a part. */
const innerRest = (name: string, inner: JsonObject, known: readonly string[]): JsonObject => {
  const rest = without(inner, known);
  return Object.keys(rest).length === 0 ? {} : { [name]: rest };
};

export function readImage(part: JsonObject): ImagePart | null {
  const image = part['image_url'];
  const inner: JsonObject = isJsonObject(image) ? image : typeof image === 'string' ? { url: image } : {};
  const { url } = inner;
  if (typeof url !== 'string') return null;
  const detail = readDetail(inner['detail']);
  const known = detail === undefined ? ['url'] : ['url', 'detail'];
  return {
    type: 'image',
    source: readUrl(url),
    ...(detail === undefined ? {} : { detail }),
    ...common(part, ['type', 'image_url'], innerRest('image_url', inner, known)),
  };
}

/** Formats whose media type is not called like them. */
const AUDIO_TYPES: Readonly<Record<string, string>> = { mp3: 'audio/mpeg', m4a: 'audio/mp4', pcm16: 'audio/pcm' };

const audioType = (format: string): string => own(AUDIO_TYPES, format) ?? `audio/${format}`;

const FORMATS: ReadonlyMap<string, string> = new Map([
  ...Object.entries(AUDIO_TYPES).map(([format, type]) => [type, format] as const),
  ['audio/mp3', 'mp3'],
  ['audio/x-wav', 'wav'],
  ['audio/wave', 'wav'],
  ['audio/vnd.wave', 'wav'],
]);

/** The word for a media type; the documented ones are `wav` and `mp3`, and providers take more. */
export const audioFormat = (mediaType: string): string => FORMATS.get(mediaType) ?? mediaType.replace(/^audio\//, '');

function readAudio(part: JsonObject): AudioPart | null {
  const inner = part['input_audio'];
  if (!isJsonObject(inner)) return null;
  const { data, format } = inner;
  if (typeof data !== 'string' || typeof format !== 'string') return null;
  return {
    type: 'audio',
    source: { kind: 'base64', data, mediaType: audioType(format) },
    ...common(part, ['type', 'input_audio'], innerRest('input_audio', inner, ['data', 'format'])),
  };
}

function readFile(part: JsonObject): FilePart | null {
  const inner = part['file'];
  if (!isJsonObject(inner)) return null;
  const { file_data: data, file_id: id, filename } = inner;
  // Bytes are worth more than the name that one provider has for them.
  const isInline = typeof data === 'string';
  if (!isInline && typeof id !== 'string') return null;
  const source = isInline ? readUrl(data) : ({ kind: 'file_id', id: id as string, issuer: 'openai-chat' } as const);
  const known = [isInline ? 'file_data' : 'file_id', ...(typeof filename === 'string' ? ['filename'] : [])];
  return {
    type: 'file',
    source,
    ...(typeof filename === 'string' ? { name: filename } : {}),
    ...common(part, ['type', 'file'], innerRest('file', inner, known)),
  };
}

const READERS: Readonly<Record<string, (part: JsonObject) => Part | null>> = {
  text: (part) =>
    typeof part['text'] === 'string' ? { type: 'text', text: part['text'], ...common(part, ['type', 'text']) } : null,
  refusal: (part) =>
    typeof part['refusal'] === 'string'
      ? { type: 'refusal', text: part['refusal'], ...common(part, ['type', 'refusal']) }
      : null,
  image_url: readImage,
  input_audio: readAudio,
  file: readFile,
};

/** One part of a content; one of a kind, or a form, that nobody knows stays what it is. */
export function readPart(part: JsonObject): Part {
  const what = typeof part['type'] === 'string' ? part['type'] : '';
  return own(READERS, what)?.(part) ?? { type: 'native', protocol: 'openai-chat', what, value: part };
}

/** An empty text says nothing, unless something hangs on it. */
export const isVoid = (part: Part): boolean =>
  part.type === 'text' && part.text === '' && part.cache === undefined && part.extensions === undefined;
