import { describe, expect, it } from 'vitest';
import type { Part } from '../../core/model/content.ts';
import type { CanonicalPrompt } from '../../core/model/prompt.ts';
import { familyOf } from './families.ts';
import { lacks } from './lacks.ts';

const CUSTOM: Part = { type: 'tool_call', kind: 'custom', id: '1', name: 'f', namespace: 'n', input: 'x' };

describe('lacks', () => {
  const of = (prompt: Partial<CanonicalPrompt>): readonly string[] =>
    lacks({ messages: [], tools: [], settings: {}, ...prompt });
  const shown = (...parts: Part[]): readonly string[] => of({ messages: [{ role: 'user', parts }] });

  it.each<[string, readonly string[], readonly string[]]>([
    ['sound', shown({ type: 'audio', source: { kind: 'url', url: 'u' } }), ['audio input']],
    [
      'a file of another',
      shown({ type: 'file', source: { kind: 'file_id', id: 'f', issuer: 'openai-responses' } }),
      ['files by id'],
    ],
    [
      'a file of its own',
      shown({ type: 'file', source: { kind: 'file_id', id: 'f', issuer: 'anthropic-messages' } }),
      [],
    ],
    [
      'a spreadsheet',
      shown({ type: 'file', source: { kind: 'base64', data: 'aGk=', mediaType: 'application/zip' } }),
      ['files'],
    ],
    ['a table as text', shown({ type: 'file', source: { kind: 'base64', data: 'aGk=', mediaType: 'text/csv' } }), []],
    [
      'a bitmap',
      shown({ type: 'image', source: { kind: 'base64', data: 'aGk=', mediaType: 'image/bmp' } }),
      ['image input'],
    ],
    ['a foreign item', shown({ type: 'native', protocol: 'gemini', what: 'x', value: {} }), ['unknown content']],
    ['a custom call', shown(CUSTOM), ['custom tools', 'tool namespaces']],
    [
      'choices',
      of({ settings: { n: 2, logprobs: true, modalities: ['text', 'audio'] } }),
      ['audio output', 'several choices', 'log probabilities'],
    ],
    ['JSON of any form', of({ settings: { responseFormat: { type: 'json_object' } } }), ['json without a schema']],
    [
      'a schema',
      of({
        settings: { responseFormat: { type: 'json_schema', name: null, description: null, schema: {}, strict: null } },
      }),
      [],
    ],
  ])('%s', (_what, found, expected) => {
    expect(found).toEqual(expected);
  });
});

describe('familyOf', () => {
  it.each([
    ['claude-opus-5-5', 'adaptive', null],
    ['claude-opus-5', 'adaptive', 'disabled'],
    ['claude-opus-5-20260724', 'adaptive', 'disabled'],
    ['claude-haiku-5-5', 'adaptive', 'disabled'],
    ['claude-fable-5-1', 'adaptive', null],
    ['anthropic.claude-opus-4-7-v1:0', 'adaptive', 'disabled'],
    ['claude-sonnet-4-6', 'both', 'disabled'],
    ['claude-opus-4-20250514', 'budget', 'disabled'],
    ['claude-sonnet-4@20250514', 'budget', 'disabled'],
    ['claude-3-7-sonnet-latest', 'budget', 'disabled'],
    ['claude-3-5-sonnet-20241022', 'none', null],
    ['deepseek-v4', 'any', 'disabled'],
  ])('knows %s', (model, thinking, off) => {
    expect(familyOf(model)).toMatchObject({ thinking, off });
  });
});
