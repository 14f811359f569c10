import type { Extensions, Message, Part, ReasoningPart, ToolCallPart } from '../../core/model/content.ts';
import type { JsonObject } from '../../core/model/json-value.ts';
import { parseExact } from '../json/index.ts';
import { foreignNames } from '../shared/extensions.ts';
import { isJsonObject } from '../shared/json-object.ts';
import { type MediaPart, writeMedia } from './media.ts';
import { writeResult } from './results.ts';
import { NO_SIGNATURE } from './signature.ts';

/** What the writing of parts needs to know, and whom it tells of what is left out. */
export type PartContext = {
  /** The first call of a turn needs a signature, be it one that stands for none. */
  readonly wantsSignature: boolean;
  /** The model reads media inside of results, and takes its own tools beside functions. */
  readonly isMixed: boolean;
  /** Names of calls by their ids: results need them. */
  readonly names: ReadonlyMap<string, string>;
  readonly drop: (name: string) => void;
};

const signatureOf = (part: ReasoningPart | ToolCallPart): string | null =>
  part.state?.issuer === 'gemini' ? part.state.value : null;

/**
 * The arguments of a call are an object on the wire. A text that is none (broken JSON, a list, a number) is kept whole
 * under the name that tools of one text have here.
 */
export function writeArgs(input: string): JsonObject {
  if (input.trim() === '') return {};
  try {
    const value = parseExact(input);
    if (isJsonObject(value)) return value;
  } catch {
    // A model's slip; what it wrote is all that there is.
  }
  return { input };
}

function writeCall(part: ToolCallPart, isFirst: boolean, context: PartContext): JsonObject {
  const { functionCall: inner, ...rest } = part.extensions?.gemini ?? {};
  const signature = signatureOf(part) ?? (isFirst && context.wantsSignature ? NO_SIGNATURE : null);
  const call = { id: part.id, name: part.name, args: writeArgs(part.input) };
  return {
    functionCall: isJsonObject(inner) ? { ...call, ...inner } : call,
    ...(signature === null ? {} : { thoughtSignature: signature }),
    ...rest,
  };
}

const thoughts = ({ text, summary = [] }: ReasoningPart): string => (text === '' ? summary.join('\n\n') : text);

function writeThoughts(part: ReasoningPart): JsonObject {
  const signature = signatureOf(part);
  return {
    text: thoughts(part),
    thought: true,
    ...(signature === null ? {} : { thoughtSignature: signature }),
    ...part.extensions?.gemini,
  };
}

type Said = Exclude<Part, ToolCallPart>;

type Writer<P> = (part: P, context: PartContext) => readonly JsonObject[];

const writeText: Writer<{ readonly text: string; readonly extensions?: Extensions }> = ({ text, extensions }) =>
  text === '' && extensions?.gemini === undefined ? [] : [{ text, ...extensions?.gemini }];

const writeFileOr: Writer<MediaPart> = (part, { drop }) => {
  const media = writeMedia(part);
  if (media === null) drop(part.type);
  return media === null ? [] : [media];
};

/** What one part is on the wire; none for what can't be said, and for empty texts. */
const WRITERS: { readonly [T in Said['type']]: Writer<Extract<Said, { type: T }>> } = {
  text: writeText,
  refusal: writeText,
  image: writeFileOr,
  audio: writeFileOr,
  file: writeFileOr,
  reasoning: (part) => [writeThoughts(part)],
  native: ({ protocol, what, value }, { drop }) => {
    if (protocol === 'gemini' && isJsonObject(value)) return [value];
    drop(what);
    return [];
  },
  tool_result: (part, { names, isMixed }) => {
    const written = writeResult(part, part.name ?? names.get(part.callId) ?? part.callId, isMixed);
    return [written.part, ...written.beside];
  },
};

const writePart = (part: Said, context: PartContext): readonly JsonObject[] =>
  (WRITERS[part.type] as Writer<Said>)(part, context);

/** Members of parts that the protocol has no words for, where they are set. */
const UNSAID: readonly (readonly [name: string, isSet: (part: Part) => boolean])[] = [
  ['cache', ({ cache }) => cache !== undefined],
  ['citations', (part) => part.type === 'text' && (part.citations ?? []).length > 0],
  ['detail', (part) => part.type === 'image' && (part.detail ?? 'auto') !== 'auto'],
  ['name', (part) => part.type === 'file' && part.name !== undefined],
  ['transcript', (part) => part.type === 'audio' && part.transcript !== undefined],
];

function dropMembers(part: Part, drop: PartContext['drop']): void {
  for (const [name, isSet] of UNSAID) if (isSet(part)) drop(name);
  for (const name of foreignNames(part, 'gemini')) drop(name);
  if (part.type === 'tool_result') for (const inner of part.content) dropMembers(inner, drop);
}

/** The parts of one message in order. Media that came with results stand behind all of them. */
export function writeParts({ parts }: Pick<Message, 'parts'>, context: PartContext): JsonObject[] {
  const written: JsonObject[] = [];
  const behind: JsonObject[] = [];
  let signature: string | null = null;
  let isFirstCall = true;
  const flush = (): void => {
    if (signature !== null) written.push({ text: '', thoughtSignature: signature });
    signature = null;
  };
  for (const part of parts) {
    dropMembers(part, context.drop);
    // Nothing of it can be seen: its signature belongs to the part behind it.
    if (part.type === 'reasoning' && thoughts(part) === '') {
      flush();
      signature = signatureOf(part);
    } else if (part.type === 'tool_call') {
      flush();
      written.push(writeCall(part, isFirstCall, context));
      isFirstCall = false;
    } else {
      const [first, ...rest] = writePart(part, context);
      if (first === undefined) continue;
      if (part.type === 'reasoning' || part.type === 'tool_result') flush();
      written.push(signature === null ? first : { ...first, thoughtSignature: signature });
      signature = null;
      behind.push(...rest);
    }
  }
  flush();
  return [...written, ...behind];
}
