import type { MediaSource } from '../../core/model/content.ts';
import { decodeUtf8 } from '../json/index.ts';

/** Forms of text that need no reader of their own. */
const TEXT_TYPES = /^(text\/|application\/(json|xml|javascript|x-yaml|yaml|toml|x-ndjson)\b)/;

/** The text of a document that is text in base64; null: it is something else. */
export function plainText(source: MediaSource): string | null {
  if (source.kind !== 'base64' || !TEXT_TYPES.test(source.mediaType)) return null;
  try {
    return decodeUtf8(Uint8Array.from(atob(source.data), (char) => char.charCodeAt(0)));
  } catch {
    return null;
  }
}
