import { readdirSync, readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { encodeUtf8, indexJson, type JsonIndex } from '../json/index.ts';
import { spellingProblem } from './spelling.ts';

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

describe('a member of another spelling', () => {
  const names = [...new Set(namesInSources())];

  it('is refused for every name that is read here', () => {
    expect(names.length).toBeGreaterThan(25);
    expect(names.filter((name) => spellingProblem(indexOf(`{"${name.toUpperCase()}":1}`))?.param !== name)).toEqual([]);
    expect(names.filter((name) => spellingProblem(indexOf(`{"${name}":1}`)) !== null)).toEqual([]);
  });

  it.each([
    ['Previous_Response_Id', 'previous_response_id'],
    ['previou\u017f_response_id', 'previous_response_id'],
    ['previousResponseId', 'previous_response_id'],
    ['previous-response-id', 'previous_response_id'],
    ['bac\u212Aground', 'background'],
    ['bac\\u212aground', 'background'],
    ['\\u0053tore', 'store'],
    ['\\u0073\\u0074\\u0072\\u0065\\u0061\\u004d', 'stream'],
    ['MODEL', 'model'],
    ['tool\u017F', 'tools'],
    ['p\u0131rompt', null],
    ['maxTokens', null],
    ['mod\\u0065l', null],
    ['models', null],
    ['seed', null],
    ['', null],
    ['S'.repeat(70_000), null],
  ])('%s: %s', (key, name) => {
    expect(spellingProblem(indexOf(`{"${key}":1}`))?.param ?? null).toBe(name);
  });

  it.each([
    ['{"conversation":{"ID":"c"}}', 'conversation.id'],
    ['{"stream_options":{"include_Usage":true}}', 'stream_options.include_usage'],
    ['{"conversation":{"id":"c","Kind":1},"stream_options":{"include_usage":true}}', null],
    ['{"conversation":"ID","metadata":{"ID":1,"Model":2},"messages":[{"Role":"user"}]}', null],
  ])('in %s: %s', (body, name) => {
    expect(spellingProblem(indexOf(body))?.param ?? null).toBe(name);
  });

  it('is named with the right one', () => {
    expect(spellingProblem(indexOf('{"Stream":true}'))?.message).toMatch(/^The member "Stream" must be spelt "stream"/);
  });
});
