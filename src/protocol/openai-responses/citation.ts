import type { Citation } from '../../core/model/content.ts';
import type { JsonObject, JsonValue } from '../../core/model/json-value.ts';
import { textOrNull } from '../shared/json-object.ts';
import { isObject } from '../shared/value.ts';
import { PROTOCOL } from './members.ts';

const placeOf = (value: unknown): number | null => (typeof value === 'number' ? value : null);

/** An annotation of any type; what is not a place in the web has no address, and files go by their names. */
const readAnnotation = (annotation: JsonObject): Citation => ({
  url: textOrNull(annotation['url']),
  title: textOrNull(annotation['title']) ?? textOrNull(annotation['filename']),
  citedText: null,
  start: placeOf(annotation['start_index']),
  end: placeOf(annotation['end_index']),
  source: { protocol: PROTOCOL, value: annotation },
});

/** The citations of a list of annotations; null: something in it is none. */
export function readAnnotations(list: JsonValue | undefined): readonly Citation[] | null {
  if (!Array.isArray(list)) return null;
  const objects = list.filter((annotation): annotation is JsonObject => isObject(annotation));
  return objects.length === list.length ? objects.map(readAnnotation) : null;
}

/** An annotation for a citation; null: it names no place that an annotation could. `length`: of the text it is of. */
export function writeAnnotation(citation: Citation, length: number): JsonObject | null {
  const { source, url, title, start, end } = citation;
  if (source?.protocol === PROTOCOL) return source.value;
  if (url === null) return null;
  return { type: 'url_citation', url, title: title ?? '', start_index: start ?? 0, end_index: end ?? length };
}
