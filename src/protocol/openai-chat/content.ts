import type { CanonicalEvent, OutputType } from '../../core/model/event.ts';
import { hasSubstance, isObject, nonEmpty, type WireMessage } from './types.ts';

/** Parts of one content. An answer with more is no answer of a model. */
const MAX_PARTS = 10_000;

/** The events so far. Reasoning counts once: see `readReasoning`. */
type Out = { readonly events: CanonicalEvent[]; hasReasoning: boolean };

type Reader = (value: unknown, out: Out) => void;

type WirePart = {
  readonly type?: unknown;
  readonly text?: unknown;
  readonly refusal?: unknown;
  readonly thinking?: unknown;
  readonly summary?: unknown;
  readonly data?: unknown;
  readonly transcript?: unknown;
};

/**
 * What each member of a `delta` or `message` says. Tool calls are not here: they need to know what came before. A
 * member that is not in the table counts as content of an unknown kind as soon as it carries something.
 */
const READERS: Readonly<Record<string, Reader>> = {
  role: (value, out) => {
    if (typeof value === 'string') out.events.push({ type: 'role' });
  },
  content: readContent,
  refusal: (value, out) => readText(value, 'refusal', out),
  reasoning_content: readReasoning,
  reasoning: readReasoning,
  reasoning_text: readReasoning,
  thinking: readReasoning,
  reasoning_details: readDetails,
  thinking_blocks: readDetails,
  reasoning_opaque: readOpaque,
  reasoning_signature: readOpaque,
  signature: readOpaque,
  thinking_signature: readOpaque,
  encrypted_content: readOpaque,
  extra_content: readOpaque,
  audio: readAudio,
  images: (value, out) => readThing(value, 'image', out),
  annotations: (value, out) => readThing(value, 'citation', out),
  citations: (value, out) => readThing(value, 'citation', out),
};

/** Members that say nothing to a reader of the answer, whatever they hold. */
const QUIET: ReadonlySet<string> = new Set([
  'tool_calls',
  'function_call',
  'id',
  'object',
  'type',
  'name',
  'status',
  'channel',
  'phase',
  'padding',
  'obfuscation',
  'logprobs',
  'token_ids',
  'tool_call_id',
  'provider_specific_fields',
  'provider_metadata',
  'metadata',
]);

/** The events of a `delta` or `message`, tool calls left out. Null for one beyond the limits. */
export function readMessage(message: WireMessage): CanonicalEvent[] | null {
  if (Array.isArray(message['content']) && message['content'].length > MAX_PARTS) return null;
  const out: Out = { events: [], hasReasoning: false };
  for (const [name, value] of Object.entries(message)) {
    if (value === null || QUIET.has(name)) continue;
    const read = Object.hasOwn(READERS, name) ? READERS[name] : undefined;
    if (read !== undefined) read(value, out);
    else if (hasSubstance(value)) out.events.push({ type: 'unknown_content' });
  }
  return out.events;
}

function readText(value: unknown, type: OutputType, out: Out): void {
  if (typeof value !== 'string' || value === '') return;
  out.events.push(value.trim() === '' ? { type: 'blank_text' } : { type, text: value });
}

function readContent(value: unknown, out: Out): void {
  if (Array.isArray(value)) for (const part of value) readPart(part, out);
  else if (isObject(value)) readPart(value, out);
  else readText(value, 'text', out);
}

/** Content in parts, as some providers stream it, by the part's `type`. */
const PART_READERS: Readonly<Record<string, (part: WirePart, out: Out) => void>> = {
  text: (part, out) => readText(part.text, 'text', out),
  output_text: (part, out) => readText(part.text, 'text', out),
  refusal: (part, out) => readText(part.refusal ?? part.text, 'refusal', out),
  thinking: (part, out) => readReasoning(part.thinking ?? part.text, out),
  reasoning: (part, out) => readReasoning(part.thinking ?? part.text, out),
  image_url: (part, out) => readThing(part, 'image', out),
  image: (part, out) => readThing(part, 'image', out),
  input_audio: (part, out) => readThing(part, 'audio', out),
  audio: (part, out) => readThing(part, 'audio', out),
  reference: (part, out) => readThing(part, 'citation', out),
  citation: (part, out) => readThing(part, 'citation', out),
};

function readPart(part: unknown, out: Out): void {
  if (!isObject<WirePart>(part)) return;
  const type = nonEmpty(part.type) ?? '';
  const read = Object.hasOwn(PART_READERS, type) ? PART_READERS[type] : undefined;
  const hasContent = Object.entries(part).some(([name, value]) => name !== 'type' && hasSubstance(value));
  if (read !== undefined) read(part, out);
  else if (hasContent) out.events.push({ type: 'unknown_content' });
}

/** Providers that give reasoning under several names at once say the same thing twice: the first counts. */
function readReasoning(value: unknown, out: Out): void {
  if (out.hasReasoning) return;
  const text = textIn(value);
  if (text === '') return;
  out.hasReasoning = text.trim() !== '';
  out.events.push(out.hasReasoning ? { type: 'reasoning', text } : { type: 'blank_text' });
}

/** The text of reasoning in any of its forms; lists lie in lists once at most. */
function textIn(value: unknown, depth = 0): string {
  if (typeof value === 'string') return value;
  if (Array.isArray(value)) return depth > 1 ? '' : value.map((each) => textIn(each, depth + 1)).join('');
  if (!isObject<WirePart>(value)) return '';
  return nonEmpty(value.text) ?? nonEmpty(value.summary) ?? nonEmpty(value.thinking) ?? '';
}

function readDetails(value: unknown, out: Out): void {
  if (!hasSubstance(value)) return;
  const text = textIn(value);
  if (text.trim() !== '') readReasoning(text, out);
  else out.events.push({ type: text === '' ? 'reasoning_opaque' : 'blank_text' });
}

function readOpaque(value: unknown, out: Out): void {
  if (hasSubstance(value)) out.events.push({ type: 'reasoning_opaque' });
}

/** An audio object that has only an id yet is an opened block. */
function readAudio(value: unknown, out: Out): void {
  if (!isObject<WirePart>(value)) {
    readThing(value, 'audio', out);
    return;
  }
  const hasSound = nonEmpty(value.data) !== null || nonEmpty(value.transcript) !== null;
  out.events.push({ type: hasSound ? 'audio' : 'block_open' });
}

function readThing(value: unknown, type: OutputType, out: Out): void {
  if (hasSubstance(value)) out.events.push({ type });
}
