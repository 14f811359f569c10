import { describe, expect, it } from 'vitest';
import { call, DONE, delta, payloads, run, STOP, toolCalls } from '../../../test/kit/chat-stream.ts';

describe('tool calls', () => {
  const fn = (args: unknown, name?: string) => ({
    function: { ...(name === undefined ? {} : { name }), arguments: args },
  });

  it('come through as they are', () => {
    const stream =
      call({ index: 0, id: 'a', type: 'function', ...fn('', 'f') }) +
      call({ index: 1, id: 'b', type: 'function', ...fn('{"p":', 'g') }) +
      call({ index: 0, ...fn('{}') }) +
      call({ index: 1, ...fn('1}') }) +
      delta({}, 'tool_calls') +
      DONE;
    const { text, types, edits } = run(stream);
    expect(text).toBe(stream);
    expect(edits).toEqual([]);
    expect(types).toEqual([
      'tool_call',
      'tool_call',
      'tool_fragment',
      'tool_fragment',
      'tool_end',
      'finish:tool_calls',
      'done',
    ]);
  });

  it('get indices where there are none', () => {
    const { text, edits } = run(
      call({ id: 'a', ...fn('{}', 'f') }) + call({ id: 'b', ...fn('{"p":', 'g') }) + call(fn('1}')),
    );
    expect(toolCalls(text)).toMatchObject([{ index: 0, id: 'a' }, { index: 1, id: 'b' }, { index: 1 }]);
    expect(edits).toEqual(['tool_index_mended', 'tool_index_mended', 'tool_index_mended']);
  });

  it('get indices of their own where they share one', () => {
    const shared =
      call({ index: 0, id: 'a', ...fn('{}', 'f') }) +
      call({ index: 0, id: 'b', ...fn('{}', 'f') }) +
      call({ index: 0, ...fn(' ') });
    expect(toolCalls(run(shared).text)).toMatchObject([{ index: 0, id: 'a' }, { index: 1, id: 'b' }, { index: 1 }]);
    const whole = run(call(fn('{}', 'f'), fn('{}', 'g')));
    expect(toolCalls(whole.text)).toMatchObject([{ index: 0 }, { index: 1 }]);
  });

  it('get indices without holes, in the order of opening', () => {
    const stream =
      call({ index: 1, id: 'a', ...fn('{}', 'f') }) +
      call({ index: 0, id: 'b', ...fn('{}', 'g') }) +
      call({ id: 'c', ...fn('{}', 'h') });
    expect(toolCalls(run(stream).text)).toMatchObject([
      { index: 0, id: 'a' },
      { index: 1, id: 'b' },
      { index: 2, id: 'c' },
    ]);
  });

  it('go on while their arguments are not whole, whatever name comes with a piece', () => {
    const stream = call({ index: 0, id: 'a', ...fn('{"p":', 'f') }) + call({ index: 0, ...fn('1}', 'f') });
    const { text, types } = run(stream + delta({}, 'tool_calls') + DONE);
    expect(types.slice(0, 2)).toEqual(['tool_call', 'tool_fragment']);
    expect(toolCalls(text)).toMatchObject([{ index: 0 }, { index: 0 }]);
  });

  it('get an id where it is empty, missing or taken, the same each time', () => {
    const stream =
      call({ index: 0, id: '', ...fn('{}', 'f') }) +
      call({ index: 1, id: 'a', ...fn('{}', 'f') }) +
      call({ index: 2, id: 'a', ...fn('{}', 'g') });
    const ids = toolCalls(run(stream).text).map((item) => (item as { id: string }).id);
    expect(ids[0]).toMatch(/^call_[0-9a-f]{16}$/);
    expect(ids[1]).toBe('a');
    expect(new Set(ids).size).toBe(3);
    expect(toolCalls(run(stream).text)).toEqual(toolCalls(run([...stream]).text));
  });

  it('lose ids and names that pieces repeat, and keep empty ones', () => {
    const { text } = run(
      call({ index: 0, id: 'a', ...fn('{', 'f') }) +
        call({ index: 0, id: 'a', ...fn('}', 'f') }) +
        call({ index: 0, id: '', ...fn('', '') }),
    );
    expect(toolCalls(text)).toEqual([
      { index: 0, id: 'a', function: { name: 'f', arguments: '{' } },
      { index: 0, function: { arguments: '}' } },
      { index: 0, id: '', function: { name: '', arguments: '' } },
    ]);
  });

  it('may have their name in pieces', () => {
    const { types, edits } = run(
      call({ index: 0, id: 'a', ...fn('', 'get_') }) + call({ index: 0, ...fn('', 'weather') }),
    );
    expect(types).toEqual(['tool_call', 'tool_fragment']);
    expect(edits).toEqual([]);
  });

  it('get their arguments as text, number by number', () => {
    const { text, edits } = run(
      'data: {"choices":[{"index":0,"delta":{"tool_calls":[{"index":0,"id":"a","function":{"name":"f","arguments":{"n": 9007199254740993}}}]}}]}\n\n',
    );
    expect(toolCalls(text)).toEqual([
      { index: 0, id: 'a', function: { name: 'f', arguments: '{"n": 9007199254740993}' } },
    ]);
    expect(edits).toEqual(['tool_arguments_mended']);
  });

  it('make stop tool_calls when they are whole', () => {
    const whole = run(call({ index: 0, id: 'a', ...fn('{}', 'f') }) + STOP + DONE);
    expect(whole.types).toEqual(['tool_call', 'tool_end', 'finish:tool_calls', 'done']);
    expect(whole.edits).toEqual(['finish_reason_mended']);
    expect(payloads(whole.text)[1]?.choices[0]?.finish_reason).toBe('tool_calls');
    const broken = run(call({ index: 0, id: 'a', ...fn('{"p', 'f') }) + STOP + DONE);
    expect(broken.types).toEqual(['tool_call', 'tool_end', 'finish:stop', 'done']);
  });

  it('end with the mark only when they are whole', () => {
    const whole = run(call({ index: 0, id: 'a', ...fn('{"p":1}', 'f') }) + DONE);
    expect(whole.types).toEqual(['tool_call', 'tool_end', 'finish:tool_calls', 'done']);
    const cut = run(call({ index: 0, id: 'a', ...fn('{"p":', 'f') }) + DONE);
    expect(cut.types).toEqual(['tool_call', 'cut']);
    expect(cut.text).not.toContain('[DONE]');
  });

  it.each([
    ['by a finish reason', delta({}, 'tool_calls'), ['finish:bad_generation']],
    ['by one that contradicts them', STOP, ['finish:bad_generation']],
    ['by the mark alone', '', ['cut']],
  ])('without a name are broken once the answer ends %s', (_, finish, end) => {
    const nameless = run(call({ index: 0, id: 'a', ...fn('{"p":1}') }) + finish + DONE);
    expect(nameless.types.slice(0, 2)).toEqual(['tool_fragment', ...end]);
    const older = run(delta({ function_call: { arguments: '{"p":1}' } }) + finish + DONE);
    expect(older.types.slice(0, 2)).toEqual(['tool_fragment', ...end]);
  });

  const custom = (id: string, tool: object) => ({ id, type: 'custom', custom: tool });

  it.each<[string, object[]]>([
    ['with blanks for a name', [{ index: 0, id: 'a', ...fn('{}', '  ') }]],
    ['without arguments, where none has a name', [{ index: 0, id: 'a', ...fn('') }]],
    ['of a custom tool', [{ index: 0, ...custom('a', { input: 'ls' }) }]],
    [
      'of a custom tool beside a function',
      [
        { index: 0, id: 'b', ...fn('{}', 'f') },
        { index: 1, ...custom('a', { input: 'ls' }) },
      ],
    ],
  ])('without a name are broken: %s', (_, calls) => {
    for (const word of ['tool_calls', 'stop', 'word_of_tomorrow'])
      expect(run(call(...calls) + delta({}, word) + DONE).types).toContain('finish:bad_generation');
  });

  it('without a name and without arguments say nothing beside others, and a short answer is none that is broken', () => {
    const named = call({ index: 0, id: 'a', ...fn('{}', 'f') });
    expect(run(named + call({ index: 1, ...fn('') }) + delta({}, 'tool_calls') + DONE).types).toContain(
      'finish:tool_calls',
    );
    expect(run(call({ index: 0, id: 'a', ...fn('{"p') }) + delta({}, 'length') + DONE).types).toContain(
      'finish:length',
    );
  });

  const blank = { index: 0, id: '', type: 'function', ...fn('', '') };
  const text = delta({ content: 'x' });

  it.each<[string, string, string]>([
    ['behind a whole answer', call(blank) + STOP, STOP],
    ['with an id', call({ ...blank, id: 'a' }) + call({ index: 0, ...fn(' ') }) + STOP, STOP],
    ['without an index', call({ function: {} }, {}) + STOP, STOP],
    ['where nothing says how it ended', call(blank), STOP],
    ['in the chunk of the end', delta({ tool_calls: [blank] }, 'stop'), STOP],
    ['beside text', delta({ content: 'y', tool_calls: [blank] }) + STOP, delta({ content: 'y' }) + STOP],
    ['of the older kind', delta({ function_call: { name: '', arguments: '' } }) + STOP, STOP],
    [
      'beside another call',
      call(blank, { index: 1, id: 'b', ...fn('{}', 'f') }) + delta({}, 'tool_calls'),
      call({ index: 0, id: 'b', ...fn('{}', 'f') }) + delta({}, 'tool_calls'),
    ],
    ['whatever is told of their end', call(blank) + delta({}, 'tool_calls'), STOP],
    [
      'of the older kind, whatever is told of their end',
      delta({ function_call: { name: ' ' } }) + delta({}, 'function_call'),
      STOP,
    ],
    [
      'of the older kind, beside a call',
      delta({ function_call: {} }) + call({ index: 0, id: 'b', ...fn('{}', 'f') }) + delta({}, 'function_call'),
      call({ index: 0, id: 'b', ...fn('{}', 'f') }) + delta({}, 'tool_calls'),
    ],
    ['with an empty object', call({ ...blank, ...fn(' { } ') }, { index: 1, ...fn([]) }) + STOP, STOP],
    ['with an empty object in pieces', call({ ...blank, ...fn('{') }) + call({ index: 0, ...fn('\n}') }) + STOP, STOP],
    ['of the older kind, with an empty object', delta({ function_call: { arguments: {} } }) + STOP, STOP],
    [
      'with an empty object behind whole arguments',
      call({ index: 0, id: 'b', ...fn('{"p":1}', 'f') }) + call(fn('{}')) + delta({}, 'tool_calls'),
      call({ index: 0, id: 'b', ...fn('{"p":1}', 'f') }) + delta({}, 'tool_calls'),
    ],
    ['that are no objects', delta({ tool_calls: [null, 5] }) + STOP, STOP],
  ])('that say nothing are left out: %s', (_, sent, got) => {
    const { text: seen, edits, types } = run(text + sent + DONE);
    expect(payloads(seen).map(({ choices }) => choices)).toEqual(payloads(text + got + DONE).map((p) => p.choices));
    expect(edits).toContain('noise_left_out');
    expect(types.at(-2)).toMatch(/^finish:(stop|tool_calls)$/);
  });

  it('that say nothing at all break an answer that has nothing else', () => {
    for (const sent of [call(blank), delta({ function_call: { name: '' } })]) {
      expect(run(delta({ role: 'assistant' }) + sent + STOP).types).toContain('finish:bad_generation');
      expect(run(delta({ role: 'assistant' }) + sent + DONE).types).toContain('cut');
    }
  });

  it('begin with what speaks first, and have the id and the type that came before', () => {
    const seen = (...pieces: object[]) => toolCalls(run(pieces.map((piece) => call(piece)).join('') + STOP).text);
    const opening = { index: 0, id: 'a', type: 'function' };
    expect(seen(opening, { index: 0, id: 'a', ...fn('') }, { index: 0, ...fn('{}', 'f') })).toEqual([
      { index: 0, ...fn('{}', 'f'), id: 'a', type: 'function' },
    ]);
    expect(seen({ id: 'a', ...fn('{}', 'f') }, { id: 'b' }, fn('{}', 'g'))).toMatchObject([
      { index: 0, id: 'a' },
      { index: 1, id: 'b', function: { name: 'g' } },
    ]);
  });

  it.each<[string, object[], object[]]>([
    [
      'an index only first',
      [{ index: 0, id: 'a', type: 'function', function: { name: '' } }, fn('{', 'f'), { index: 0, ...fn('}') }],
      [
        { index: 0, id: 'a', type: 'function', ...fn('{', 'f') },
        { index: 0, ...fn('}') },
      ],
    ],
    [
      'an index only later',
      [{ id: 'a', type: 'function' }, { index: 3, ...fn('{', 'f') }, fn('}')],
      [
        { index: 0, id: 'a', type: 'function', ...fn('{', 'f') },
        { index: 0, ...fn('}') },
      ],
    ],
    [
      'members that nobody knows',
      [
        { index: 0, id: 'a', extra_content: { google: { thought_signature: 's' }, x: 1 }, function: { strict: true } },
        { index: 0, later: [1] },
        { index: 0, extra_content: { x: 2 }, ...fn('{}', 'f') },
      ],
      [
        {
          index: 0,
          id: 'a',
          extra_content: { x: 2, google: { thought_signature: 's' } },
          later: [1],
          function: { name: 'f', arguments: '{}', strict: true },
        },
      ],
    ],
    [
      'an empty object first',
      [
        { index: 0, id: 'a', ...fn('{}') },
        { index: 0, ...fn('', 'f') },
      ],
      [{ index: 0, id: 'a', ...fn('{}', 'f') }],
    ],
    [
      'an empty object first, and then others',
      [
        { index: 0, id: 'a', ...fn({}) },
        { index: 0, ...fn('{"p":1}', 'f') },
      ],
      [{ index: 0, id: 'a', ...fn('{"p":1}', 'f') }],
    ],
    [
      'half an object first',
      [
        { index: 0, id: 'a', ...fn('{') },
        { index: 0, ...fn('"p":1}', 'f') },
      ],
      [{ index: 0, id: 'a', ...fn('{"p":1}', 'f') }],
    ],
    [
      'blanks for a name first',
      [
        { index: 0, id: 'a', ...fn(' ', ' ') },
        { index: 0, ...fn('{}', 'f') },
      ],
      [{ index: 0, id: 'a', ...fn('{}', 'f') }],
    ],
    [
      'blanks for a name later',
      [
        { index: 0, id: 'a', ...fn('', 'f') },
        { index: 0, ...fn('{}', ' ') },
      ],
      [
        { index: 0, id: 'a', ...fn('', 'f') },
        { index: 0, ...fn('{}', '') },
      ],
    ],
    [
      'another one in front that says nothing',
      [{ id: 'x', ...fn('') }, { id: 'a', ...fn('', 'f') }, fn('{"p"'), fn(':1}')],
      [
        { index: 0, id: 'a', ...fn('', 'f') },
        { index: 0, ...fn('{"p"') },
        { index: 0, ...fn(':1}') },
      ],
    ],
    [
      'another one in front that has no index either',
      [{ id: 'x' }, { id: 'a' }, fn('{}', 'f')],
      [{ index: 0, id: 'a', ...fn('{}', 'f') }],
    ],
    [
      'another one within that says nothing',
      [{ id: 'a', ...fn('{"p"', 'f') }, { id: 'x' }, fn(':1}')],
      [
        { index: 0, id: 'a', ...fn('{"p"', 'f') },
        { index: 0, ...fn(':1}') },
      ],
    ],
    [
      'others between that say nothing',
      [
        { index: 0, id: 'a', ...fn('{}', 'f') },
        { index: 1, id: 'x' },
        { index: 2, id: 'b', ...fn('{}', 'g') },
      ],
      [
        { index: 0, id: 'a', ...fn('{}', 'f') },
        { index: 1, id: 'b', ...fn('{}', 'g') },
      ],
    ],
    [
      'another id than the one that said nothing',
      [
        { index: 0, id: 'x', signature: 's' },
        { index: 0, id: 'a', ...fn('{}', 'f') },
      ],
      [{ index: 0, id: 'a', ...fn('{}', 'f') }],
    ],
  ])('come whole with %s', (_, sent, got) => {
    const { text: seen, types } = run(sent.map((piece) => call(piece)).join('') + delta({}, 'tool_calls') + DONE);
    expect(toolCalls(seen)).toEqual(got);
    expect(types.at(-2)).toBe('finish:tool_calls');
  });

  it('have what the older kind told first', () => {
    const { text: seen } = run(
      delta({ function_call: { arguments: '{', x: 1 } }) +
        delta({ function_call: { name: 'f', arguments: '}' } }) +
        delta({}, 'function_call') +
        DONE,
    );
    expect(payloads(seen)[0]?.choices[0]?.delta).toEqual({ function_call: { name: 'f', arguments: '{}', x: 1 } });
  });

  it('are broken where half an object is all that came', () => {
    for (const sent of [call({ index: 0, id: 'a', ...fn('{') }), delta({ function_call: { arguments: '[' } })])
      expect(run(text + sent + STOP).types).toContain('finish:bad_generation');
  });

  it('are still to come where one was opened: what is broken then is never dropped', () => {
    const { types } = run(`${text + call({ index: 0, id: 'a' })}data: {"choices\n\n`, { onMalformed: 'drop' });
    expect(types).toContain('malformed');
  });

  it('that are broken in one choice break the answer', () => {
    const nameless = delta({ tool_calls: [{ index: 0, id: 'a', ...fn('{}') }] }, 'tool_calls', 1);
    const { types } = run(delta({ content: 'x' }, 'stop') + nameless + DONE, { choices: 2 });
    expect(types).toContain('finish:bad_generation');
  });

  it('may be of another type than a function', () => {
    const custom = call({ index: 0, id: 'a', type: 'custom', custom: { name: 'patch', input: '*** Begin' } });
    const later = call({ index: 1, id: 'b', type: 'of_tomorrow', of_tomorrow: { tool: 'x', arguments: '{' } });
    const { types, text } = run(custom + later + delta({}, 'tool_calls') + DONE);
    expect(types).toEqual(['tool_call', 'tool_call', 'tool_end', 'finish:tool_calls', 'done']);
    expect(text).toBe(custom + later + delta({}, 'tool_calls') + DONE);
  });
});
