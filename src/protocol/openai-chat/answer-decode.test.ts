import { describe, expect, it } from 'vitest';
import { call, chunk, DONE, delta, STOP } from '../../../test/kit/chat-stream.ts';
import type { AnswerEvent } from '../../core/model/answer.ts';
import { encodeUtf8 } from '../json/index.ts';
import { translation } from './translation.ts';

function decode(...frames: readonly string[]): readonly AnswerEvent[] {
  const decoder = translation.createAnswerDecoder();
  return [...frames.flatMap((frame) => decoder.push(encodeUtf8(frame))), ...decoder.end()];
}

/** One line for each event, the frame of the answer left out. */
const told = (events: readonly AnswerEvent[]): readonly string[] =>
  events.map(lineOf).filter((line) => line !== 'start' && line !== 'end');

function lineOf(event: AnswerEvent): string {
  switch (event.type) {
    case 'start':
    case 'end':
      return event.type;
    case 'block_start': {
      const { type, ...rest } = event.content;
      return `${event.block} ${type}${Object.keys(rest).length === 0 ? '' : ` ${JSON.stringify(rest)}`}`;
    }
    case 'delta':
      return `${event.block} + ${event.text}`;
    case 'state':
      return `${event.block} state ${event.state.value}`;
    case 'block_end':
      return `${event.block} end`;
    case 'finish':
      return `finish ${event.choice} ${event.reason} ${event.raw}`;
    case 'citation':
    case 'logprobs':
    case 'usage':
      return `${event.type} ${JSON.stringify(event)}`;
  }
}

const fn = (index: number, rest: object, id?: string): object => ({
  index,
  ...(id === undefined ? {} : { id, type: 'function' }),
  function: rest,
});
const CALL = '{"kind":"function","id":"a","name":"f"}';

