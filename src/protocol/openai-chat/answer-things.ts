import type { BlockStart } from '../../core/model/answer.ts';
import type { Citation } from '../../core/model/content.ts';
import type { JsonObject } from '../../core/model/json-value.ts';
import { dataUrl } from '../shared/media-url.ts';

/** A sound can't be named in a later request: it expires as soon as it is there. */
export const AUDIO_SECONDS = 0;

/** As OpenRouter gives images. */
export const imageOfAnswer = (image: BlockStart & { readonly type: 'image' }): JsonObject => ({
  type: 'image_url',
  image_url: { url: dataUrl(image) },
});

/**
 * A citation of a text that begins at `base` of the message and has `length` characters so far: a place that nobody told
 * is all of it. Null for a source that has no address, of which this protocol can't tell.
 */
export function annotationOf(citation: Citation, base: number, length: number): JsonObject | null {
  const { url, title, start, end, source } = citation;
  if (source?.protocol === 'openai-chat') return source.value;
  if (url === null) return null;
  return {
    type: 'url_citation',
    url_citation: {
      start_index: base + (start ?? 0),
      end_index: base + (end ?? length),
      url,
      title: title ?? url,
    },
  };
}
