import { childrenOf, type JsonIndex, keyEndOf, keyOf, keyStartOf, kindOf, memberOf, NONE } from '../json/index.ts';
import type { RequestProblem } from '../types.ts';

/** Members of a request that decide who answers, whose it is and what is asked. */
export const DECIDING = [
  'model',
  'stream',
  'messages',
  'input',
  'tools',
  'previous_response_id',
  'conversation',
  'store',
  'background',
] as const;

/** Further members of the top that are read or written here, in any of the protocols. */
const READ = [
  'cache_control',
  'context_management',
  'functions',
  'include',
  'instructions',
  'logprobs',
  'max_completion_tokens',
  'max_output_tokens',
  'max_tokens',
  'mcp_servers',
  'metadata',
  'modalities',
  'n',
  'output_config',
  'output_format',
  'parallel_tool_calls',
  'prompt',
  'prompt_cache_key',
  'reasoning',
  'reasoning_effort',
  'response_format',
  'service_tier',
  'speed',
  'stream_options',
  'system',
  'text',
  'thinking',
  'tool_choice',
  'top_logprobs',
  'user',
] as const;

/** Members of these objects of the top that decide, too. */
const INNER: Readonly<Record<string, readonly string[]>> = {
  conversation: ['id'],
  stream_options: ['include_usage'],
};

/**
 * A name as readers see it that do not tell cases apart; the long s, the sign of Kelvin and ligatures are letters, too.
 */
const fold = (name: string): string => name.toUpperCase().toLowerCase();

/** Readers of protocol buffers take `previousResponseId` for the same. */
const join = (name: string): string => name.replaceAll(/[_-]/g, '');

const FOLDED: ReadonlyMap<string, string> = new Map([...DECIDING, ...READ].map((name) => [name, name]));
const JOINED: ReadonlyMap<string, string> = new Map(DECIDING.map((name) => [join(name), name]));

/** The longest that one of the names can be, each letter in an escape, quotes included. */
const MAX_KEY_BYTES = Math.max(...[...FOLDED.keys()].map((name) => name.length)) * 6 + 2;

/**
 * A member by another spelling of a name that is read here. Some providers' readers (Go's among them) know names in any
 * case: they would take it for the member that was checked, and go by what nobody has looked at.
 */
export function spellingProblem(index: JsonIndex): RequestProblem | null {
  const found = misspelt(index, 0, (key) => FOLDED.get(fold(key)) ?? JOINED.get(join(fold(key))));
  if (found !== null) return found;
  for (const [name, inner] of Object.entries(INNER)) {
    const node = memberOf(index, 0, name);
    if (node === NONE || kindOf(index, node) !== 'object') continue;
    const within = misspelt(index, node, (key) => inner.find((each) => each === fold(key)), `${name}.`);
    if (within !== null) return within;
  }
  return null;
}

function misspelt(
  index: JsonIndex,
  object: number,
  meant: (key: string) => string | undefined,
  path = '',
): RequestProblem | null {
  for (const node of childrenOf(index, object)) {
    if (keyEndOf(index, node) - keyStartOf(index, node) > MAX_KEY_BYTES) continue;
    const key = keyOf(index, node);
    const name = meant(key);
    if (name === undefined || name === key) continue;
    const message = `The member ${JSON.stringify(path + key)} must be spelt "${path}${name}": some providers would read it as that.`;
    return { message, param: path + name };
  }
  return null;
}
