import type { Part } from '../../core/model/content.ts';
import type { CanonicalPrompt } from '../../core/model/prompt.ts';
import type { ToolDefinition } from '../../core/model/tool.ts';
import { LACKS, type Lack } from '../translation.ts';
import { OWN_TOOLS } from './tool-write.ts';

const isForeignFile = (part: Part): boolean =>
  (part.type === 'image' || part.type === 'audio' || part.type === 'file') &&
  part.source.kind === 'file_id' &&
  part.source.issuer !== 'gemini';

function lackOfPart(part: Part): Lack[] {
  if (isForeignFile(part)) return ['files by id'];
  if (part.type === 'native') return part.protocol === 'gemini' ? [] : ['unknown content'];
  if (part.type === 'tool_result') {
    return [...(part.kind === 'custom' ? (['custom tools'] as const) : []), ...part.content.flatMap(lackOfPart)];
  }
  if (part.type !== 'tool_call') return [];
  return [
    ...(part.kind === 'custom' ? (['custom tools'] as const) : []),
    ...(part.namespace === undefined ? [] : (['tool namespaces'] as const)),
  ];
}

/**
 * Tools that the provider of another protocol runs: what only reads is left out and named where it can't be had; what
 * acts, or what the client runs in a form of that protocol's own, changes the answer.
 */
const READING: ReadonlySet<string> = new Set(['web_search', 'web_fetch', 'code_execution', 'tool_search']);

function lackOfTool(tool: ToolDefinition): Lack[] {
  if (tool.type === 'custom') return ['custom tools'];
  if (tool.type === 'function') return tool.namespace === undefined ? [] : ['tool namespaces'];
  const isSaid = tool.protocol === 'gemini' || Object.hasOwn(OWN_TOOLS, tool.what);
  return isSaid || READING.has(tool.what) ? [] : ['server tools'];
}

/** What the protocol has no words for in a prompt. */
export function lacks({ messages, tools, settings }: CanonicalPrompt): readonly Lack[] {
  const { toolChoice } = settings;
  const found = new Set<Lack>([
    ...messages.flatMap(({ parts }) => parts.flatMap(lackOfPart)),
    ...tools.flatMap(lackOfTool),
    ...(toolChoice?.type === 'tool' && toolChoice.kind === 'custom' ? (['custom tools'] as const) : []),
  ]);
  return LACKS.filter((lack) => found.has(lack));
}
