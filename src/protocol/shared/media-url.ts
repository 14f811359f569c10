import type { MediaSource } from '../../core/model/content.ts';

/**
 * A URL that holds the bytes themselves (`data:` with base64) is those bytes; any other is a place. Parameters of the media
 * type are left out: who takes a list of types knows none with them.
 */
export function readUrl(url: string): Extract<MediaSource, { readonly kind: 'base64' | 'url' }> {
  const comma = url.startsWith('data:') ? url.indexOf(',') : -1;
  const head = comma < 0 ? '' : url.slice('data:'.length, comma);
  if (!head.endsWith(';base64')) return { kind: 'url', url };
  const [mediaType = ''] = head.split(';', 1);
  return { kind: 'base64', data: url.slice(comma + 1), mediaType: mediaType.toLowerCase() };
}

export const dataUrl = ({ mediaType, data }: { readonly mediaType: string; readonly data: string }): string =>
  `data:${mediaType};base64,${data}`;

/** Null for an id. */
export function urlOf(source: MediaSource): string | null {
  if (source.kind === 'url') return source.url;
  return source.kind === 'base64' ? dataUrl(source) : null;
}
