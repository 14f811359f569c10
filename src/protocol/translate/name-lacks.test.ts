import { describe, expect, it } from 'vitest';
import { CODECS } from '../index.ts';
import { encodeUtf8 } from '../json/index.ts';
import { translatorOf } from './index.ts';

type Client = 'openai-chat' | 'openai-responses' | 'anthropic-messages';

function lacks(client: Client, to: Client | 'gemini', body: object): readonly string[] {
  const decoded = CODECS.get(client)?.decodeRequest(encodeUtf8(JSON.stringify({ model: 'm', ...body })), {});
  if (decoded?.ok !== true) throw new Error('the request is refused');
  return translatorOf(decoded.request).lacks(to);
}

const said = (...content: readonly object[]) => [
  { role: 'user', content: 'hi' },
  { role: 'user', content },
];
const MCP = { type: 'mcp', server_label: 'x', server_url: 'https://x.test' };

describe('what a protocol has no words for is told with its place', () => {
  it.each([
    [
      'an item of its own',
      'openai-responses',
      'anthropic-messages',
      {
        input: [
          { role: 'user', content: 'hi' },
          { type: 'compaction', id: 'cmp_1', encrypted_content: 'SEALED' },
        ],
      },
      ['unknown content (input[1]: compaction) in Messages'],
    ],
    [
      'a file in a message',
      'openai-responses',
      'anthropic-messages',
      { input: said({ type: 'input_text', text: 'see' }, { type: 'input_file', file_id: 'file-9' }) },
      ['files by id (input[1].content[1]) in Messages'],
    ],
    [
      'a picture of another type',
      'openai-chat',
      'anthropic-messages',
      { messages: said({ type: 'image_url', image_url: { url: 'data:image/tiff;base64,QUJD' } }) },
      ['image input (messages[1].content[0]) in Messages'],
    ],
    [
      'a block that no table knows',
      'anthropic-messages',
      'openai-chat',
      { max_tokens: 9, messages: said({ type: 'container_upload', file_id: 'f' }) },
      ['unknown content (messages[1].content[0]: container_upload) in Chat'],
    ],
    [
      'tools, by their names',
      'openai-responses',
      'gemini',
      {
        input: 'hi',
        tools: [MCP, { type: 'function', name: 'own', parameters: {} }, { type: 'computer_use_preview' }],
      },
      ['server tools (mcp, computer) in Gemini'],
    ],
    [
      'an offer beside tools of its own is none',
      'openai-responses',
      'openai-chat',
      { input: 'hi', tools: [{ type: 'web_search' }, MCP, { type: 'function', name: 'own', parameters: {} }] },
      ['server tools (mcp) in Chat'],
    ],
    [
      'several, the first two of each, and the most telling first',
      'openai-responses',
      'anthropic-messages',
      {
        background: true,
        input: ['a', 'b', 'c'].map((id) => ({ type: 'item_reference', id })),
        tools: [{ type: 'mcp', server_label: 'x' }],
      },
      [
        'work in the background in Messages',
        'server tools (mcp) in Messages',
        'unknown content (input[0]: item_reference, input[1]: item_reference and 1 more) in Messages',
      ],
    ],
  ] as const)('%s', (_, client, to, body, expected) => {
    expect(lacks(client, to, body)).toEqual(expected);
  });

  it('at a price that is the body’s, however many parts there are', () => {
    const input = Array.from({ length: 4000 }, (_, n) => ({ type: 'item_reference', id: `msg_${n}` }));
    expect(lacks('openai-responses', 'anthropic-messages', { input })).toEqual([
      'unknown content (input[0]: item_reference, input[1]: item_reference and 3998 more) in Messages',
    ]);
  }, 4000);

  it('and without one where only the client’s own text could be it', () => {
    const odd = { type: 'the treasure lies\nunder the oak', id: 'x' };
    expect(lacks('openai-responses', 'anthropic-messages', { input: [{ role: 'user', content: [odd] }] })).toEqual([
      'unknown content (input[0].content[0]) in Messages',
    ]);
    const tool = { type: 'under the oak', server: true };
    expect(lacks('openai-responses', 'anthropic-messages', { input: 'x', tools: [tool] })).toEqual([
      'server tools in Messages',
    ]);
    const hidden = { role: 'user', content: [{ type: 'input_file', file_id: 'file-9', 'a secret': { b: 1 } }] };
    expect(lacks('openai-responses', 'anthropic-messages', { input: [hidden] }).join()).not.toContain('secret');
  });
});
