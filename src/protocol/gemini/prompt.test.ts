import { describe, expect, it } from 'vitest';
import { read, write } from '../../../test/kit/gemini-prompt.ts';

/** As the command-line client sends it, with what its tools look like. */
const CLI = {
  contents: [
    { role: 'user', parts: [{ text: 'This is the CLI.' }, { text: 'Say ok' }] },
    {
      role: 'model',
      parts: [
        { thoughtSignature: 'S1', functionCall: { id: 'c1', name: 'read_file', args: { path: 'a' } } },
        { functionCall: { id: 'c2', name: 'read_file', args: { path: 'b' } } },
      ],
    },
    {
      role: 'user',
      parts: [
        { functionResponse: { id: 'c1', name: 'read_file', response: { output: 'A' } } },
        { functionResponse: { id: 'c2', name: 'read_file', response: { error: 'no file' } } },
      ],
    },
  ],
  systemInstruction: { parts: [{ text: 'You are an agent.' }] },
  tools: [
    {
      functionDeclarations: [
        {
          name: 'read_file',
          description: 'Reads',
          parametersJsonSchema: { type: 'object', properties: { path: { type: 'string' } }, required: ['path'] },
        },
        { name: 'nothing' },
      ],
    },
    { googleSearch: {} },
  ],
  generationConfig: {
    temperature: 1,
    topP: 0.95,
    topK: 64,
    thinkingConfig: { includeThoughts: true, thinkingBudget: 8192 },
  },
  safetySettings: [{ category: 'HARM_CATEGORY_HARASSMENT', threshold: 'OFF' }],
};

