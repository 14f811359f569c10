import type { Message, Part, ReasoningPart, ToolResultPart } from '../../core/model/content.ts';
import type { JsonObject, JsonValue } from '../../core/model/json-value.ts';
import { given, isJsonObject } from '../shared/json-object.ts';
import { dropForeign, withExtensions } from './members.ts';
import { contentOf, imageOf, text, writeCall, writePart } from './part-write.ts';
import { membersOfState } from './reasoning-state.ts';
import type { PartWriter } from './tool-write.ts';
import { orderTurns } from './turns.ts';

export type MessageWriter = PartWriter & {
  /** The role of developer messages. */
  readonly developer: 'developer' | 'system';
};

/**
 * The conversation. Results hold texts only here: what else they hold goes, in order, into a message of the user right
 * behind all results of that turn.
 */
export function writeMessages(messages: readonly Message[], writer: MessageWriter): readonly JsonObject[] {
  const names = callNames(messages);
  for (const message of messages) if (message.role === 'tool') dropForeign(message, writer.dropped);
  return orderTurns(messages).flatMap((message) => {
    if (message.role === 'assistant') return [writeAssistant(message, writer)];
    return message.role === 'tool' ? writeResults(message, names, writer) : [writePlain(message, writer)];
  });
}

function callNames(messages: readonly Message[]): ReadonlyMap<string, string> {
  const calls = messages.flatMap(({ parts }) => parts.filter((part) => part.type === 'tool_call'));
  return new Map(calls.map(({ id, name }) => [id, name]));
}

const writeParts = (parts: readonly Part[], writer: PartWriter): readonly JsonObject[] =>
  parts.flatMap((part) => writePart(part, writer));

function writePlain(message: Message, writer: MessageWriter): JsonObject {
  const { name, parts } = message;
  // Only an assistant refuses; in anybody else's mouth it is a text.
  const said = parts.map((part) => (part.type === 'refusal' ? { ...part, type: 'text' as const } : part));
  const role = message.role === 'developer' ? writer.developer : message.role;
  const written = { role, ...given({ name }), content: contentOf(writeParts(said, writer)) };
  return withExtensions(written, message, writer.dropped);
}

/** What an assistant's message is made of. */
type Spoken = {
  /** Members by which parts are told that are no content. */
  readonly members: Map<string, JsonValue>;
  readonly content: JsonObject[];
  readonly images: JsonObject[];
  readonly calls: JsonValue[];
};

function writeAssistant(message: Message, writer: PartWriter): JsonObject {
  const { name, parts } = message;
  const spoken: Spoken = { members: new Map(), content: [], images: [], calls: [] };
  const last = lastWord(parts);
  for (const part of parts) speak(part, part === last, spoken, writer);
  const { members, content, images, calls } = spoken;
  const hasNoWords = content.length === 0 && (calls.length > 0 || members.size > 0);
  const written = {
    role: 'assistant',
    ...given({ name }),
    content: hasNoWords ? null : contentOf(content),
    ...Object.fromEntries(members),
    ...(images.length === 0 ? {} : { images }),
    ...(calls.length === 0 ? {} : { tool_calls: calls }),
  };
  return withExtensions(written, message, writer.dropped);
}

/** A refusal that ends what is said has a member of its own; one between texts is one of them. Null: none ends it. */
function lastWord(parts: readonly Part[]): Part | null {
  const last = parts.findLast(({ type }) => type === 'text' || type === 'refusal' || type === 'native');
  const isBare = last?.type === 'refusal' && last.cache === undefined && last.extensions === undefined;
  return isBare && last.text !== '' ? last : null;
}

function speak(part: Part, isLast: boolean, spoken: Spoken, writer: PartWriter): void {
  if (part.type === 'reasoning') speakThoughts(part, spoken, writer);
  else if (part.type === 'tool_call') spoken.calls.push(writeCall(part, writer));
  else if (part.type === 'refusal' && isLast) spoken.members.set('refusal', part.text);
  else if (part.type === 'image') speakImage(part, spoken, writer);
  else if (part.type === 'audio') speakAudio(part, spoken, writer);
  else if (part.type === 'native' && isForeignCall(part.value)) speakNative(part, spoken, writer);
  else spoken.content.push(...writePart(part, writer));
}

