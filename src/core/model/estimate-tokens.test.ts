import { describe, expect, it } from 'vitest';
import type { Message, Part } from './content.ts';
import { estimateTokens, TOKEN_TABLE } from './estimate-tokens.ts';
import type { PromptSettings } from './prompt.ts';
import { textTokens } from './text-tokens.ts';
import type { ToolDefinition } from './tool.ts';

describe('textTokens', () => {
  it.each([
    ['', 0],
    ['word', 1],
    ['Word', 1],
    ['Hello, world!', 4],
    ['internationalization', 3],
    ['getUserName', 3],
    ['SQLITE', 2],
    ['1234567', 3],
    ['a b', 2],
    ['if (x) {\n    return;\n}', 11],
    ['};', 1],
    ['你好世界', 4],
    ['안녕', 2],
    ['привет', 3],
    ['café', 2],
    ['🙂', 2],
  ])('%j: %i', (text, tokens) => {
    expect(textTokens(text)).toBe(tokens);
  });

  it('is near what is known of prose, code and Chinese', () => {
    const prose =
      'The gateway asks the next target when the first one fails before any output has reached the client. ';
    const code =
      'const found = index.find((node) => kindOf(node) === "array" && node.length > 0);\n  return found ?? null;\n';
    const ratio = (text: string) => text.length / textTokens(text);
    expect(ratio(prose)).toBeGreaterThan(4);
    expect(ratio(prose)).toBeLessThan(5.5);
    expect(ratio(code)).toBeGreaterThan(2.5);
    expect(ratio(code)).toBeLessThan(4);
  });
});

const says = (...parts: readonly Part[]): Message => ({ role: 'user', parts });
const text = (words: string): Part => ({ type: 'text', text: words });
const estimate = (
  messages: readonly Message[],
  tools: readonly ToolDefinition[] = [],
  settings: PromptSettings = {},
): number => estimateTokens({ messages, tools, settings });

/** Without the margin, and what stands around a part. */
const partOf = (part: Part): number => Math.round((estimate([says(part)]) - estimate([says()])) / 1.15);

describe('estimateTokens', () => {
  it('is never nothing, and grows with what is said', () => {
    expect(estimate([])).toBeGreaterThan(0);
    expect(estimate([says(text('one two three four five six seven eight nine ten'))])).toBe(20);
  });

  const base64 = (mediaType: string, bytes: number) =>
    ({ kind: 'base64', mediaType, data: 'A'.repeat((bytes * 4) / 3) }) as const;

  it.each([
    ['a picture', { type: 'image', source: base64('image/png', 900_000) }, TOKEN_TABLE.image],
    ['a small one', { type: 'image', source: { kind: 'url', url: 'u' }, detail: 'low' }, TOKEN_TABLE.lowImage],
    ['a picture among files', { type: 'file', source: base64('image/png', 900_000) }, TOKEN_TABLE.image],
    ['a minute of sound', { type: 'audio', source: base64('audio/mpeg', 960 * 1024) }, 1920],
    ['a page', { type: 'file', source: base64('application/pdf', 75 * 1024) }, 3000],
    [
      'a file by its id',
      { type: 'file', source: { kind: 'file_id', id: 'f', issuer: 'gemini' } },
      TOKEN_TABLE.unseenMedia,
    ],
    ['a text as a file', { type: 'file', source: { kind: 'text', text: 'four small words here' } }, 4],
    ['a call', { type: 'tool_call', kind: 'function', id: 'c', name: 'look', input: '{}' }, TOKEN_TABLE.call + 2],
    [
      'a result with a picture',
      {
        type: 'tool_result',
        kind: 'function',
        callId: 'c',
        content: [{ type: 'image', source: { kind: 'url', url: 'u' } }],
      },
      TOKEN_TABLE.result + TOKEN_TABLE.image,
    ],
    [
      'a sealed text',
      { type: 'native', protocol: 'openai-responses', what: 'x', value: { encrypted_content: 'A'.repeat(1000) } },
      207,
    ],
    ['a seal', { type: 'native', protocol: 'gemini', what: 'x', value: { signature: 'A'.repeat(1000) } }, 5],
  ] as const satisfies readonly (readonly [string, Part, number])[])('%s', (_, part, tokens) => {
    const found = partOf(part);
    expect(Math.abs(found - tokens)).toBeLessThanOrEqual(1);
  });

  it('tools count with their schemas, and for being there', () => {
    const tool = (description: string): ToolDefinition => ({
      type: 'function',
      name: 'look',
      description,
      parameters: { type: 'object', properties: { place: { type: 'string' } } },
      strict: null,
    });
    const none = estimate([]);
    const one = estimate([], [tool('')]);
    expect(one - none).toBeGreaterThan(TOKEN_TABLE.anyTools + TOKEN_TABLE.tool);
    expect(estimate([], [tool('word '.repeat(100))]) - one).toBe(115);
    expect(estimate([], [tool(''), { type: 'server', what: 'web_search', protocol: 'gemini', value: {} }])).toBe(
      one + TOKEN_TABLE.serverTool * 1.15,
    );
  });

  it('thoughts count as long as their turn goes on', () => {
    const thought: Message = { role: 'assistant', parts: [{ type: 'reasoning', text: 'word '.repeat(100) }] };
    const [before, behind] = [estimate([thought, says(text('go'))]), estimate([says(text('go')), thought])];
    expect(behind - before).toBe(115);
  });

  it('a schema of the answer counts', () => {
    const schema = { type: 'object', properties: { name: { type: 'string' } } };
    const responseFormat = { type: 'json_schema', name: null, description: null, schema, strict: null } as const;
    expect(estimate([], [], { responseFormat })).toBeGreaterThan(estimate([]) + 10);
  });
});
