import type { Message, Part } from '../../core/model/content.ts';
import type { CanonicalPrompt } from '../../core/model/prompt.ts';
import type { ToolDefinition } from '../../core/model/tool.ts';
import { isObject } from '../shared/value.ts';
import type { Lack, Translation } from '../translation.ts';
import { findPath, type IsSought } from './find-path.ts';

/** Names and types are the client's own text, which may be anything: only plain ones are repeated. */
const PLAIN = /^[\w.-]{1,64}$/;
const MAX_NAMED = 2;

type Finder = Pick<Translation, 'lacks'>;

/**
 * Names what a protocol has no words for, and where in the client's body it stands (`unknown content (input[3]:
 * mcp_call)`), in the order of `found`. `prompt`: in which it was found.
 */
export function nameLacks(
  prompt: CanonicalPrompt,
  found: readonly Lack[],
  finder: Finder,
  body: Uint8Array,
): readonly string[] {
  if (found.length === 0) return [];
  const parts = prompt.messages.flatMap((message) => lacksOfParts(prompt, message, finder));
  const tools = prompt.tools.map((tool) => ({ tool, lacks: lacksOfTool(prompt, tool, finder) }));
  const find = findPath(body);
  return found.map((lack) => {
    const named = new Set(tools.flatMap(({ tool, lacks }) => (lacks.includes(lack) ? nameOfTool(tool) : [])));
    const lacking = parts.filter(({ lacks }) => lacks.includes(lack));
    // Each look is one through the whole body.
    const placed = lacking.slice(0, MAX_NAMED).flatMap(({ part }) => placeOf(part, find));
    const unseen = Math.max(0, lacking.length - MAX_NAMED);
    return placed.length + named.size === 0 ? lack : `${lack} (${listed([...named, ...placed], unseen)})`;
  });
}

function listed(places: readonly string[], unseen: number): string {
  const more = Math.max(0, places.length - MAX_NAMED) + unseen;
  return `${places.slice(0, MAX_NAMED).join(', ')}${more > 0 ? ` and ${more} more` : ''}`;
}

type Lacking = { readonly part: Part; readonly lacks: readonly Lack[] };

/** What each part lacks alone. */
const lacksOfParts = (prompt: CanonicalPrompt, message: Message, finder: Finder): readonly Lacking[] =>
  message.parts.map((part) => ({
    part,
    lacks: finder.lacks({ ...prompt, settings: {}, tools: [], messages: [{ ...message, parts: [part] }] }),
  }));

/** Beside a tool of the client's own some of the provider's are only an offer. */
function lacksOfTool(prompt: CanonicalPrompt, tool: ToolDefinition, { lacks }: Finder): readonly Lack[] {
  const own = tool.type === 'server' ? prompt.tools.find(({ type }) => type !== 'server') : undefined;
  const alone = own === undefined ? [] : lacks({ ...prompt, settings: {}, messages: [], tools: [own] });
  const found = lacks({ ...prompt, settings: {}, messages: [], tools: own === undefined ? [tool] : [tool, own] });
  return found.filter((lack) => !alone.includes(lack));
}

function nameOfTool(tool: ToolDefinition): readonly string[] {
  const name = tool.type === 'server' ? tool.what : tool.name;
  return PLAIN.test(name) ? [name] : [];
}

function placeOf(part: Part, find: (isSought: IsSought) => string | null): readonly string[] {
  const path = find(soughtFor(part));
  if (part.type !== 'native' || !PLAIN.test(part.what)) return path === null ? [] : [path];
  return [path === null ? part.what : `${path}: ${part.what}`];
}

/** What a part is known by in the body, whatever its protocol. */
function soughtFor(part: Part): IsSought {
  switch (part.type) {
    case 'native':
      return (value) => isSame(value, part.value);
    case 'image':
    case 'audio':
    case 'file': {
      const { source } = part;
      if (source.kind === 'text') return (value) => value === source.text;
      const word = source.kind === 'base64' ? source.data : source.kind === 'url' ? source.url : source.id;
      return (value) => typeof value === 'string' && word !== '' && value.endsWith(word);
    }
    case 'tool_call':
      return (value) => hasId(value, ['id', 'call_id'], part.id) && !hasId(value, RESULT_IDS, part.id, true);
    case 'tool_result':
      return (value) => hasId(value, RESULT_IDS, part.callId, true);
    default:
      return () => false;
  }
}

const RESULT_IDS = ['call_id', 'tool_call_id', 'tool_use_id'] as const;

/** `isNameless`: calls have the name of their tool, and results mostly not. */
const hasId = (value: unknown, members: readonly string[], id: string, isNameless = false): boolean =>
  isObject(value) &&
  id !== '' &&
  members.some((name) => value[name] === id) &&
  !(isNameless && value['name'] !== undefined);

/** Equal as JSON, members in any order. */
function isSame(one: unknown, other: unknown): boolean {
  if (one === other) return true;
  if (typeof one !== 'object' || typeof other !== 'object' || one === null || other === null) return false;
  const [keys, others] = [Object.keys(one), Object.keys(other)];
  return (
    keys.length === others.length &&
    keys.every((key) => isSame(one[key as keyof typeof one], other[key as keyof typeof other]))
  );
}
