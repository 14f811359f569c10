import type { BlockStart } from '../../core/model/answer.ts';
import type { Citation } from '../../core/model/content.ts';
import type { JsonObject } from '../../core/model/json-value.ts';
import { isJsonObject, textOrNull } from '../shared/json-object.ts';
import { readUrl } from '../shared/media-url.ts';

/** An image of an answer; one that is not among its bytes stays what it is. */
export function imageBlock(item: JsonObject): BlockStart | null {
  const image = item['image_url'];
  const url = isJsonObject(image) ? image['url'] : image;
  if (typeof url !== 'string' || url === '') return null;
  const source = readUrl(url);
  if (source.kind !== 'base64') {
    return { type: 'native', protocol: 'openai-chat', what: 'image_url', value: item };
  }
  return { type: 'image', data: source.data, mediaType: source.mediaType };
}

/** Nothing tells the format of a sound but its first bytes; what has no head is the samples themselves. */
const HEADS: readonly (readonly [base64: string, mediaType: string])[] = [
  ['UklGR', 'audio/wav'],
  ['SUQz', 'audio/mpeg'],
  ['//', 'audio/mpeg'],
  ['T2dn', 'audio/opus'],
  ['ZkxhQ', 'audio/flac'],
];

const soundType = (data: string): string => HEADS.find(([head]) => data.startsWith(head))?.[1] ?? 'audio/pcm';

/** A sound and its words, which come in pieces. */
export class AudioReader {
  #data = '';
  #transcript = '';

  read(audio: JsonObject): void {
    const { data, transcript } = audio;
    if (typeof data === 'string') this.#data += data;
    if (typeof transcript === 'string') this.#transcript += transcript;
  }

  block(): BlockStart | null {
    if (this.#data === '' && this.#transcript === '') return null;
    const words = this.#transcript === '' ? {} : { transcript: this.#transcript };
    return { type: 'audio', data: this.#data, mediaType: soundType(this.#data), ...words };
  }
}

const placeOrNull = (value: unknown, base: number): number | null =>
  typeof value === 'number' && value >= base ? value - base : null;

/** `base`: where the text that it is told of begins in the message. */
export function citationOf(annotation: JsonObject, base: number): Citation | null {
  const place = annotation['url_citation'];
  if (!isJsonObject(place)) return null;
  return {
    url: textOrNull(place['url']),
    title: textOrNull(place['title']),
    citedText: textOrNull(place['content']),
    start: placeOrNull(place['start_index'], base),
    end: placeOrNull(place['end_index'], base),
    source: { protocol: 'openai-chat', value: annotation },
  };
}
