import { describe, expect, it } from 'vitest';
import type { CanonicalRequest } from '../../core/model/request.ts';
import { Secret } from '../../core/redact/secret.ts';
import { concatBytes, decodeUtf8, encodeUtf8 } from '../json/index.ts';
import type { Egress } from '../types.ts';
import { readCounted } from './count.ts';
import { gemini } from './index.ts';
import { modelPath, readTarget } from './path.ts';
import { decodeRequest, decodeRequestFor } from './request.ts';
import { encodeRequest, readState } from './request-encode.ts';

const HI = { role: 'user', parts: [{ text: 'hi' }] };
const EGRESS: Egress = { model: 'gemini-3-pro', capabilities: {}, askUsage: false, withoutState: false, defaults: {} };

function read(body: unknown, stream = false): CanonicalRequest {
  const text = typeof body === 'string' ? body : JSON.stringify(body);
  const decoded = decodeRequestFor('v-main', stream, encodeUtf8(text), {});
  if (!decoded.ok) throw new Error(decoded.problem.message);
  return decoded.request;
}

const problemOf = (body: unknown) => {
  const decoded = decodeRequestFor('m', false, encodeUtf8(typeof body === 'string' ? body : JSON.stringify(body)), {});
  return decoded.ok ? null : decoded.problem.param;
};

const sent = (body: unknown, egress: Partial<Egress> = {}) => {
  const encoded = encodeRequest(read(body), { ...EGRESS, ...egress });
  return decodeUtf8(concatBytes(encoded.body));
};

describe('the path', () => {
  it.each([
    ['/v1beta/models/gemini-2.5-pro:generateContent', 'gemini-2.5-pro', 'generateContent', false],
    ['/v1beta/models/m:streamGenerateContent?alt=sse', 'm', 'streamGenerateContent', false],
    ['/v1beta/models/m:streamGenerateContent?key=k&alt=sse', 'm', 'streamGenerateContent', false],
    ['/v1beta/models/m:streamGenerateContent', 'm', 'streamGenerateContent', true],
    ['/v1/models/a%2Fb:c:countTokens', 'a/b:c', 'countTokens', false],
    ['/v1beta/tunedModels/t:generateContent', 'tunedModels/t', 'generateContent', false],
  ])('%s', (path, model, method, isArray) => {
    expect(readTarget(path)).toEqual({ model, method, isArray });
  });

  it.each(['', '/v1beta/models/m', '/v1beta/models/m:embedContent', '/v1beta/models/%E0%A4:generateContent', '/x'])(
    'not %s',
    (path) => {
      expect(readTarget(path)).toBeNull();
    },
  );

  it('of a model', () => {
    expect(modelPath('gemini-2.5-pro', 'generateContent')).toBe('/models/gemini-2.5-pro:generateContent');
    expect(modelPath('models/m', 'streamGenerateContent')).toBe('/models/m:streamGenerateContent?alt=sse');
    expect(modelPath('tunedModels/a b', 'generateContent')).toBe('/tunedModels/a%20b:generateContent');
  });

  it('tells model and stream by a header that no client can send', () => {
    const body = encodeUtf8(JSON.stringify({ contents: [HI] }));
    const headers = { ':path': '/v1beta/models/v-main:streamGenerateContent?alt=sse', 'x-session-id': 's' };
    const decoded = decodeRequest(body, headers);
    expect(decoded).toMatchObject({
      ok: true,
      request: { model: 'v-main', stream: true, conversation: { sessionId: 's' } },
    });
    expect(decodeRequest(body, {})).toMatchObject({ ok: false, problem: { param: 'model' } });
    expect(decodeRequest(body, { ':path': '/v1beta/models/m:countTokens' }).ok).toBe(false);
  });
});

describe('what is wrong', () => {
  it.each([
    ['{', null],
    [[], null],
    [{}, 'contents'],
    [{ contents: [] }, 'contents'],
    [{ contents: 'hi' }, 'contents'],
    [{ contents: ['hi'] }, 'contents[0]'],
    ['{"contents":[{}],"contents":[{}]}', 'contents'],
    ['{"contents":[{}],"system_instruction":{},"systemInstruction":{}}', 'systemInstruction'],
    [{ contents: [HI], tools: 'x' }, 'tools'],
    [{ contents: [HI], generationConfig: [] }, 'generationConfig'],
    [{ contents: [HI], generation_config: { max_output_tokens: -1 } }, 'generationConfig.maxOutputTokens'],
    [{ contents: [HI], generationConfig: { candidateCount: 0 } }, 'generationConfig.candidateCount'],
    [{ contents: [HI], generationConfig: { candidateCount: 1e9 } }, 'generationConfig.candidateCount'],
  ])('%j', (body, param) => {
    const decoded = decodeRequestFor(
      'm',
      false,
      encodeUtf8(typeof body === 'string' ? body : JSON.stringify(body)),
      {},
    );
    expect(decoded.ok).toBe(false);
    expect(problemOf(body)).toBe(param);
  });

  it('a model without a name, or with an endless one', () => {
    expect(decodeRequestFor('', false, encodeUtf8('{}'), {}).ok).toBe(false);
    expect(decodeRequestFor('m'.repeat(257), false, encodeUtf8('{}'), {}).ok).toBe(false);
  });
});

