import { describe, expect, it } from 'vitest';
import { readAddressed } from '../../../test/protocols/read-addressed.ts';
import type { CanonicalRequest } from '../../core/model/request.ts';
import { encodeUtf8 } from '../json/index.ts';
import { forgetTranslation, sizeOfTranslation, translatorOf } from './index.ts';

const SCRIBE = { createId: (prefix: string) => `${prefix}1`, now: 0 };
const EGRESS = { model: 'up', askUsage: false, capabilities: {}, defaults: {}, withoutState: false };

const responses = (body: object): CanonicalRequest =>
  readAddressed('openai-responses', {
    path: '/responses',
    headers: {},
    body: [encodeUtf8(JSON.stringify({ model: 'm', input: 'Hi', ...body }))],
  });

it('work in the background is a lack: nobody else does that, and its client would ask for it for ever', () => {
  expect(translatorOf(responses({ background: true, store: true })).lacks('openai-chat')).toEqual([
    'work in the background in Chat',
  ]);
});

it('what was asked of reasoning is not called by the name of what was thought', () => {
  const chat = readAddressed('openai-chat', {
    path: '/chat/completions',
    headers: {},
    body: [
      encodeUtf8(
        JSON.stringify({
          model: 'm',
          reasoning_effort: 'high',
          tools: [{ type: 'function', function: { name: 'f', parameters: {} } }],
          tool_choice: 'required',
          messages: [{ role: 'user', content: 'Hi' }],
        }),
      ),
    ],
  });
  const codec = translatorOf(chat).codec('anthropic-messages', SCRIBE);
  const { dropped } = codec.encodeRequest(chat, { ...EGRESS, model: 'claude-sonnet-4-5' });
  expect(dropped).toEqual(['reasoning_effort']);
});

describe('arguments of calls that are no JSON', () => {
  const broken = responses({
    input: [
      { role: 'user', content: 'Hi' },
      { type: 'function_call', call_id: 'c1', name: 'f', arguments: '{"p":' },
      { type: 'function_call_output', call_id: 'c1', output: 'r' },
    ],
  });

  it('are no matter where arguments are a text, and a lack where they are an object', () => {
    expect(translatorOf(broken).lacks('openai-chat')).toEqual([]);
    expect(translatorOf(broken).lacks('anthropic-messages')).toEqual(['tool arguments that are no JSON in Messages']);
    expect(translatorOf(broken).lacks('gemini')).toEqual(['tool arguments that are no JSON in Gemini']);
  });
});

describe('a translator', () => {
  it('is made once for a request, counts its tree, and lets go of it', () => {
    const request = responses({});
    expect(sizeOfTranslation(request)).toBe(0);
    const made = translatorOf(request);
    expect(translatorOf(request)).toBe(made);
    expect(sizeOfTranslation(request)).toBeGreaterThan(0);
    forgetTranslation(request);
    expect(sizeOfTranslation(request)).toBe(0);
  });

  it('writes a request once for each attempt, and says beforehand what gets lost', () => {
    const request = responses({ text: { verbosity: 'low' } });
    const codec = translatorOf(request).codec('anthropic-messages', SCRIBE);
    expect(translatorOf(request).drops('anthropic-messages', EGRESS)).toEqual(['text.verbosity']);
    expect(codec.encodeRequest(request, EGRESS).dropped).toEqual(['text.verbosity']);
    expect(() => codec.encodeRequest(request, EGRESS)).toThrow(TypeError);
  });

  it('says that it can’t where no codec can', () => {
    const request = responses({});
    expect(translatorOf(request).lacks('bedrock-converse')).toEqual(['translation to Converse']);
  });
});
