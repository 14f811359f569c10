import { describe, expect, it } from 'vitest';
import { growth } from '../../../test/kit/growth.ts';
import {
  added,
  CREATED,
  call,
  completed,
  delta,
  done,
  event,
  incomplete,
  message,
  OPENED,
  textDone,
} from '../../../test/kit/responses-stream.ts';
import type { AnswerEvent } from '../../core/model/answer.ts';
import { encodeUtf8 } from '../json/index.ts';
import { translation } from './translation.ts';

function read(...frames: string[]): AnswerEvent[] {
  const decoder = translation.createAnswerDecoder();
  return [...decoder.push(encodeUtf8(frames.join(''))), ...decoder.end()];
}

/** The blocks of an answer in short: what each began with, its text, and what else came of it. */
function blocks(events: readonly AnswerEvent[]): unknown[] {
  const list: { content: unknown; text: string; more: string[] }[] = [];
  for (const item of events) {
    if (item.type === 'block_start') list[item.block] = { content: item.content, text: '', more: [] };
    else if (item.type === 'delta') (list[item.block] as { text: string }).text += `${item.section ?? ''}${item.text}`;
    else if ('block' in item) list[item.block]?.more.push(item.type);
  }
  return list.map(({ content, text, more }) => [content, text, more.join(' ')]);
}

const finish = (events: readonly AnswerEvent[]): unknown => events.find(({ type }) => type === 'finish');
const TEXT = { type: 'text' };
const CALL = { type: 'tool_call', kind: 'function', id: 'call_1', name: 'pay' };
const args = (text: string, rest: object = {}): string =>
  event('response.function_call_arguments.delta', { item_id: 'fc_1', output_index: 0, delta: text, ...rest });
const part = (verb: string, shown: object, at = 0): string =>
  event(`response.content_part.${verb}`, { item_id: 'msg_1', output_index: 0, content_index: at, part: shown });

