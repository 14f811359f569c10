import { describe, expect, it } from 'vitest';
import type { AnswerEvent } from '../../src/core/model/answer.ts';
import { decodeUtf8 } from '../../src/protocol/json/index.ts';
import { translation } from '../../src/protocol/openai-responses/translation.ts';
import type { AnswerOptions } from '../../src/protocol/translation.ts';
import { payloads } from './responses-stream.ts';
import { responsesFaults } from './responses-validator.ts';

const OPTIONS: AnswerOptions = { model: 'v', usageAsked: true, createId: (prefix) => `${prefix}new`, now: 9_999 };
const TEXT = { type: 'text' };
const CALL = { type: 'tool_call', kind: 'function', id: 'call_1', name: 'pay' };

const encode = (...events: AnswerEvent[]): string => {
  const encoder = translation.createAnswerEncoder(OPTIONS);
  return events.map((one) => decodeUtf8(encoder.push([one]))).join('');
};
const begin = (block: number, content: object): AnswerEvent =>
  ({ type: 'block_start', block, choice: 0, content }) as AnswerEvent;
const say = (block: number, text: string, section?: number): AnswerEvent => ({
  type: 'delta',
  block,
  text,
  ...(section === undefined ? {} : { section }),
});
const stop = (block: number): AnswerEvent => ({ type: 'block_end', block });
const ended = (reason: string): AnswerEvent[] => [
  { type: 'finish', choice: 0, reason, raw: null } as AnswerEvent,
  { type: 'end' },
];

const types = (text: string): string[] => payloads(text).map(({ type }) => String(type).replace('response.', ''));
describe('the judge of streams', () => {
  const good = encode(
    begin(0, { type: 'reasoning', isSummary: true }),
    say(0, 'r', 0),
    stop(0),
    begin(1, TEXT),
    say(1, 'a'),
    {
      type: 'citation',
      block: 1,
      citation: { url: 'u', title: null, citedText: null, start: 0, end: 1, source: null },
    },
    stop(1),
    begin(2, CALL),
    say(2, '{}'),
    stop(2),
    ...ended('tool_calls'),
  );
  const frames = good.split('\n\n').slice(0, -1);
  const numbered = (list: readonly string[]): string =>
    list.map((frame, i) => `${frame.replace(/"sequence_number":\d+/, `"sequence_number":${i}`)}\n\n`).join('');

  it('finds no fault with a good one', () => {
    expect(responsesFaults(good)).toEqual([]);
  });

  it('misses every event that is left out', () => {
    for (const i of frames.keys()) {
      const kind = types(`${frames[i]}\n\n`)[0];
      expect(responsesFaults(numbered(frames.filter((_, at) => at !== i))), kind).not.toEqual([]);
    }
  });

  it('hears every event that comes twice', () => {
    for (const [i, frame] of frames.entries()) {
      expect(responsesFaults(numbered([...frames.slice(0, i), frame, ...frames.slice(i)])), frame).not.toEqual([]);
    }
  });

  it.each([
    ['"sequence_number":4', '"sequence_number":5'],
    ['"output_index":1', '"output_index":2'],
    ['"item_id":"msg_new"', '"item_id":"msg_x"'],
    ['"text":"a"', '"text":"b"'],
    ['"arguments":"{}"', '"arguments":"{ }"'],
    ['"id":"fc_new"', '"id":"call_new"'],
    ['event: response.created', 'event: response.queued'],
    ['"annotation_index":0', '"annotation_index":1'],
    ['"usage":null,"user"', '"usage":{"input_tokens":1},"user"'],
    ['"tool_choice":"auto",', ''],
    ['"status":"completed","background"', '"status":"failed","background"'],
  ])('sees %s changed to %s', (from, to) => {
    expect(good).toContain(from);
    expect(responsesFaults(good.replace(from, to))).not.toEqual([]);
  });
});
