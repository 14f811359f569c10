import type { FilePart, ImagePart, Message, Part } from '../../core/model/content.ts';
import type { CanonicalPrompt, PromptSettings } from '../../core/model/prompt.ts';
import type { ToolDefinition } from '../../core/model/tool.ts';
import { LACKS, type Lack } from '../translation.ts';
import { PROTOCOL } from './members.ts';
import { plainText } from './plain-text.ts';
import { serverTool } from './tool-write.ts';

/** Pictures of other types are refused. */
const IMAGE_TYPES: ReadonlySet<string> = new Set(['image/jpeg', 'image/png', 'image/gif', 'image/webp']);

type Finder<P extends Part> = (part: P, role: Message['role']) => readonly Lack[];

const FINDERS: { readonly [T in Part['type']]: Finder<Extract<Part, { readonly type: T }>> } = {
  text: () => [],
  refusal: () => [],
  reasoning: () => [],
  audio: () => ['audio input'],
  image: imageLacks,
  file: fileLacks,
  tool_call: ({ kind, namespace }) => kindLacks(kind, namespace),
  tool_result: ({ kind, content }, role) => [
    ...kindLacks(kind, undefined),
    ...content.flatMap((part) => partLacks(part, role)),
  ],
  native: ({ protocol }) => (protocol === PROTOCOL ? [] : ['unknown content']),
};

/** What Messages has no words for in a prompt, in the order of `LACKS`; what only some models refuse is no lack of the protocol. */
export function lacks({ messages, tools, settings }: CanonicalPrompt): readonly Lack[] {
  const found = new Set<Lack>([
    ...messages.flatMap(({ role, parts }) => parts.flatMap((part) => partLacks(part, role))),
    ...tools.flatMap(toolLacks),
    ...settingLacks(settings),
  ]);
  return LACKS.filter((lack) => found.has(lack));
}

const partLacks = (part: Part, role: Message['role']): readonly Lack[] =>
  (FINDERS[part.type] as Finder<Part>)(part, role);

function imageLacks({ source }: ImagePart, role: Message['role']): readonly Lack[] {
  if (source.kind === 'file_id' && source.issuer !== PROTOCOL) return ['files by id'];
  const isRefused = source.kind === 'base64' && !IMAGE_TYPES.has(source.mediaType.toLowerCase());
  return isRefused || role === 'assistant' ? ['image input'] : [];
}

function fileLacks({ source }: FilePart, role: Message['role']): readonly Lack[] {
  if (source.kind === 'file_id' && source.issuer !== PROTOCOL) return ['files by id'];
  const isRead = source.kind !== 'base64' || source.mediaType === 'application/pdf' || plainText(source) !== null;
  return isRead && role !== 'assistant' ? [] : ['files'];
}

const kindLacks = (kind: 'function' | 'custom', namespace: string | undefined): readonly Lack[] => [
  ...(kind === 'custom' ? (['custom tools'] as const) : []),
  ...(namespace === undefined ? [] : (['tool namespaces'] as const)),
];

function toolLacks(tool: ToolDefinition): readonly Lack[] {
  if (tool.type === 'server') return serverTool(tool) === null ? ['server tools'] : [];
  return kindLacks(tool.type, tool.namespace);
}

function settingLacks(settings: PromptSettings): readonly Lack[] {
  const { n = 1, logprobs = false, topLogprobs = 0, modalities = [], toolChoice, responseFormat } = settings;
  const found: readonly (readonly [lack: Lack, isFound: boolean])[] = [
    ['several choices', n > 1],
    ['log probabilities', logprobs || topLogprobs > 0],
    // Asked for in words alone, it may come in a fence or behind some talk: who parses it would have to know.
    ['json without a schema', responseFormat?.type === 'json_object'],
    ['audio output', modalities.includes('audio')],
    ['image output', modalities.includes('image')],
    ['forced tool choice', toolChoice?.type === 'native' && toolChoice.protocol !== PROTOCOL],
    ['custom tools', toolChoice?.type === 'tool' && toolChoice.kind === 'custom'],
    ['tool namespaces', toolChoice?.type === 'tool' && toolChoice.namespace !== undefined],
  ];
  return found.flatMap(([lack, isFound]) => (isFound ? [lack] : []));
}
