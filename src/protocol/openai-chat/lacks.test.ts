import { describe, expect, it } from 'vitest';
import type { Message } from '../../core/model/content.ts';
import { translation } from './translation.ts';

const IMAGE = { type: 'image', source: { kind: 'base64', data: 'AA', mediaType: 'image/png' } };
const CALL = { type: 'tool_call', kind: 'function', id: 'c1', name: 'f', input: '{}' };

describe('what it has no words for', () => {
  const of = (...parts: object[]) =>
    translation.lacks({ messages: [{ role: 'user', parts }] as Message[], tools: [], settings: {} });
  it.each<[object, readonly string[]]>([
    [IMAGE, []],
    [{ type: 'image', source: { kind: 'file_id', id: 'f', issuer: 'anthropic-messages' } }, ['files by id']],
    [{ type: 'file', source: { kind: 'url', url: 'u' } }, ['files by url']],
    [{ type: 'file', source: { kind: 'text', text: 'x' } }, []],
    [{ type: 'audio', source: { kind: 'url', url: 'u' } }, ['audio input']],
    [{ type: 'native', protocol: 'gemini', what: 'x', value: {} }, ['unknown content']],
    [{ ...CALL, namespace: 'n' }, ['tool namespaces']],
    [
      { type: 'tool_result', callId: 'c', content: [{ type: 'file', source: { kind: 'url', url: 'u' } }] },
      ['files by url'],
    ],
  ])('%j', (part, lacks) => {
    expect(of(part)).toEqual(lacks);
  });

  it('knows tools of other protocols', () => {
    const tool = { type: 'server', what: 'web_search', protocol: 'anthropic-messages', value: {} } as const;
    const choice = { type: 'native', protocol: 'gemini', value: {} } as const;
    expect(translation.lacks({ messages: [], tools: [tool], settings: { toolChoice: choice } })).toEqual([
      'server tools',
      'forced tool choice',
    ]);
  });

  it('leaves out what only looks things up, beside tools of the client', () => {
    const own = { type: 'function', name: 'f', description: null, parameters: null, strict: null } as const;
    const server = (what: string) => ({ type: 'server', what, protocol: 'openai-responses', value: {} }) as const;
    const prompt = (what: string) => ({ messages: [], tools: [own, server(what)], settings: {} });
    expect(translation.lacks(prompt('web_search'))).toEqual([]);
    expect(translation.lacks(prompt('mcp'))).toEqual(['server tools']);
    const egress = { model: 'up', stream: false, askUsage: false, capabilities: {}, defaults: {} };
    expect(translation.writePrompt(prompt('web_search'), egress).dropped).toEqual(['web_search']);
  });
});
