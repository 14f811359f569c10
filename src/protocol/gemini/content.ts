import type { CanonicalEvent } from '../../core/model/event.ts';
import { hasSubstance, isObject, nonEmpty, type WireBlob, type WireCall, type WirePart } from './types.ts';

/** Text by what can be seen of it; `none` is what stands for no text at all. */
function seen(value: unknown, type: 'text' | 'reasoning', none: CanonicalEvent): CanonicalEvent {
  if (typeof value !== 'string' || value === '') return none;
  return value.trim() === '' ? { type: 'blank_text' } : { type, text: value };
}

function readBlob(value: unknown): CanonicalEvent {
  const mime = isObject<WireBlob>(value) ? (nonEmpty(value.mimeType) ?? '') : '';
  if (mime.startsWith('image/')) return { type: 'image' };
  return { type: mime.startsWith('audio/') ? 'audio' : 'unknown_content' };
}

const readCall = (value: unknown): CanonicalEvent => ({
  type: isObject<WireCall>(value) && nonEmpty(value.name) !== null ? 'tool_call' : 'tool_fragment',
});

/**
 * What a part says, by the member that it has. Tools that the provider runs itself count as calls: once one has begun,
 * another target would run it again. A part that is not here counts as soon as it carries something.
 */
const KINDS: Readonly<Record<string, (value: unknown, part: WirePart) => CanonicalEvent>> = {
  functionCall: readCall,
  text: (text, { thoughtSignature: signature }) =>
    seen(text, 'text', { type: nonEmpty(signature) === null ? 'empty_delta' : 'reasoning_opaque' }),
  inlineData: readBlob,
  executableCode: () => ({ type: 'tool_call' }),
  toolCall: () => ({ type: 'tool_call' }),
};

/** Members that say how a part is meant, and carry nothing. */
const FLAGS: ReadonlySet<string> = new Set(['thought', 'thoughtSignature', 'partMetadata']);

/** One part of a content as an event. */
export function readPart(part: unknown): CanonicalEvent {
  if (!isObject<WirePart>(part)) return { type: 'empty_delta' };
  if (part.thought === true && part.text !== undefined) return seen(part.text, 'reasoning', { type: 'reasoning_open' });
  for (const [name, read] of Object.entries(KINDS)) {
    if (Object.hasOwn(part, name)) return read(part[name], part);
  }
  if (Object.entries(part).some(([name, value]) => !FLAGS.has(name) && hasSubstance(value))) {
    return { type: 'unknown_content' };
  }
  return { type: nonEmpty(part.thoughtSignature) === null ? 'empty_delta' : 'reasoning_opaque' };
}

/** A call for the client is whole in its part. */
export const isCall = (part: unknown): part is { readonly functionCall: WireCall } =>
  isObject<WirePart>(part) && isObject<WireCall>(part.functionCall) && nonEmpty(part.functionCall.name) !== null;