describe('what a request needs', () => {
  it.each([
    [{}, []],
    [{ contents: [{ parts: [{ inlineData: { mimeType: 'image/png', data: '' } }] }] }, ['images']],
    [{ contents: { parts: { inline_data: { mime_type: 'audio/wav', data: '' } } } }, ['audio']],
    [{ contents: [{ parts: [{ fileData: { mimeType: 'application/pdf', fileUri: 'u' } }] }] }, ['files']],
    [{ tools: [{ googleSearch: {} }] }, ['tools']],
    [{ generationConfig: { responseMimeType: 'application/json' } }, ['responseFormat']],
    [{ generationConfig: { responseLogprobs: true, candidateCount: 2 } }, ['logprobs', 'n']],
    [{ generationConfig: { thinkingConfig: { thinkingLevel: 'LOW' } } }, ['reasoningEffort']],
    [{ generationConfig: { thinkingConfig: { thinkingBudget: 5 } } }, []],
    [{ contents: [HI, { role: 'model', parts: [{ text: 'So' }] }] }, ['prefill']],
  ])('%j', (body, needs) => {
    expect(read({ contents: [HI], ...body }).needs).toEqual(needs);
  });

  it('counts, limits and the end', () => {
    const result = { role: 'user', parts: [{ function_response: { name: 'f', response: {} } }] };
    const config = { candidateCount: '2', maxOutputTokens: 7 };
    expect(read({ contents: [HI, result], generationConfig: config })).toMatchObject({
      protocol: 'gemini',
      choices: 2,
      maxOutputTokens: 7,
      endsWithToolResult: true,
      usageAsked: true,
      effects: [],
    });
    expect(read({ contents: [HI] })).toMatchObject({ choices: 1, maxOutputTokens: null, endsWithToolResult: false });
  });

  it('what acts outside', () => {
    const tools = [{ functionDeclarations: [] }, { google_search: {}, codeExecution: {} }, { mcpServers: [{}] }];
    expect(read({ contents: [HI], tools }).effects).toEqual(['mcpServers tool']);
  });

  it('a conversation is the same on its second turn and after', () => {
    const turn = (text: string) => [{ role: 'model', parts: [{ text }] }, HI];
    const hash = (contents: readonly unknown[]) => read({ contents }).conversation.prefixHash;
    expect(hash([HI])).toBeNull();
    expect(hash([HI, ...turn('a')])).toBe(hash([HI, ...turn('a'), ...turn('b')]));
    expect(hash([HI, ...turn('a')])).not.toBe(hash([{ role: 'user', parts: [] }, ...turn('a')]));
  });
});