const isForeignCall = (value: JsonValue): boolean => isJsonObject(value) && Array.isArray(value['tool_calls']);

function speakNative(part: Part & { readonly type: 'native' }, { calls }: Spoken, { dropped }: PartWriter): void {
  if (part.protocol !== 'openai-chat') dropped.add('native');
  else if (isJsonObject(part.value)) calls.push(...(part.value['tool_calls'] as readonly JsonValue[]));
}

/**
 * Thoughts go back only to a provider that wants them, which its own state says. Without any, they are no part of this
 * protocol; what only another provider could read is nobody's loss.
 */
function speakThoughts(part: ReasoningPart, spoken: Spoken, { dropped }: PartWriter): void {
  if (part.cache !== undefined) dropped.add('cache');
  dropForeign(part, dropped);
  const thought = part.text === '' ? (part.summary ?? []).join('\n\n') : part.text;
  if (part.state?.issuer !== 'openai-chat') {
    if (thought !== '') dropped.add('reasoning');
    return;
  }
  for (const [name, value] of Object.entries(membersOfState(part.state.value, thought))) {
    join(spoken.members, name, value);
  }
}

/** Several parts of reasoning are one in a message: texts and lists grow. */
function join(members: Spoken['members'], name: string, value: JsonValue | undefined): void {
  const present = members.get(name);
  if (typeof present === 'string' && typeof value === 'string') members.set(name, present + value);
  else if (Array.isArray(present) && Array.isArray(value)) for (const each of value) present.push(each);
  // A list of its own, that may grow.
  else if (Array.isArray(value)) members.set(name, [...value]);
  else if (value !== undefined) members.set(name, value);
}

/** As OpenRouter gives the images of an answer, and takes them back. */
function speakImage(part: Part & { readonly type: 'image' }, { images }: Spoken, writer: PartWriter): void {
  const image = imageOf(part);
  if (image === null) writer.dropped.add('image');
  else images.push(withExtensions({ ...image, ...writer.cache(part.cache) }, part, writer.dropped));
}

/** What was spoken is known by its id alone; else by the words. */
function speakAudio(part: Part & { readonly type: 'audio' }, spoken: Spoken, { dropped }: PartWriter): void {
  const { source, transcript } = part;
  if (part.cache !== undefined) dropped.add('cache');
  dropForeign(part, dropped);
  if (source.kind === 'file_id' && source.issuer === 'openai-chat') {
    spoken.members.set('audio', { id: source.id });
    return;
  }
  dropped.add('audio');
  if (transcript !== undefined) spoken.content.push(text(transcript));
}

function writeResults(message: Message, names: ReadonlyMap<string, string>, writer: PartWriter): readonly JsonObject[] {
  const media: JsonObject[] = [];
  const results = message.parts.flatMap((part) => {
    if (part.type === 'tool_result') return [writeResult(part, names, media, writer)];
    writer.dropped.add(part.type);
    return [];
  });
  return media.length === 0 ? results : [...results, { role: 'user', content: media }];
}

/** A name that the call tells already is not repeated: the protocol's author has none here. */
function writeResult(
  part: ToolResultPart,
  names: ReadonlyMap<string, string>,
  media: JsonObject[],
  writer: PartWriter,
): JsonObject {
  const texts: JsonObject[] = [];
  for (const each of part.content) {
    const isText = each.type === 'text' || (each.type === 'file' && each.source.kind === 'text');
    (isText ? texts : media).push(...writePart(each, writer));
  }
  if (part.isError === true) writer.dropped.add('isError');
  const written = {
    role: 'tool',
    tool_call_id: part.callId,
    ...(part.name === names.get(part.callId) ? {} : given({ name: part.name })),
    content: contentOf(texts),
    ...writer.cache(part.cache),
  };
  return withExtensions(written, part, writer.dropped);
}
