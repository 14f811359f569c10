import { readdirSync, readFileSync } from 'node:fs';
import { describe, expect, it, vi } from 'vitest';
import type { Protocol } from '../../core/model/protocol.ts';
import { encodeUtf8, indexJson, type JsonIndex } from '../json/index.ts';
import { SPELLINGS, spellingProblem } from './spelling.ts';

const indexOf = (body: string): JsonIndex => {
  const index = indexJson(encodeUtf8(body), 2);
  if (index === null) throw new Error(`no JSON: ${body}`);
  return index;
};

const ROOT = new URL('..', import.meta.url);
/** Where requests are read or written. */
const READERS = ['request', 'request-encode', 'outline', 'effects', 'state', 'optional-fields'];

/** Names of the top that the sources name. */
function namesInSources(): string[] {
  const files = readdirSync(ROOT, { recursive: true, encoding: 'utf8' })
    .filter((path) => READERS.some((reader) => path.endsWith(`/${reader}.ts`)))
    .concat('shared/request-shape.ts');
  const calls =
    /(?:member(?:Of|At)\(index, 0, |(?:hasElements|textAt|flagProblem|listProblem|kindProblem)\(index, |text\()'(\w+)'/g;
  return files.flatMap((path) =>
    [...readFileSync(new URL(path, ROOT), 'utf8').matchAll(calls)].map(([, name]) => name ?? ''),
  );
}

const PROTOCOLS = ['openai-chat', 'openai-responses', 'anthropic-messages', 'gemini'] as const;
const [CHAT, RESPONSES, MESSAGES, GEMINI] = PROTOCOLS;

const paramOf = (body: string, protocol: Protocol = CHAT): string | null =>
  spellingProblem(indexOf(body), protocol)?.param ?? null;

/** A body with that member and no other. */
const bodyWith = (member: string): string =>
  member.split('.').reduceRight((inner, name) => `{"${name}":${inner}}`, '1');

/** Only the last name of a path is spelt otherwise. */
const respell = (member: string, change: (name: string) => string): string =>
  member.replace(/[^.]+$/, (name) => change(name));

const camel = (name: string): string => name.replaceAll(/_(\w)/g, (_, letter: string) => letter.toUpperCase());

describe('a member of another spelling', () => {
  const read = [...new Set(namesInSources())];

  it('is weighed for every name that is read here', () => {
    expect(read.length).toBeGreaterThan(25);
    const known = SPELLINGS.map(([member]) => member);
    expect(read.filter((name) => !known.includes(name))).toEqual([]);
    expect(known.filter((member, n) => known.indexOf(member) !== n)).toEqual([]);
  });

  it.each(SPELLINGS)('%s: it %s', (member, effect, protocols) => {
    const others = [(name: string) => name.toUpperCase(), camel, (name: string) => name.replaceAll('_', '-')]
      .map((change) => respell(member, change))
      .filter((other) => other !== member);
    for (const protocol of PROTOCOLS) {
      const refused = effect !== 'wishes' && protocols.includes(protocol) ? member : null;
      expect(paramOf(bodyWith(member), protocol), protocol).toBeNull();
      for (const other of others) expect(paramOf(bodyWith(other), protocol), `${other} in ${protocol}`).toBe(refused);
    }
  });

  it.each([
    ['Previous_Response_Id', 'previous_response_id'],
    ['previou\u017f_response_id', 'previous_response_id'],
    ['previousResponseId', 'previous_response_id'],
    ['previousResponseID', 'previous_response_id'],
    ['previous-response-id', 'previous_response_id'],
    ['bac\u212Aground', 'background'],
    ['bac\\u212aground', 'background'],
    ['\\u0053tore', 'store'],
    ['\\u0073\\u0074\\u0072\\u0065\\u0061\\u004d', 'stream'],
    ['MODEL', 'model'],
    ['tool\u017F', 'tools'],
    ['maxTokens', 'max_tokens'],
    ['Max_Tokens', 'max_tokens'],
    ['tool\u0131choice', null],
    ['p\u0131rompt', null],
    ['mod\\u0065l', null],
    ['models', null],
    ['seed', null],
    ['', null],
    ['S'.repeat(70_000), null],
  ])('%s: %s', (key, name) => {
    expect(paramOf(`{"${key}":1}`)).toBe(name);
  });

  it.each([
    // What clients and their users send besides the protocol, and what some providers have of their own.
    [CHAT, 'promptCacheKey'],
    [CHAT, 'textVerbosity'],
    [CHAT, 'reasoningSummary'],
    [CHAT, 'serviceTier'],
    [CHAT, 'providerOptions'],
    [CHAT, 'topK'],
    [CHAT, 'Thinking'],
    [CHAT, 'System'],
    [CHAT, 'Metadata'],
    [CHAT, 'mcpServers'],
    [CHAT, 'N'],
    [CHAT, 'User'],
    [RESPONSES, 'maxTokens'],
    [RESPONSES, 'contextManagement'],
    [MESSAGES, 'anthropicVersion'],
    [MESSAGES, 'cacheControl'],
    // Google takes both of these.
    [GEMINI, 'system_instruction'],
    [GEMINI, 'generation_config'],
    [GEMINI, 'tool_config'],
    [GEMINI, 'Model'],
    [CHAT, 'Contents'],
  ])('%s: "%s" is none', (protocol, key) => {
    expect(paramOf(`{"${key}":1}`, protocol)).toBeNull();
  });

  it.each([
    ['{"conversation":{"ID":"c"}}', 'conversation.id'],
    ['{"conversation":{"ID":"c","id":"c"}}', 'conversation.id'],
    ['{"stream_options":{"include_Usage":true}}', 'stream_options.include_usage'],
    ['{"stream_options":{"includeUsage":true}}', 'stream_options.include_usage'],
    ['{"stream_options":{"includeUsage":true,"include_usage":true}}', null],
    ['{"maxTokens":5,"max_tokens":5}', null],
    ['{"maxTokens":5,"max_tokens":null}', 'max_tokens'],
    ['{"max_tokens":null,"maxTokens":5}', 'max_tokens'],
    ['{"max_tokens":null,"maxTokens":null}', null],
    ['{"stream_options":{"includeUsage":true,"include_usage":null}}', 'stream_options.include_usage'],
    ['{"max_tokens":null,"toolChoice":"none"}', 'tool_choice'],
    ['{"maxTokens":null}', null],
    ['{"Stream":null}', 'stream'],
    ['{"Stream":true,"stream":true}', 'stream'],
    ['{"conversation":{"id":"c","Kind":1},"stream_options":{"include_usage":true}}', null],
    ['{"conversation":"ID","metadata":{"ID":1,"Model":2},"messages":[{"Role":"user"}]}', null],
    ['{"tools":[{"Model":1}],"extra_body":{"maxTokens":1},"stream_options":["includeUsage"]}', null],
  ])('in %s: %s', (body, name) => {
    expect(paramOf(body)).toBe(name);
  });

  it('is found whatever names have come before', () => {
    const invented = Array.from({ length: 600 }, (_, n) => `"name_${n}":1`).join();
    expect(paramOf(`{${invented}}`)).toBeNull();
    expect(paramOf(`{${invented},"maxTokens":1}`)).toBe('max_tokens');
    expect(paramOf('{"mAx_ToKeNs":1}')).toBe('max_tokens');
    expect(paramOf('{"mAx_ToKeNs":1}')).toBe('max_tokens');
  });

  it('costs a client nothing that others have invented names', () => {
    const usual = indexOf(`{${['temperature', 'seed', 'top_p', 'user', 'tools'].map((name) => `"${name}":1`).join()}}`);
    const folds = (run: () => void): number => {
      const dear = vi.spyOn(String.prototype, 'toUpperCase');
      try {
        run();
        return dear.mock.calls.length;
      } finally {
        dear.mockRestore();
      }
    };
    for (let n = 0; n < 3000; n++) paramOf(`{"name_${n}":1,"mAx_${'_'.repeat(n % 40)}tOkEns":null,"ſ${n}":1}`);
    expect(folds(() => spellingProblem(usual, CHAT))).toBe(0);
    expect(folds(() => paramOf('{"Max_Tokens":1}'))).toBeGreaterThan(0);
  });

  it('is named with the right one, and with what would become of it', () => {
    const messageOf = (body: string) => spellingProblem(indexOf(body), CHAT)?.message;
    expect(messageOf('{"Stream":true}')).toBe(
      'The member "Stream" must be spelt "stream": some providers would read it as that.',
    );
    expect(messageOf('{"stream_options":{"includeUsage":true}}')).toMatch(
      /^The member "stream_options.includeUsage" must be spelt "stream_options.include_usage": as it stands, many prov/,
    );
  });
});