describe('an answer is said once', () => {
  it.each<[string, string[], unknown[]]>([
    [
      'where every snapshot repeats it',
      [
        CREATED,
        OPENED,
        part('added', { type: 'output_text', text: '' }),
        delta('a'),
        delta('b'),
        textDone('ab'),
        part('done', { type: 'output_text', text: 'ab' }),
        done(message('ab')),
        completed([message('ab')]),
      ],
      [[TEXT, 'ab', 'block_end']],
    ],
    [
      'where only the response tells it, under other ids and in another order',
      [
        CREATED,
        added(call('')),
        added(call('', { id: 'fc_2', call_id: 'call_2' }), 1),
        completed([call('{"n":2}', { id: 'fc_8', call_id: 'call_2' }), call('{"n":1}', { id: 'fc_9' })]),
      ],
      [
        [CALL, '{"n":1}', 'block_end'],
        [{ ...CALL, id: 'call_2' }, '{"n":2}', 'block_end'],
      ],
    ],
    [
      'where the response gives its items other ids, in another order',
      [
        CREATED,
        OPENED,
        delta('a'),
        done(message('a')),
        added(call(''), 1),
        done(call(), 1),
        completed([call('{"n":1}', { id: 'fc_9' }), message('a', 'msg_9')]),
      ],
      [
        [TEXT, 'a', 'block_end'],
        [CALL, '{"n":1}', 'block_end'],
      ],
    ],
    [
      'where only the end of its item tells it',
      [CREATED, OPENED, done(message('ab')), completed()],
      [[TEXT, 'ab', 'block_end']],
    ],
    [
      'where only the end of its text tells it',
      [CREATED, OPENED, textDone('ab'), completed()],
      [[TEXT, 'ab', 'block_end']],
    ],
    ['where only the response tells it', [CREATED, completed([message('ab')])], [[TEXT, 'ab', 'block_end']]],
    [
      'where a snapshot knows more than the deltas',
      [CREATED, OPENED, delta('a'), done(message('abc')), completed([message('abc')])],
      [[TEXT, 'abc', 'block_end']],
    ],
    [
      'where a snapshot says something else',
      [CREATED, OPENED, delta('a'), done(message('xyz')), completed([message('xyz')])],
      [[TEXT, 'a', 'block_end']],
    ],
    ['without an opened item', [CREATED, delta('a'), completed([message('a')])], [[TEXT, 'a', 'block_end']]],
    [
      'where ids change from event to event',
      [CREATED, OPENED, delta('a', { item_id: 'x' }), done(message('a', 'y')), completed([message('a', 'z')])],
      [[TEXT, 'a', 'block_end']],
    ],
    [
      'where no place is told',
      [
        CREATED,
        event('response.output_item.added', { item: message('', 'msg_1') }),
        event('response.output_text.delta', { item_id: 'msg_1', delta: 'a' }),
        event('response.output_item.done', { item: message('a', 'msg_1') }),
        event('response.output_item.added', { item: call('') }),
        event('response.function_call_arguments.delta', { item_id: 'fc_1', delta: '{"n":1}' }),
        event('response.output_item.done', { item: call() }),
        completed([message('a'), call()]),
      ],
      [
        [TEXT, 'a', 'block_end'],
        [CALL, '{"n":1}', 'block_end'],
      ],
    ],
    [
      'of a call, by deltas',
      [CREATED, added(call('')), args('{"n"'), args(':1}'), done(call()), completed([call()])],
      [[CALL, '{"n":1}', 'block_end']],
    ],
    ['of a call, by its end', [CREATED, added(call('')), done(call()), completed()], [[CALL, '{"n":1}', 'block_end']]],
    [
      'of a call whose arguments are an object',
      [CREATED, added(call('')), done(call('', { arguments: { n: 1 } })), completed()],
      [[CALL, '{"n":1}', 'block_end']],
    ],
    [
      'of a call without arguments',
      [CREATED, added(call('')), done(call('')), completed()],
      [[CALL, '{}', 'block_end']],
    ],
    [
      'of a call whose name comes late',
      [CREATED, added(call('', { name: '' })), args('{"n":'), args('1}'), done(call()), completed()],
      [[CALL, '{"n":1}', 'block_end']],
    ],
    [
      'of a call that was cut',
      [CREATED, added(call('')), args('{"n'), incomplete('max_output_tokens', [call('{"n', { status: 'incomplete' })])],
      [[CALL, '{"n', 'block_end']],
    ],
    [
      'of a custom call',
      [
        CREATED,
        added({ type: 'custom_tool_call', id: 'ctc_1', call_id: 'c', name: 'p', input: '', namespace: 'n' }),
        event('response.custom_tool_call_input.delta', { output_index: 0, delta: 'x' }),
        event('response.custom_tool_call_input.done', { output_index: 0, input: 'xy' }),
        completed(),
      ],
      [[{ type: 'tool_call', kind: 'custom', id: 'c', name: 'p', namespace: 'n' }, 'xy', 'block_end']],
    ],
    [
      'of thoughts in sections, with their seal',
      [
        CREATED,
        added({ type: 'reasoning', id: 'rs_1', summary: [], encrypted_content: 'half' }),
        event('response.reasoning_summary_part.added', {
          output_index: 0,
          summary_index: 0,
          part: { type: 'summary_text', text: '' },
        }),
        event('response.reasoning_summary_text.delta', { output_index: 0, summary_index: 0, delta: 'a' }),
        event('response.reasoning_summary_text.done', { output_index: 0, summary_index: 1, text: 'b' }),
        done({
          type: 'reasoning',
          id: 'rs_1',
          summary: [
            { type: 'summary_text', text: 'a' },
            { type: 'summary_text', text: 'b' },
          ],
          encrypted_content: 'whole',
        }),
        completed(),
      ],
      [[{ type: 'reasoning', isSummary: true }, '0a1b', 'state block_end']],
    ],
    [
      'of what a tool of the provider did',
      [
        CREATED,
        added({ type: 'web_search_call', id: 'ws_1', status: 'in_progress' }),
        event('response.web_search_call.searching', { output_index: 0 }),
        done({ type: 'web_search_call', id: 'ws_1', x: null }),
        completed(),
      ],
      [
        [
          {
            type: 'native',
            protocol: 'openai-responses',
            what: 'web_search_call',
            value: { type: 'web_search_call', id: 'ws_1', x: null },
          },
          '',
          'block_end',
        ],
      ],
    ],
    [
      'of citations and refusals',
      [
        CREATED,
        OPENED,
        delta('a'),
        event('response.output_text.annotation.added', {
          output_index: 0,
          content_index: 0,
          annotation_index: 0,
          annotation: { type: 'url_citation', url: 'u' },
        }),
        event('response.refusal.delta', { output_index: 0, content_index: 1, delta: 'no' }),
        done({
          ...message('a'),
          content: [
            {
              type: 'output_text',
              text: 'a',
              annotations: [
                { type: 'url_citation', url: 'u' },
                { type: 'url_citation', url: 'v' },
              ],
            },
            { type: 'refusal', refusal: 'no' },
          ],
        }),
        completed(),
      ],
      [
        [TEXT, 'a', 'citation block_end'],
        [{ type: 'refusal' }, 'no', 'block_end'],
      ],
    ],
  ])('%s', (_name, frames, expected) => {
    const events = read(...frames);
    expect(blocks(events)).toEqual(expected);
    expect(events.filter(({ type }) => type === 'start' || type === 'end')).toHaveLength(2);
    expect(events.at(-1)).toEqual({ type: 'end' });
  });
});

