import { describe, expect, it } from 'vitest';
import type { Protocol } from '../../src/core/model/protocol.ts';
import { isMain, replyTo } from './script.ts';
import { voiceOf } from './voices/index.ts';
import type { Json } from './voices/types.ts';

const call = { id: 'c1', type: 'function', function: { name: 'bash', arguments: '{}' } };
const PATH: Readonly<Partial<Record<Protocol, string>>> = { gemini: '/v1beta/models/m:streamGenerateContent' };

/** A history with a call and its result, and the same without the result. */
const HISTORIES: Readonly<Partial<Record<Protocol, readonly [whole: Json, open: Json]>>> = {
  'openai-chat': [
    {
      tools: [{ type: 'function', function: { name: 'bash' } }],
      messages: [
        { role: 'assistant', tool_calls: [call] },
        { role: 'tool', tool_call_id: 'c1', content: '' },
      ],
    },
    { messages: [{ role: 'assistant', tool_calls: [call] }] },
  ],
  'openai-responses': [
    {
      tools: [{ type: 'namespace', name: 'more', tools: [{ type: 'function', name: 'bash' }] }],
      input: [
        { type: 'function_call', call_id: 'c1', name: 'bash', arguments: '{}' },
        { type: 'function_call_output', call_id: 'c1', output: '' },
      ],
    },
    { input: [{ type: 'function_call', call_id: 'c1', name: 'bash', arguments: '{}' }] },
  ],
  'anthropic-messages': [
    {
      max_tokens: 1,
      tools: [{ name: 'bash' }],
      messages: [
        { role: 'user', content: 'hi' },
        { role: 'assistant', content: [{ type: 'tool_use', id: 'c1', name: 'bash', input: {} }] },
        { role: 'user', content: [{ type: 'tool_result', tool_use_id: 'c1' }] },
      ],
    },
    {
      max_tokens: 1,
      messages: [
        { role: 'user', content: 'hi' },
        { role: 'assistant', content: [{ type: 'tool_use', id: 'c1', name: 'bash', input: {} }] },
      ],
    },
  ],
  gemini: [
    {
      tools: [{ functionDeclarations: [{ name: 'bash' }] }],
      contents: [
        { role: 'model', parts: [{ functionCall: { name: 'bash', args: {} } }] },
        { role: 'user', parts: [{ functionResponse: { name: 'bash', response: {} } }] },
      ],
    },
    { contents: [{ role: 'model', parts: [{ functionCall: { name: 'bash', args: {} } }] }] },
  ],
};

describe.each(Object.entries(HISTORIES))('a provider of %s', (protocol, [whole, open]) => {
  const voice = voiceOf(protocol as Protocol);
  const path = PATH[protocol as Protocol] ?? '';

  it('finds the tool and its result', () => {
    const turn = voice.read(whole, path);
    expect(turn).toMatchObject({ hasResult: true, faults: [] });
    expect(turn.tools).toContain('bash');
    expect(isMain(turn)).toBe(true);
    expect(replyTo(turn).kind).toBe('text');
    expect(replyTo({ ...turn, hasResult: false })).toMatchObject({ kind: 'call', name: 'bash' });
    expect(isMain({ ...turn, tools: ['other'] })).toBe(false);
  });

  it('refuses a call that nobody answered, and an empty request', () => {
    expect(voice.read(open, path).faults).toHaveLength(1);
    expect(voice.read({}, path).faults.length).toBeGreaterThan(0);
  });

  it('says the same with a stream and without, with something to cut within', () => {
    const spoken = voice.speak({ kind: 'call', name: 'bash', input: { command: 'echo' } }, 'm');
    expect(spoken.body.length).toBeGreaterThan(1);
    expect([...spoken.head, ...spoken.body, ...spoken.end].every((each) => each.endsWith('\n\n'))).toBe(true);
    expect(JSON.stringify(spoken.json)).toContain('bash');
  });
});
