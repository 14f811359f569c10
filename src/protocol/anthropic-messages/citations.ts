import type { Citation } from '../../core/model/content.ts';
import type { JsonObject } from '../../core/model/json-value.ts';
import { isJsonObject, textOrNull } from '../shared/json-object.ts';
import { PROTOCOL } from './members.ts';

/** A place on the web, without what only the provider could have told of it. */
const isForeign = (value: JsonObject): boolean =>
  value['type'] === 'web_search_result_location' && value['encrypted_index'] === '';

/** One element of `citations`; null: no citation. */
export function readCitation(value: unknown): Citation | null {
  if (!isJsonObject(value)) return null;
  return {
    url: textOrNull(value['url']) ?? (value['type'] === 'search_result_location' ? textOrNull(value['source']) : null),
    title: textOrNull(value['title']) ?? textOrNull(value['document_title']),
    citedText: textOrNull(value['cited_text']),
    // Places of Messages are places in the source; the text that leans on it is all of its block.
    start: null,
    end: null,
    source: isForeign(value) ? null : { protocol: PROTOCOL, value },
  };
}

/** As it came from this protocol; null: it came from elsewhere, and is refused in a prompt. */
export const ownCitation = ({ source }: Citation): JsonObject | null =>
  source?.protocol === PROTOCOL ? source.value : null;

/**
 * For a client's eyes, where a place on the web is told: with an empty index, by which `readCitation` knows that no
 * provider can make use of it. Null: it can't be said.
 */
export function shownCitation(citation: Citation): JsonObject | null {
  const told = ownCitation(citation);
  if (told !== null || citation.url === null) return told;
  return {
    type: 'web_search_result_location',
    url: citation.url,
    title: citation.title,
    cited_text: citation.citedText ?? '',
    encrypted_index: '',
  };
}