describe('reading', () => {
  it('a request of the command-line client, and back', () => {
    const prompt = read(CLI);
    expect(prompt.messages.map(({ role, parts }) => [role, parts.map(({ type }) => type)])).toEqual([
      ['system', ['text']],
      ['user', ['text', 'text']],
      ['assistant', ['tool_call', 'tool_call']],
      ['tool', ['tool_result', 'tool_result']],
    ]);
    expect(prompt.settings.reasoning).toEqual({ effort: null, budgetTokens: 8192, show: 'auto' });
    const { body, dropped } = write(prompt);
    expect(dropped).toEqual([]);
    expect(body).toEqual(CLI);
  });

  it('both spellings of every member', () => {
    const snake = {
      contents: [
        { role: 'user', parts: [{ inline_data: { mime_type: 'image/png', data: 'AA' } }] },
        { role: 'model', parts: [{ function_call: { name: 'f', args: { a_b: 1 } }, thought_signature: 'S' }] },
        { role: 'function', parts: [{ function_response: { name: 'f', response: { a_b: 1 } } }] },
      ],
      system_instruction: { parts: { text: 'Be.' } },
      tools: [
        { function_declarations: [{ name: 'f', parameters: { type: 'OBJECT', any_of: [{ type: 'STRING' }] } }] },
        { google_search: {} },
      ],
      tool_config: { function_calling_config: { mode: 'any', allowed_function_names: ['f'] } },
      generation_config: { max_output_tokens: 5, stop_sequences: ['x'], thinking_config: { thinking_level: 'low' } },
      cached_content: 'c',
    };
    expect(read(snake)).toEqual({
      messages: [
        { role: 'system', parts: [{ type: 'text', text: 'Be.' }] },
        { role: 'user', parts: [{ type: 'image', source: { kind: 'base64', data: 'AA', mediaType: 'image/png' } }] },
        {
          role: 'assistant',
          parts: [
            {
              type: 'tool_call',
              kind: 'function',
              id: 'call_0_f',
              name: 'f',
              input: '{"a_b":1}',
              state: { issuer: 'gemini', value: 'S' },
            },
          ],
        },
        {
          role: 'tool',
          parts: [
            {
              type: 'tool_result',
              kind: 'function',
              callId: 'call_0_f',
              name: 'f',
              content: [{ type: 'text', text: '{"a_b":1}' }],
            },
          ],
        },
      ],
      tools: [
        {
          type: 'function',
          name: 'f',
          description: null,
          parameters: { type: 'object', anyOf: [{ type: 'string' }] },
          strict: null,
        },
        { type: 'server', what: 'web_search', protocol: 'gemini', value: { googleSearch: {} } },
      ],
      settings: {
        maxOutputTokens: 5,
        stop: ['x'],
        reasoning: { effort: 'low', budgetTokens: null, show: null },
        toolChoice: { type: 'tool', kind: 'function', name: 'f' },
      },
      extensions: { gemini: { cachedContent: 'c' } },
    });
  });

  it('results by order and name, where calls have no ids', () => {
    const call = (name: string) => ({ functionCall: { name, args: {} } });
    const result = (name: string, output: string) => ({ functionResponse: { name, response: { output } } });
    const prompt = read({
      contents: [
        { role: 'user', parts: [{ text: 'x' }] },
        { role: 'model', parts: [call('f'), call('g'), call('f')] },
        { role: 'user', parts: [result('g', '1'), result('f', '2'), result('f', '3'), { text: 'go on' }] },
        { role: 'model', parts: [call('f')] },
        { role: 'user', parts: [result('f', '4'), result('h', '5')] },
      ],
    });
    const ids = prompt.messages.flatMap(({ parts }) =>
      parts.flatMap((part) => (part.type === 'tool_result' ? part.callId : [])),
    );
    expect(ids).toEqual(['call_1_g', 'call_0_f', 'call_2_f', 'call_3_f', 'call_4_h']);
    expect(prompt.messages.map(({ role }) => role)).toEqual(['user', 'assistant', 'tool', 'user', 'assistant', 'tool']);
  });

  it('signatures of what is no call and no thought stand in front of it', () => {
    const parts = [
      { text: 'a', thoughtSignature: 'S1' },
      { text: '', thoughtSignature: 'S2' },
    ];
    const body = {
      contents: [
        { role: 'user', parts: [{ text: 'x' }] },
        { role: 'model', parts },
      ],
    };
    const prompt = read(body);
    expect(prompt.messages[1]?.parts).toEqual([
      { type: 'reasoning', text: '', state: { issuer: 'gemini', value: 'S1' } },
      { type: 'text', text: 'a' },
      { type: 'reasoning', text: '', state: { issuer: 'gemini', value: 'S2' } },
    ]);
    expect(write(prompt).body).toEqual(body);
  });

  it('a signature of thoughts without words, and a signature alone', () => {
    const prompt = read({
      contents: [
        { role: 'model', parts: [{ text: '', thought: true, thoughtSignature: 'S' }, { thoughtSignature: 'T' }] },
      ],
    });
    const hidden = (value: string) => ({ type: 'reasoning', text: '', state: { issuer: 'gemini', value } });
    expect(prompt.messages[0]?.parts).toEqual([hidden('S'), hidden('T')]);
  });

  it.each([
    [{ output: 'x' }, 'x', undefined],
    [{ output: { a: 1 } }, '{"a":1}', undefined],
    [{ error: { a: 1 } }, '{"a":1}', true],
    [{ output: 'x', error: 'y' }, '{"output":"x","error":"y"}', undefined],
    [{ content: [] }, '{"content":[]}', undefined],
    [{}, undefined, undefined],
  ])('a result %j', (response, text, isError) => {
    const part = { functionResponse: { id: 'a', name: 'f', response } };
    const [found] = read({ contents: [{ parts: [part] }] }).messages[0]?.parts ?? [];
    expect(found).toMatchObject({ type: 'tool_result', content: text === undefined ? [] : [{ type: 'text', text }] });
    expect(found?.type === 'tool_result' ? found.isError : null).toBe(isError);
  });

  it("the protocol's own schemas as JSON schemas", () => {
    const parameters = {
      type: 'OBJECT',
      properties: {
        type: { type: 'STRING', format: 'enum', enum: ['a'], nullable: true },
        list: { type: 'ARRAY', items: { type: 'INTEGER' }, minItems: '1' },
      },
      required: ['type'],
    };
    const [tool] = read({ contents: [{}], tools: [{ functionDeclarations: [{ name: 'f', parameters }] }] }).tools;
    expect(tool).toMatchObject({
      parameters: {
        type: 'object',
        properties: {
          type: { type: ['string', 'null'], enum: ['a'] },
          list: { type: 'array', items: { type: 'integer' }, minItems: 1 },
        },
        required: ['type'],
      },
    });
  });

  it('numbers, halves of letters and odd members stay as they were', () => {
    const text =
      '{"contents":[{"role":"model","parts":[{"functionCall":{"id":"a","name":"f","args":{"n":12345678901234567890,"__proto__":{"x":"\\ud83d"}}},"thoughtSignature":"S"}]}],"generationConfig":{"seed":12345678901234567890}}';
    expect(write(read(text)).text).toBe(text);
  });

  it.each([
    [{ thinkingBudget: 0 }, { effort: 'none', budgetTokens: null, show: null }, {}],
    [{ thinkingBudget: -1 }, { effort: null, budgetTokens: -1, show: null }, {}],
    [{ thinkingLevel: 'NOVEL' }, undefined, { 'generationConfig.thinkingConfig.thinkingLevel': 'NOVEL' }],
  ])('thinking %j', (thinkingConfig, reasoning, gemini) => {
    const prompt = read({ contents: [{}], generationConfig: { thinkingConfig } });
    expect(prompt.settings.reasoning).toEqual(reasoning);
    expect(prompt.extensions?.gemini ?? {}).toEqual(gemini);
  });

  it('a mode that has no common word', () => {
    const toolConfig = { functionCallingConfig: { mode: 'VALIDATED' } };
    const prompt = read({ contents: [{}], toolConfig });
    expect(prompt.settings.toolChoice).toBeUndefined();
    expect(write(prompt).body['toolConfig']).toEqual(toolConfig);
  });
});
