import type { AudioPart, FilePart, ImagePart, TextPart, ToolResultPart } from '../../core/model/content.ts';
import type { JsonObject, JsonValue } from '../../core/model/json-value.ts';
import { parseExact, stringifyExact } from '../json/index.ts';
import { isJsonObject } from '../shared/json-object.ts';
import { isObject } from '../shared/value.ts';
import { type MediaPart, readFile, readInline, writeMedia } from './media.ts';
import { asList, camel, extended } from './members.ts';

type Content = ToolResultPart['content'][number];

const asText = (value: JsonValue): string => (typeof value === 'string' ? value : stringifyExact(value));

/**
 * What a result says. `output` alone is what a tool gave, `error` alone what it failed with; any other object is, as a
 * whole, what it gave.
 */
function readResponse(value: JsonValue | undefined): { readonly text: string | null; readonly isError: boolean } {
  if (value === undefined || value === null) return { text: null, isError: false };
  const names = isObject(value) ? Object.keys(value) : [];
  const [only] = names;
  const member = names.length === 1 && isJsonObject(value) && only !== undefined ? value[only] : undefined;
  if (member !== undefined && (only === 'output' || only === 'error')) {
    return { text: asText(member), isError: only === 'error' };
  }
  return { text: names.length === 0 && isObject(value) ? null : asText(value), isError: false };
}

/** The object for a text: itself where it is one that reads back the same, else under `output`. */
function writeResponse(text: string, isError: boolean): JsonObject {
  if (isError) return { error: text };
  const object = parsedObject(text);
  const isSame = object !== null && stringifyExact(object) === text && readResponse(object).text === text;
  return isSame ? object : { output: text };
}

function parsedObject(text: string): JsonObject | null {
  if (!text.startsWith('{')) return null;
  try {
    const value = parseExact(text);
    return isJsonObject(value) ? value : null;
  } catch {
    return null;
  }
}

/** `functionResponse`, its call found out by the caller. */
export function readResult(value: JsonValue, callId: string, name: string, beside: JsonObject): ToolResultPart {
  const { id: _id, name: _name, response, parts, ...rest } = camel(value);
  const { text, isError } = readResponse(response);
  const media = asList(parts).flatMap((part): MediaPart[] => {
    const { inlineData, fileData, ...others } = camel(part);
    const read = inlineData === undefined ? readFile(fileData ?? null, others) : readInline(inlineData, others);
    return read === null ? [] : [read];
  });
  return {
    type: 'tool_result',
    kind: 'function',
    callId,
    name,
    content: [...(text === null ? [] : [{ type: 'text' as const, text }]), ...media],
    ...(isError ? { isError } : {}),
    ...extended({ ...beside, ...(Object.keys(rest).length === 0 ? {} : { functionResponse: rest }) }),
  };
}

export type WrittenResult = {
  readonly part: JsonObject;
  /** Media that the model can't read inside of a result: they stand behind it. */
  readonly beside: readonly JsonObject[];
};

const isText = (part: Content): part is TextPart => part.type === 'text';
const isMedia = (part: Content): part is ImagePart | FilePart | AudioPart => part.type !== 'text';

/** `isMixed`: the model reads media inside of results. */
export function writeResult(result: ToolResultPart, name: string, isMixed: boolean): WrittenResult {
  const text = result.content.filter(isText).map((part) => part.text);
  const media = result.content
    .filter(isMedia)
    .map(writeMedia)
    .filter((part) => part !== null);
  const plain = media.flatMap((part) => (typeof part['text'] === 'string' ? [part['text']] : []));
  const data = media.filter((part) => part['text'] === undefined);
  const words = [...text, ...plain];
  const { functionResponse: inner, ...rest } = result.extensions?.gemini ?? {};
  const response = words.length === 0 ? {} : writeResponse(words.join('\n'), result.isError === true);
  const inside = isMixed && data.length > 0 ? { parts: data } : {};
  return {
    part: { functionResponse: { id: result.callId, name, response, ...inside, ...camel(inner) }, ...rest },
    beside: isMixed ? [] : data,
  };
}