describe('the end of an answer', () => {
  it.each<[string, string[], unknown]>([
    ['words', [completed([message('a')])], { reason: 'stop', raw: 'completed' }],
    ['a call', [completed([call()])], { reason: 'tool_calls', raw: 'completed' }],
    [
      'a call of a tool without a name',
      [completed([{ type: 'local_shell_call', id: 'x', call_id: 'c' }])],
      { reason: 'tool_calls', raw: 'completed' },
    ],
    ['too many tokens', [incomplete('max_output_tokens')], { reason: 'length', raw: 'max_output_tokens' }],
    ['a filter', [incomplete('content_filter')], { reason: 'content_filter', raw: 'content_filter' }],
    ['nothing', [], { reason: 'unknown', raw: null }],
  ])('%s', (_name, frames, expected) => {
    expect(finish(read(CREATED, ...frames))).toEqual({ type: 'finish', choice: 0, ...(expected as object) });
  });

  it('frames may come in pieces, or several together', () => {
    const text = `: hi\n\n${CREATED}${OPENED}${delta('a')}data: [DONE]\n\n${completed()}`;
    const decoder = translation.createAnswerDecoder();
    const events = text.split('').flatMap((char) => [...decoder.push(encodeUtf8(char))]);
    expect([...events, ...decoder.end()]).toEqual(read(text));
  });
});

it('a message costs what its parts cost, however many they are', () => {
  const reading = (length: number) => {
    const content = Array.from({ length }, () => ({ type: 'output_text', text: 'a' }));
    const shown = { type: 'message', id: 'msg_1', role: 'assistant', status: 'completed', content };
    const frames = [CREATED, OPENED, done(shown), completed([shown])];
    return () => read(...frames);
  };
  expect(growth(1000, reading)).toBeLessThan(40);
});

it.each([1e308, -1, 0, 'now'])('a time that is none is not told: %s', (time) => {
  const start = event('response.created', { response: { id: 'resp_1', created_at: time, output: [] } });
  expect(read(start)).toContainEqual({ type: 'start', id: 'resp_1', model: null, createdAt: null });
});
