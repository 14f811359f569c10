import type { CanonicalEvent } from '../../core/model/event.ts';
import { hasSubstance, isObject, nonEmpty, type WireBlock } from './types.ts';

type Reader = (value: WireBlock) => CanonicalEvent;

/** Text by what can be seen of it; `none` is what stands for no text at all. */
function seen(value: unknown, type: 'text' | 'reasoning', none: CanonicalEvent): CanonicalEvent {
  if (typeof value !== 'string' || value === '') return none;
  return value.trim() === '' ? { type: 'blank_text' } : { type, text: value };
}

const called: Reader = ({ name }) => ({ type: nonEmpty(name) === null ? 'block_open' : 'tool_call' });
const marker: Reader = () => ({ type: 'block_open' });
const opaque: Reader = () => ({ type: 'reasoning_opaque' });

/**
 * What a block says, in `content_block_start` or in a whole answer. Tools that the provider runs itself count as calls:
 * once one has begun, another target would run it again. A block that is not here counts as soon as it carries
 * something.
 */
const BLOCKS: Readonly<Record<string, Reader>> = {
  text: ({ text, citations }) =>
    Array.isArray(citations) && citations.length > 0
      ? { type: 'citation' }
      : seen(text, 'text', { type: 'block_open' }),
  thinking: ({ thinking }) => seen(thinking, 'reasoning', { type: 'reasoning_open' }),
  redacted_thinking: opaque,
  tool_use: called,
  server_tool_use: called,
  mcp_tool_use: called,
  image: () => ({ type: 'image' }),
  compaction: ({ content }) => ({ type: hasSubstance(content) ? 'unknown_content' : 'block_open' }),
  fallback: marker,
  mcp_tool_listing: marker,
};

const DELTAS: Readonly<Record<string, Reader>> = {
  text_delta: ({ text }) => seen(text, 'text', { type: 'empty_delta' }),
  thinking_delta: ({ thinking }) => seen(thinking, 'reasoning', { type: 'empty_delta' }),
  signature_delta: opaque,
  input_json_delta: () => ({ type: 'tool_fragment' }),
  citations_delta: () => ({ type: 'citation' }),
  compaction_delta: ({ content }) => ({ type: hasSubstance(content) ? 'unknown_content' : 'empty_delta' }),
};

function read(
  table: Readonly<Record<string, Reader>>,
  value: unknown,
  empty: 'block_open' | 'empty_delta',
): CanonicalEvent {
  if (!isObject<WireBlock>(value)) return { type: empty };
  const type = nonEmpty(value.type) ?? '';
  const reader = Object.hasOwn(table, type) ? table[type] : undefined;
  if (reader !== undefined) return reader(value);
  const hasContent = Object.entries(value).some(
    ([name, member]) => name !== 'type' && name !== 'id' && name !== 'tool_use_id' && hasSubstance(member),
  );
  return { type: hasContent ? 'unknown_content' : empty };
}

export const readBlock = (block: unknown): CanonicalEvent => read(BLOCKS, block, 'block_open');

export const readDelta = (delta: unknown): CanonicalEvent => read(DELTAS, delta, 'empty_delta');
