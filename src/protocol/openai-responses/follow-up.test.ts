import { describe, expect, it } from 'vitest';
import { message, response } from '../../../test/kit/responses-stream.ts';
import { clientError } from '../../core/failure/answer.ts';
import { decodeUtf8, encodeUtf8 } from '../json/index.ts';
import { type FollowUp, type FollowUpKind, isPathId, readFollowUp } from './follow-up.ts';
import { followUpCodec } from './index.ts';

type Query = readonly (readonly [string, string])[];

function read(kind: FollowUpKind, query: Query = [], id = 'resp_1'): FollowUp {
  const found = readFollowUp(kind, id, query);
  if (!found.ok) throw new Error(found.problem.message);
  return found.followUp;
}

describe('readFollowUp', () => {
  it.each<[FollowUpKind, Query, string]>([
    ['retrieve', [], 'GET /responses/resp_1'],
    [
      'retrieve',
      [
        ['stream', '1'],
        ['starting_after', '0'],
      ],
      'GET /responses/resp_1?stream=true&starting_after=0',
    ],
    [
      'retrieve',
      [
        ['stream', 'false'],
        ['stream', 'true'],
      ],
      'GET /responses/resp_1?stream=false',
    ],
    [
      'retrieve',
      [
        ['include', 'a.b'],
        ['include[0]', 'c'],
      ],
      'GET /responses/resp_1?include[]=a.b&include[]=c',
    ],
    [
      'retrieve',
      [
        ['limit', '1'],
        ['stream[]', 'true'],
        ['__proto__', 'x'],
        ['a&b', 'c'],
      ],
      'GET /responses/resp_1',
    ],
    ['remove', [['stream', 'true']], 'DELETE /responses/resp_1'],
    ['cancel', [['include', 'x']], 'POST /responses/resp_1/cancel'],
    [
      'list_items',
      [
        ['after', 'm=1'],
        ['order', 'desc'],
      ],
      'GET /responses/resp_1/input_items?after=m%3D1&order=desc',
    ],
  ])('%s %j is %s', (kind, query, line) => {
    const { method, path } = read(kind, query);
    expect(`${method} ${path}`).toBe(line);
  });

  it.each<[FollowUpKind, string, string]>([
    ['retrieve', 'stream', 'yes'],
    ['retrieve', 'starting_after', '1.5'],
    ['list_items', 'after', '../x'],
    ['list_items', 'order', 'asc&limit=9'],
    ['list_items', 'include', 'a b'],
  ])('%s with %s=%s is refused by name', (kind, name, value) => {
    expect(readFollowUp(kind, 'resp_1', [[name, value]])).toMatchObject({ ok: false, problem: { param: name } });
  });

  it('bounds lists', () => {
    const many = Array.from({ length: 33 }, (): [string, string] => ['include', 'x']);
    expect(readFollowUp('retrieve', 'resp_1', many).ok).toBe(false);
    expect(readFollowUp('retrieve', 'resp_1', many.slice(1)).ok).toBe(true);
  });

  it('makes paths of plain ids alone', () => {
    expect(read('retrieve', [], 'a=b:c').path).toBe('/responses/a%3Db%3Ac');
    expect(['resp_1', 'a=b', 'x.y'].every(isPathId)).toBe(true);
    const others = ['', '.', '..', 'a/b', 'a%2Fb', 'a?b', 'a#b', 'a b', 'a\\b', 'ü', 'a\n', 'x'.repeat(257)];
    expect(others.filter(isPathId)).toEqual([]);
  });
});

describe('the codec of a follow-up', () => {
  const judge = (kind: FollowUpKind, body: unknown, query: Query = []): readonly string[] =>
    followUpCodec(read(kind, query))
      .decodeResponse(encodeUtf8(typeof body === 'string' ? body : JSON.stringify(body)), {
        renameModel: null,
        choices: 1,
      })
      .events.map(({ type }) => type);
  const ANSWER = ['unknown_content', 'finish'];
  const ERROR = { error: { message: 'no' } };

  it.each<[FollowUpKind, unknown, readonly string[]]>([
    ['retrieve', response({ status: 'queued' }), ANSWER],
    ['retrieve', response({ status: 'failed', error: { code: 'x', message: 'y' } }), ANSWER],
    ['retrieve', { id: 'resp_1', output: [] }, ANSWER],
    ['retrieve', ERROR, ['error']],
    ['retrieve', { object: 'list', data: [] }, []],
    ['retrieve', '[]', ['malformed']],
    ['retrieve', '{"id":', ['malformed']],
    ['cancel', response({ status: 'cancelled' }), ANSWER],
    ['remove', { id: 'resp_1', deleted: true }, ANSWER],
    ['remove', { id: 'resp_1' }, []],
    ['list_items', { object: 'list', data: [] }, ANSWER],
    ['list_items', response(), []],
    ['list_items', ERROR, ['error']],
  ])('%s: %j is %j', (kind, body, types) => {
    expect(judge(kind, body)).toEqual(types);
  });

  it('gives the answer as it is, but for a name that the configuration wants there', () => {
    const codec = followUpCodec(read('retrieve'));
    const body = encodeUtf8('{"object":"response","big":12345678901234567890, "model":"m-b"}');
    const plain = codec.decodeResponse(body, { renameModel: null, choices: 1 });
    expect([plain.body, plain.usage, plain.answerId]).toEqual([body, null, null]);
    const renamed = codec.decodeResponse(body, { renameModel: 'main', choices: 1 });
    expect(decodeUtf8(renamed.body)).toBe('{"object":"response","big":12345678901234567890, "model":"main"}');
    expect(renamed.edits).toEqual(['model_renamed']);
  });

  it('reads every 404 as one of the id', () => {
    const rows = followUpCodec(read('retrieve')).failureRows ?? [];
    expect(rows.map(({ effect }) => [effect.onward, effect.scope, effect.weight])).toEqual([
      ['stop', 'none', 0],
      ['stop', 'none', 0],
    ]);
  });

  it('only what changes something must not be sent twice', () => {
    const isOnce = (kind: FollowUpKind) => followUpCodec(read(kind)).encodeRequest({} as never, {} as never).isOnce;
    expect((['retrieve', 'list_items', 'cancel', 'remove'] as const).map(isOnce)).toEqual([false, false, true, true]);
  });

  it('tells a failure behind the event that the client has, under the id that it asked for', () => {
    const codec = followUpCodec(
      read('retrieve', [
        ['stream', 'true'],
        ['starting_after', '41'],
      ]),
    );
    const told = decodeUtf8(codec.encodeStreamError(clientError('upstream_error'), { requestId: 'r', sequence: null }));
    expect(told).toContain('"sequence_number":42');
    expect(told).toContain('"id":"resp_1"');
  });

  // The API names no event for a response that was cancelled.
  it.each([
    ['failed', 'response.failed'],
    ['cancelled', 'response.incomplete'],
  ])('a response that came to nothing (%s) is one last event, %s', (status, type) => {
    const codec = followUpCodec(read('retrieve', [['stream', 'true']]));
    const stored = response({ status, error: { code: 'x', message: 'y' } });
    const frames = codec.streamFromResponse(encodeUtf8(JSON.stringify(stored)), {
      usageAsked: true,
      renameModel: null,
    });
    expect(frames.map(({ bytes }) => decodeUtf8(bytes))).toEqual([
      `event: ${type}\ndata: {"type":"${type}","sequence_number":0,"response":${JSON.stringify(stored)}}\n\n`,
    ]);
    expect(judge('retrieve', response({ output: [message('x')] }), [['stream', 'true']])).toEqual(['error']);
  });
});
