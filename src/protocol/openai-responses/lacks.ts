import type { MediaSource, Message, Part } from '../../core/model/content.ts';
import type { CanonicalPrompt } from '../../core/model/prompt.ts';
import { LACKS, type Lack } from '../translation.ts';
import { PROTOCOL } from './members.ts';
import { audioFormat } from './part-write.ts';
import { isSayable } from './tool-write.ts';

const isForeignFile = (source: { readonly kind: string }): boolean => {
  const media = source as MediaSource;
  return media.kind === 'file_id' && media.issuer !== PROTOCOL;
};

function lacksOfPart(part: Part, role: Message['role'], isOwn: boolean): readonly Lack[] {
  switch (part.type) {
    case 'image':
    case 'file':
      if (role === 'assistant' && !isOwn) return ['unknown content'];
      return isForeignFile(part.source) ? ['files by id'] : [];
    case 'audio':
      if (role === 'assistant' && !isOwn) return ['unknown content'];
      return audioFormat(part.source, isOwn) === null ? ['audio input'] : [];
    case 'tool_result':
      return part.content.flatMap((inner) => lacksOfPart(inner, role, isOwn));
    case 'native':
      // What a provider's own tools did is told in the words around it; what a user sent is not.
      return part.protocol === PROTOCOL || role === 'assistant' || role === 'tool' ? [] : ['unknown content'];
    default:
      return [];
  }
}

/** See `Translation.lacks`. */
export function lacks(prompt: CanonicalPrompt): readonly Lack[] {
  const { settings, tools, messages } = prompt;
  const { toolChoice, modalities = [] } = settings;
  const isOwn = prompt.extensions?.[PROTOCOL] !== undefined;
  const found = new Set<Lack>(
    messages.flatMap(({ role, parts }) => parts.flatMap((part) => lacksOfPart(part, role, isOwn))),
  );
  if (!tools.every(isSayable)) found.add('server tools');
  if (toolChoice?.type === 'native' && toolChoice.protocol !== PROTOCOL) found.add('forced tool choice');
  if ((settings.n ?? 1) > 1) found.add('several choices');
  if (modalities.includes('audio') || settings.audio !== undefined) found.add('audio output');
  if (modalities.includes('image')) found.add('image output');
  return LACKS.filter((lack) => found.has(lack));
}
