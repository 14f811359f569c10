import type { AudioPart, FilePart, ImagePart, MediaSource } from '../../core/model/content.ts';
import type { JsonObject, JsonValue } from '../../core/model/json-value.ts';
import { given } from '../shared/json-object.ts';
import { readUrl } from '../shared/media-url.ts';
import { own } from '../shared/value.ts';
import { camel, extended } from './members.ts';

export type MediaPart = ImagePart | AudioPart | FilePart;

/** What the ends of names say, for media of which only the place is known. */
const BY_ENDING: Readonly<Record<string, string>> = {
  png: 'image/png',
  jpg: 'image/jpeg',
  jpeg: 'image/jpeg',
  webp: 'image/webp',
  gif: 'image/gif',
  heic: 'image/heic',
  heif: 'image/heif',
  pdf: 'application/pdf',
  txt: 'text/plain',
  html: 'text/html',
  csv: 'text/csv',
  json: 'application/json',
  mp3: 'audio/mpeg',
  wav: 'audio/wav',
  flac: 'audio/flac',
  ogg: 'audio/ogg',
  mp4: 'video/mp4',
  webm: 'video/webm',
  mov: 'video/quicktime',
};

const USUAL = { image: 'image/jpeg', audio: 'audio/wav', file: 'application/pdf' } as const;

function guess(url: string, type: MediaPart['type']): string {
  const ending = /\.([a-z0-9]{2,5})(?:[?#]|$)/i.exec(url)?.[1]?.toLowerCase();
  return own(BY_ENDING, ending) ?? USUAL[type];
}

const typeOf = (mime: string): MediaPart['type'] => {
  if (mime.startsWith('image/')) return 'image';
  return mime.startsWith('audio/') ? 'audio' : 'file';
};

/** Files that the provider keeps: nobody else can fetch them. */
const KEPT_FILE = /^https:\/\/generativelanguage\.googleapis\.com\//;

/** `inlineData`, with what else the part says. Null: it is none. */
export function readInline(value: JsonValue, rest: JsonObject): MediaPart | null {
  const { mimeType, data, ...others } = camel(value);
  if (typeof data !== 'string' || typeof mimeType !== 'string') return null;
  const source: MediaSource = { kind: 'base64', data, mediaType: mimeType };
  return { type: typeOf(mimeType), source, ...extended({ ...rest, ...inside('inlineData', others) }) };
}

/** `fileData`. The type of what is found there stays beside it, unless the name tells the same. */
export function readFile(value: JsonValue, rest: JsonObject): MediaPart | null {
  const { mimeType, fileUri, ...others } = camel(value);
  if (typeof fileUri !== 'string') return null;
  const mime = typeof mimeType === 'string' ? mimeType : null;
  const type = typeOf(mime ?? guess(fileUri, 'file'));
  const source: MediaSource = KEPT_FILE.test(fileUri)
    ? { kind: 'file_id', id: fileUri, issuer: 'gemini' }
    : { kind: 'url', url: fileUri };
  const kept = given({ mimeType: mime === null || mime === guess(fileUri, type) ? null : mime });
  return { type, source, ...extended({ ...rest, ...kept, ...inside('fileData', others) }) };
}

/** Members of the inner object, under names that tell where they stood. */
const inside = (name: string, members: JsonObject): JsonObject =>
  Object.fromEntries(Object.entries(members).map(([key, value]) => [`${name}.${key}`, value]));

/** A member of a part, and the rest that goes beside it; null: the protocol can't say it. */
export function writeMedia(part: MediaPart): JsonObject | null {
  const { source } = part;
  const extension = part.extensions?.gemini ?? {};
  if (source.kind === 'text') return { text: source.text };
  if (source.kind === 'base64') return writeInline(source, extension);
  if (source.kind === 'file_id' && source.issuer !== 'gemini') return null;
  const uri = source.kind === 'url' ? source.url : source.id;
  const inline = readUrl(uri);
  if (inline.kind === 'base64' && inline.mediaType !== '') return writeInline(inline, extension);
  const { mimeType = guess(uri, part.type), ...others } = extension;
  return written('fileData', { mimeType, fileUri: uri }, others);
}

const writeInline = (
  { mediaType, data }: { readonly mediaType: string; readonly data: string },
  extension: JsonObject,
): JsonObject => written('inlineData', { mimeType: mediaType, data }, extension);

function written(name: 'inlineData' | 'fileData', members: JsonObject, extension: JsonObject): JsonObject {
  const prefix = `${name}.`;
  const entries = Object.entries(extension);
  const own = entries
    .filter(([key]) => key.startsWith(prefix))
    .map(([key, value]) => [key.slice(prefix.length), value]);
  const beside = entries.filter(([key]) => !key.startsWith(prefix));
  return { [name]: { ...members, ...Object.fromEntries(own) }, ...Object.fromEntries(beside) };
}