describe('what is sent', () => {
  it('is what came, byte for byte', () => {
    const text = '{ "contents":[{"parts":[{"text":"\\ud83d"}]}], "x":12345678901234567890, "__proto__":{} }';
    const encoded = encodeRequest(read(text, true), EGRESS);
    expect(decodeUtf8(concatBytes(encoded.body))).toBe(text);
    expect(encoded.path).toBe('/models/gemini-3-pro:streamGenerateContent?alt=sse');
    expect(encoded.headers).toEqual({ 'content-type': 'application/json', accept: 'text/event-stream' });
  });

  it('names the target where the body names a model', () => {
    expect(sent('{"model":"models/v-main","contents":[{}]}')).toBe('{"model":"models/gemini-3-pro","contents":[{}]}');
  });

  it.each([
    [
      '{"contents":[{}]}',
      '{"contents":[{}],"generationConfig":{"maxOutputTokens":9,"thinkingConfig":{"thinkingLevel":"LOW"}}}',
    ],
    ['{"contents":[{}],"generation_config":{"max_output_tokens":1,"thinking_config":{}}}', null],
    [
      '{"contents":[{}],"generationConfig":{"topK":1,"thinkingConfig":{}}}',
      '{"contents":[{}],"generationConfig":{"topK":1,"thinkingConfig":{},"maxOutputTokens":9}}',
    ],
    [
      '{"generationConfig":null,"contents":[{}]}',
      '{"generationConfig":{"maxOutputTokens":9,"thinkingConfig":{"thinkingLevel":"LOW"}},"contents":[{}]}',
    ],
  ])('defaults where nothing is said: %s', (before, after) => {
    expect(sent(before, { defaults: { maxOutputTokens: 9, reasoningEffort: 'low' } })).toBe(after ?? before);
  });

  it.each([
    ['gemini-2.5-flash', 'medium', { thinkingBudget: 8192 }],
    ['gemini-2.5-pro', 'none', { thinkingBudget: 128 }],
    ['gemini-2.5-flash', 'none', { thinkingBudget: 0 }],
    ['gemini-3-flash', 'xhigh', { thinkingLevel: 'HIGH' }],
    ['gemini-3-pro-preview', 'medium', { thinkingLevel: 'HIGH' }],
    ['gemini-3.1-pro', 'minimal', { thinkingLevel: 'LOW' }],
    ['gemini-3-flash', 'minimal', { thinkingLevel: 'MINIMAL' }],
  ])('thinking of %s, %s', (model, reasoningEffort, thinkingConfig) => {
    expect(JSON.parse(sent({ contents: [{}] }, { model, defaults: { reasoningEffort } }))).toMatchObject({
      generationConfig: { thinkingConfig },
    });
  });

  const signed = (of: string) =>
    `{"contents":[{"role":"model","parts":[{"text":"a"${of}},{"functionCall":{"name":"f"}${of}}]}]}`;

  it('without state: a call keeps what stands for no signature, where the model looks for one', () => {
    const before = signed(',"thoughtSignature":"S"');
    expect(sent(before)).toBe(before);
    expect(sent(before, { withoutState: true, model: 'gemini-2.5-pro' })).toBe(signed(''));
    expect(sent(before, { withoutState: true })).toBe(
      `{"contents":[{"role":"model","parts":[{"text":"a"},{"functionCall":{"name":"f"},"thoughtSignature":"skip_thought_signature_validator"}]}]}`,
    );
    expect(sent(signed(',"thought_signature":"S"'), { withoutState: true, model: 'gemini-2.5-pro' })).toBe(signed(''));
  });

  it.each([
    ['{"contents":[{"parts":[{"text":"a"}]}]}', false, false],
    [signed(',"thoughtSignature":"S"'), true, false],
    [signed(',"thoughtSignature":"skip_thought_signature_validator"'), false, false],
    ['{"contents":[{}],"cachedContent":"cachedContents/x"}', false, true],
    [
      '{"contents":[{"parts":[{"fileData":{"fileUri":"https://generativelanguage.googleapis.com/v1beta/files/x"}}]}]}',
      false,
      true,
    ],
    ['{"contents":[{"parts":[{"fileData":{"fileUri":"https://example.com/x.png"}}]}]}', false, false],
  ])('state of %s', (body, removable, bound) => {
    expect(readState(read(body))).toEqual({ removable, bound });
  });

  it('a request of elsewhere is read again', () => {
    const { extensions: _extensions, ...rest } = read({ contents: [HI] });
    expect(decodeUtf8(concatBytes(encodeRequest({ ...rest, extensions: {} }, EGRESS).body))).toBe(
      JSON.stringify({ contents: [HI] }),
    );
    const broken = { ...rest, extensions: {}, original: encodeUtf8('{}') };
    expect(() => encodeRequest(broken, EGRESS)).toThrow(TypeError);
  });

  it('a key goes in the header of the protocol, a token as Bearer', () => {
    expect(gemini.authHeaders(new Secret('AIza'))).toEqual({ 'x-goog-api-key': 'AIza' });
    expect(gemini.authHeaders(new Secret('ya29.x'))).toEqual({ authorization: 'Bearer ya29.x' });
    expect(gemini.authHeaders(new Secret('k'), 'bearer')).toEqual({ authorization: 'Bearer k' });
    expect(gemini.authHeaders(new Secret(''))).toEqual({});
  });
});

describe('countTokens', () => {
  const counted = (value: unknown) => {
    const found = readCounted(encodeUtf8(JSON.stringify(value)));
    return found instanceof Uint8Array ? (JSON.parse(decodeUtf8(found)) as unknown) : found.param;
  };

  it('counts contents, or a whole request', () => {
    expect(counted({ contents: [HI] })).toEqual({ contents: [HI] });
    expect(counted({ generateContentRequest: { model: 'models/m', contents: [HI], tools: [] } })).toEqual({
      model: 'models/m',
      contents: [HI],
      tools: [],
    });
    expect(counted({ generate_content_request: { contents: [] } })).toEqual({ contents: [] });
    expect(counted({ generateContentRequest: 1 })).toBe('generateContentRequest');
    expect(counted([])).toBeNull();
  });
});
