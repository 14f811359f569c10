import type { MediaSource, Message, Part } from '../../core/model/content.ts';
import type { CanonicalPrompt } from '../../core/model/prompt.ts';
import { LACKS, type Lack } from '../translation.ts';

/**
 * Tools of the provider that only look things up. Beside tools of the client they are an offer that it makes with every
 * request, and are left out and named; alone they are what the request is about.
 */
const READING: ReadonlySet<string> = new Set(['web_search', 'web_fetch']);

/** What the protocol has no words for in a prompt, in the order of `LACKS`. */
export function lacks({ messages, tools, settings }: CanonicalPrompt): readonly Lack[] {
  const found = new Set<Lack>(messages.flatMap(ofMessage));
  const hasOwn = tools.some(({ type }) => type !== 'server');
  for (const tool of tools) {
    if (tool.type !== 'server') {
      if (tool.namespace !== undefined) found.add('tool namespaces');
    } else if (tool.protocol !== 'openai-chat' && !(hasOwn && READING.has(tool.what))) found.add('server tools');
  }
  const { toolChoice } = settings;
  if (toolChoice?.type === 'native' && toolChoice.protocol !== 'openai-chat') found.add('forced tool choice');
  return LACKS.filter((lack) => found.has(lack));
}

const ofMessage = ({ role, parts }: Message): readonly Lack[] =>
  parts.flatMap((part) => (role === 'user' || role === 'tool' ? ofPart(part) : ofSpoken(part, role === 'assistant')));

function ofPart(part: Part): readonly Lack[] {
  switch (part.type) {
    case 'image':
      return part.source.kind === 'file_id' ? ['files by id'] : [];
    case 'audio':
      return part.source.kind === 'base64' ? [] : ['audio input'];
    case 'file':
      return part.source.kind === 'text' ? [] : ofFile(part.source);
    case 'tool_call':
      return part.namespace === undefined ? [] : ['tool namespaces'];
    case 'tool_result':
      return part.content.flatMap(ofPart);
    case 'native':
      return part.protocol === 'openai-chat' ? [] : ['unknown content'];
    case 'text':
    case 'refusal':
    case 'reasoning':
      return [];
  }
}

function ofFile(source: MediaSource): readonly Lack[] {
  if (source.kind === 'url') return ['files by url'];
  return source.kind === 'file_id' && source.issuer !== 'openai-chat' ? ['files by id'] : [];
}

/** System and developer messages are texts; an assistant's message has images, and sounds that it spoke itself. */
function ofSpoken(part: Part, isAssistant: boolean): readonly Lack[] {
  if (part.type === 'image') return isAssistant ? ofPart(part) : ['image input'];
  if (part.type === 'file') return part.source.kind === 'text' ? [] : ['files'];
  if (part.type !== 'audio') return ofPart(part);
  const isOwn = part.source.kind === 'file_id' && part.source.issuer === 'openai-chat';
  return isAssistant && (isOwn || part.transcript !== undefined) ? [] : ['audio input'];
}