describe('streams', () => {
  it.each<[string, string[], string[]]>([
    [
      'words',
      [delta({ role: 'assistant', content: '' }), delta({ content: 'a' }), delta({ content: 'b' }), STOP],
      ['0 text', '0 + a', '0 + b', '0 end', 'finish 0 stop stop'],
    ],
    ['nothing', [], []],
    ['no finish', [delta({ content: 'a' })], ['0 text', '0 + a', '0 end', 'finish 0 stop null']],
    [
      'thoughts before words',
      [
        delta({ reasoning_content: 'h' }),
        delta({ reasoning_content: 'm' }),
        delta({ content: 'a', reasoning_content: null }),
        STOP,
      ],
      [
        '0 reasoning {"isSummary":false}',
        '0 + h',
        '0 + m',
        '0 state {"reasoning_content":null}',
        '0 end',
        '1 text',
        '1 + a',
        '1 end',
        'finish 0 stop stop',
      ],
    ],
    [
      'thoughts under two names, with details in pieces',
      [
        delta({ reasoning: 'h', reasoning_details: [{ type: 'reasoning.text', text: 'h', index: 0 }] }),
        delta({ reasoning: 'm', reasoning_details: [{ type: 'reasoning.text', text: 'm', index: 0 }] }),
        delta({ reasoning_details: [{ type: 'reasoning.text', signature: 's', index: 0 }] }),
        delta({ content: 'a' }),
        STOP,
      ],
      [
        '0 reasoning {"isSummary":false}',
        '0 + h',
        '0 + m',
        '0 state {"reasoning":null,"reasoning_details":[{"type":"reasoning.text","text":"hm","index":0,"signature":"s"}]}',
        '0 end',
        '1 text',
        '1 + a',
        '1 end',
        'finish 0 stop stop',
      ],
    ],
    [
      'a call whose name comes behind its arguments',
      [
        delta({ tool_calls: [fn(0, { arguments: '{"x"' }, 'a')] }),
        delta({ tool_calls: [fn(0, { name: 'f' })] }),
        delta({ tool_calls: [fn(0, { arguments: ':1}' })] }),
        STOP,
      ],
      [`0 tool_call ${CALL}`, '0 + {"x"', '0 + :1}', '0 end', 'finish 0 tool_calls stop'],
    ],
    [
      'a call in pieces, its name too',
      [
        call(fn(0, { name: 'f' }, 'a')),
        call(fn(0, { name: '_2' })),
        call(fn(0, { arguments: '{"x"' })),
        call(fn(0, { arguments: ':1}' })),
        delta({}, 'tool_calls'),
      ],
      [
        '0 tool_call {"kind":"function","id":"a","name":"f_2"}',
        '0 + {"x"',
        '0 + :1}',
        '0 end',
        'finish 0 tool_calls tool_calls',
      ],
    ],
    [
      'calls side by side, one without input, under the wrong word',
      [
        call(fn(0, { name: 'f', arguments: '' }, 'a')),
        call(fn(1, { name: 'g', arguments: '{' }, 'b')),
        call(fn(1, { arguments: '}' })),
        STOP,
      ],
      [
        `0 tool_call ${CALL}`,
        '1 tool_call {"kind":"function","id":"b","name":"g"}',
        '1 + {',
        '1 + }',
        '0 + {}',
        '0 end',
        '1 end',
        'finish 0 tool_calls stop',
      ],
    ],
    [
      'a call that is whole ends before words',
      [call(fn(0, { name: 'f', arguments: '{}' }, 'a')), delta({ content: 'x' }), STOP],
      [`0 tool_call ${CALL}`, '0 + {}', '0 end', '1 text', '1 + x', '1 end', 'finish 0 tool_calls stop'],
    ],
    [
      'arguments as an object, and no index',
      [call({ id: 'a', type: 'function', function: { name: 'f', arguments: { n: 1 } } }), delta({}, 'tool_calls')],
      [`0 tool_call ${CALL}`, '0 + {"n":1}', '0 end', 'finish 0 tool_calls tool_calls'],
    ],
    [
      'two calls of one index',
      [
        call(fn(0, { name: 'f', arguments: '{}' }, 'a')),
        call(fn(0, { name: 'g', arguments: '{}' }, 'b')),
        delta({}, 'tool_calls'),
      ],
      [
        `0 tool_call ${CALL}`,
        '0 + {}',
        '0 end',
        '1 tool_call {"kind":"function","id":"b","name":"g"}',
        '1 + {}',
        '1 end',
        'finish 0 tool_calls tool_calls',
      ],
    ],
    [
      'a custom call',
      [
        call({ index: 0, id: 'a', type: 'custom', custom: { name: 'f', input: 'x' } }),
        call({ index: 0, custom: { input: 'y' } }),
        delta({}, 'tool_calls'),
      ],
      [
        '0 tool_call {"kind":"custom","id":"a","name":"f"}',
        '0 + x',
        '0 + y',
        '0 end',
        'finish 0 tool_calls tool_calls',
      ],
    ],
    [
      'a signature of a call',
      [
        call({
          ...fn(0, { name: 'f', arguments: '{}' }, 'a'),
          extra_content: { google: { thought_signature: 'sig' } },
        }),
        STOP,
      ],
      [`0 tool_call ${CALL}`, '0 + {}', '0 state sig', '0 end', 'finish 0 tool_calls stop'],
    ],
    [
      'content in parts',
      [
        delta({
          content: [
            { type: 'thinking', thinking: [{ type: 'text', text: 'h' }] },
            { type: 'text', text: 'a' },
          ],
        }),
        STOP,
      ],
      ['0 reasoning {"isSummary":false}', '0 + h', '0 end', '1 text', '1 + a', '1 end', 'finish 0 stop stop'],
    ],
    [
      'images, those by address too',
      [
        delta({
          images: [
            { type: 'image_url', image_url: { url: 'data:image/png;base64,AA' } },
            { type: 'image_url', image_url: { url: 'u' } },
          ],
        }),
        STOP,
      ],
      [
        '0 image {"data":"AA","mediaType":"image/png"}',
        '0 end',
        '1 native {"protocol":"openai-chat","what":"image_url","value":{"type":"image_url","image_url":{"url":"u"}}}',
        '1 end',
        'finish 0 stop stop',
      ],
    ],
    [
      'a sound in pieces',
      [
        delta({ audio: { id: 'x', transcript: 'a' } }),
        delta({ audio: { data: 'UklGR' } }),
        delta({ audio: { data: 'AAA', transcript: 'b' } }),
        STOP,
      ],
      ['0 audio {"data":"UklGRAAA","mediaType":"audio/wav","transcript":"ab"}', '0 end', 'finish 0 stop stop'],
    ],
    [
      'a snapshot behind its pieces',
      [delta({ content: 'a' }), chunk({}, [{ index: 0, message: { content: 'a' }, finish_reason: 'stop' }])],
      ['0 text', '0 + a', '0 end', 'finish 0 stop stop'],
    ],
    [
      'a snapshot alone',
      [chunk({}, [{ index: 0, message: { content: 'a' }, finish_reason: 'stop' }])],
      ['0 text', '0 + a', '0 end', 'finish 0 stop stop'],
    ],
    [
      'what comes behind the finish',
      [delta({ content: 'a' }), STOP, delta({ content: 'b' })],
      ['0 text', '0 + a', '0 end', 'finish 0 stop stop'],
    ],
    [
      'choices',
      [delta({ content: 'a' }, null, 1), delta({ content: 'b' }), delta({}, 'length', 1), STOP],
      ['0 text', '0 + a', '1 text', '1 + b', '0 end', 'finish 1 length length', '1 end', 'finish 0 stop stop'],
    ],
  ])('%s', (_what, frames, expected) => {
    expect(told(decode(...frames, DONE))).toEqual(expected);
  });

  it('starts with the first chunk that tells who answers', () => {
    const preamble = 'data: {"id":"","object":"","created":0,"model":"","choices":[],"prompt_filter_results":[]}\n\n';
    const [start] = decode(preamble, chunk({ service_tier: 'flex' }, [{ index: 0, delta: { content: 'a' } }]));
    expect(start).toEqual({ type: 'start', id: 'c1', model: 'm', createdAt: 1000, serviceTier: 'flex' });
    expect(decode()).toEqual([{ type: 'start', id: null, model: null, createdAt: null }, { type: 'end' }]);
  });

  it('gives the older call an id, the same each time', () => {
    const frames = [
      delta({ function_call: { name: 'f', arguments: '{' } }),
      delta({ function_call: { arguments: '}' } }),
      delta({}, 'function_call'),
    ];
    const events = decode(...frames);
    expect(told(events).slice(1)).toEqual(['0 + {', '0 + }', '0 end', 'finish 0 tool_calls function_call']);
    expect(events[1]).toMatchObject({ content: { id: expect.stringMatching(/^call_/), name: 'f' } });
    expect(decode(...frames)).toEqual(events);
  });

  it('keeps numbers that doubles can not hold', () => {
    const frame =
      'data: {"id":"c","choices":[{"index":0,"delta":{"tool_calls":[{"index":0,"id":"a","function":{"name":"f","arguments":{"n":12345678901234567890}}}]},"finish_reason":"tool_calls"}]}\n\n';
    expect(told(decode(frame))).toContain('0 + {"n":12345678901234567890}');
  });

  it('tells usage once, in any place', () => {
    const usage = { prompt_tokens: 3, completion_tokens: 2, prompt_tokens_details: { cached_tokens: 1 } };
    const events = decode(
      chunk({ usage }),
      chunk({ usage }),
      chunk({ x_groq: { usage: { ...usage, completion_tokens: 4 } } }),
    );
    expect(events.flatMap((event) => (event.type === 'usage' ? [event.usage.outputTokens] : []))).toEqual([2, 4]);
  });
});

describe('JSON', () => {
  it('is read as one piece for each block, citations where their text is', () => {
    const annotation = {
      type: 'url_citation',
      url_citation: { start_index: 0, end_index: 1, url: 'u', title: 't', content: 'c' },
    };
    const message = {
      role: 'assistant',
      content: 'a',
      reasoning: 'h',
      annotations: [annotation],
      tool_calls: [fn(0, { name: 'f', arguments: '' }, 'a')],
    };
    const body = { id: 'x', created: 1, model: 'm', choices: [{ index: 0, message, finish_reason: 'stop' }] };
    const events = translation.readAnswer(encodeUtf8(JSON.stringify(body)));
    expect(told(events).map((line) => (line.startsWith('citation') ? 'citation' : line))).toEqual([
      '0 reasoning {"isSummary":false}',
      '0 + h',
      '0 state {"reasoning":null}',
      '0 end',
      '1 text',
      '1 + a',
      'citation',
      '1 end',
      `2 tool_call ${CALL}`,
      '2 + {}',
      '2 end',
      'finish 0 tool_calls stop',
    ]);
  });
});
