import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { assertProperty } from '../../../test/kit/assert-property.ts';
import { readBehaviour, VOICED, viewOf } from '../../../test/kit/provider-bench.ts';
import type { Behaviour, Quirk } from '../scenario/scenario.ts';
import { createChance } from '../world/chance.ts';
import { playOf } from './index.ts';

const QUIRKS: readonly Quirk[] = [
  'crlf',
  'cr',
  'data_lines',
  'fields',
  'bom',
  'wide',
  'preamble',
  'late_start',
  'sealed',
  'no_finish',
  'empty_finish',
  'finish_with_word',
  'no_index',
  'blank_ids',
  'object_args',
  'usage_in_finish',
  'usage_bare',
  'usage_twice',
  'stray_stop',
];

const ms = fc.integer({ min: 0, max: 400 });

/** Whole answers of every make-up. */
const behaviours: fc.Arbitrary<Behaviour> = fc.record(
  {
    connectMs: ms,
    headMs: ms,
    words: fc.integer({ min: 0, max: 12 }),
    blank: fc.boolean(),
    reasoning: fc.integer({ min: 0, max: 4 }),
    tools: fc.integer({ min: 0, max: 3 }),
    parallel: fc.boolean(),
    firstWordMs: ms,
    wordMs: ms,
    pings: fc.integer({ min: 0, max: 4 }),
    finish: fc.constantFrom('stop' as const, 'length' as const, 'filter' as const),
    usage: fc.boolean(),
    hiddenTokens: fc.integer({ min: 0, max: 9 }),
    otherShape: fc.boolean(),
    reads: fc.constantFrom('frames' as const, 'merged' as const, 'bytes' as const, 'random' as const),
    endMs: ms,
    quirks: fc.subarray([...QUIRKS], { maxLength: 4 }),
  },
  { requiredKeys: [] },
);

type Loose = { readonly [member: string]: Loose | undefined } | undefined;
const items = (value: Loose): readonly Loose[] => (Array.isArray(value) ? (value as readonly Loose[]) : []);
const join = (texts: readonly unknown[]): string =>
  texts.map((text) => (typeof text === 'string' ? text : '')).join('');
const of = (list: readonly Loose[], type: string): readonly Loose[] =>
  list.filter((item) => (item?.['type'] as unknown) === type);

type Meaning = { text: string; reasoning: string; tools: readonly unknown[]; finish: unknown };

/** What a JSON answer says to whoever reads it without the product. */
const READERS: Readonly<Record<(typeof VOICED)[number], (body: Loose) => Meaning>> = {
  'openai-chat'(body) {
    const choice = items(body?.['choices'])[0];
    const message = choice?.['message'];
    return {
      text: join([message?.['content']]),
      reasoning: join([message?.['reasoning_content']]),
      tools: items(message?.['tool_calls']).map((call) => ({
        id: call?.['id'],
        name: call?.['function']?.['name'],
        args: call?.['function']?.['arguments'],
      })),
      finish: choice?.['finish_reason'],
    };
  },
  'openai-responses'(body) {
    const output = items(body?.['output']);
    return {
      text: join(of(output, 'message').flatMap((item) => items(item?.['content']).map((part) => part?.['text']))),
      reasoning: join(
        of(output, 'reasoning').flatMap((item) => items(item?.['summary']).map((part) => part?.['text'])),
      ),
      tools: of(output, 'function_call').map((item) => ({
        id: item?.['call_id'],
        name: item?.['name'],
        args: item?.['arguments'],
      })),
      finish: body?.['incomplete_details']?.['reason'] ?? body?.['status'],
    };
  },
  'anthropic-messages'(body) {
    const content = items(body?.['content']);
    return {
      text: join(of(content, 'text').map((block) => block?.['text'])),
      reasoning: join(of(content, 'thinking').map((block) => block?.['thinking'])),
      tools: of(content, 'tool_use').map((block) => ({
        id: block?.['id'],
        name: block?.['name'],
        args: JSON.stringify(block?.['input']),
      })),
      finish: body?.['stop_reason'],
    };
  },
  gemini(body) {
    const candidate = items(body?.['candidates'])[0];
    const parts = items(candidate?.['content']?.['parts']);
    const isThought = (part: Loose): boolean => (part?.['thought'] as unknown) === true;
    return {
      text: join(parts.filter((part) => !isThought(part)).map((part) => part?.['text'])),
      reasoning: join(parts.filter(isThought).map((part) => part?.['text'])),
      tools: parts
        .map((part) => part?.['functionCall'])
        .filter((call) => call !== undefined)
        .map((call) => ({ id: call['id'] ?? '', name: call['name'], args: JSON.stringify(call['args']) })),
      finish: candidate?.['finishReason'],
    };
  },
};

/** Without its finish reason an answer of these has no end at all. */
const NEEDS_FINISH: ReadonlySet<string> = new Set(['openai-responses', 'gemini']);

/** The words that protocols have for each end. */
const ENDS: Readonly<Record<string, readonly string[]>> = {
  stop: ['stop', 'tool_calls', 'completed', 'end_turn', 'tool_use', 'STOP'],
  length: ['length', 'max_output_tokens', 'max_tokens', 'MAX_TOKENS'],
  filter: ['content_filter', 'refusal', 'SAFETY'],
};

describe.each(VOICED)('playOf, %s', (protocol) => {
  it('says in every form what its truth says, at the moments that it says', () => {
    assertProperty(
      fc.property(behaviours, fc.boolean(), (behaviour, stream) => {
        const { truth, usage, wholeAt, firstOutputAt, ...seen } = readBehaviour(behaviour, viewOf(protocol, stream));
        if (truth === null) throw new Error('a good answer has a truth');
        const { isWhole, lastsMs, firstOutputMs, usage: told, finish, ...meaning } = truth;
        expect({ isWhole, lastsMs, firstOutputMs }).toEqual({
          isWhole: wholeAt !== null,
          lastsMs: wholeAt,
          firstOutputMs: firstOutputAt,
        });
        if (!isWhole) return;
        const { finish: word, ...said } = READERS[protocol](seen.json() as Loose);
        expect(said).toEqual(meaning);
        const hasFinish = NEEDS_FINISH.has(protocol) || behaviour.quirks?.includes('no_finish') !== true;
        expect(ENDS[hasFinish ? finish : 'stop']).toContain(word);
        expect(usage === null ? null : { inputTokens: usage.inputTokens, outputTokens: usage.outputTokens }).toEqual(
          told,
        );
      }),
      100,
    );
  });

  it('is whole but for forms that tell nothing of their end', () => {
    const { truth } = readBehaviour({ words: 0, quirks: ['no_finish'] }, viewOf(protocol, false));
    expect(truth?.isWhole).toBe(NEEDS_FINISH.has(protocol));
    expect(readBehaviour({}, viewOf(protocol, true)).truth).toMatchObject({ isWhole: true, finish: 'stop', tools: [] });
  });

  it.each(['error', 'broken'] as const)('finish %s is seen as what it is', (finish) => {
    const answers: readonly Behaviour[] = [
      { words: 0 },
      { words: 3 },
      { words: 0, reasoning: 2 },
      { words: 0, tools: 1 },
    ];
    for (const answer of [...answers, { blank: true }, { words: 0, quirks: ['sealed'] } satisfies Behaviour]) {
      for (const stream of [true, false]) {
        const { truth, wholeAt } = readBehaviour({ ...answer, finish }, viewOf(protocol, stream));
        expect(truth?.isWhole, JSON.stringify([answer, stream])).toBe(wholeAt !== null);
        if (finish === 'error') expect(truth?.isWhole).toBe(false);
      }
    }
  });

  it('gives the same play for the same arguments, in whatever order', () => {
    const behaviour: Behaviour = { words: 30, reads: 'random' };
    const pieces = (n: number): readonly unknown[] => [
      ...(playOf(behaviour, viewOf(protocol, true, { n }), createChance(4)).play.body ?? []),
    ];
    const first = pieces(1);
    pieces(2);
    expect(pieces(1)).toEqual(first);
    expect(pieces(2)).not.toEqual(first);
    expect(first.length).toBeGreaterThan(5);
  });

  it.each<[string, Behaviour]>([
    ['refuses', { refuses: 'dns' }],
    ['never connects', { connectMs: null }],
    ['never answers', { headMs: null }],
    ['hangs up', { status: null }],
    ['an error', { status: 500 }],
    ['an error with 200', { error: {} }],
    ['a page', { body: 'html' }],
    ['words', { body: 'text' }],
    ['nothing', { body: 'empty' }],
    ['half', { body: 'damaged' }],
    ['a list', { body: 'list' }],
  ])('%s is no answer', (_name, behaviour) => {
    for (const stream of [true, false]) {
      const { truth, wholeAt, events } = readBehaviour(behaviour, viewOf(protocol, stream));
      expect(truth).toBeNull();
      expect(wholeAt).toBeNull();
      expect(events.filter(({ type }) => type === 'text')).toEqual([]);
    }
  });
});

describe('a plain answer', () => {
  const behaviour: Behaviour = { connectMs: 5, headMs: 10, firstWordMs: 100, wordMs: 20, pings: 3, words: 3, tools: 1 };

  it.each(VOICED)('of %s has its marks, its moments and its numbers', (protocol) => {
    const { truth } = readBehaviour({ ...behaviour, reasoning: 2, hiddenTokens: 4 }, viewOf(protocol, true));
    const prefix = protocol === 'anthropic-messages' ? 'toolu' : 'call';
    expect(truth).toEqual({
      text: '<7.0> <7.1> <7.2> ',
      reasoning: '<7.r0> <7.r1> ',
      tools: [{ id: `${prefix}_7_0`, name: 'tool_0', args: '{"mark":"<7.t0>"}' }],
      usage: { inputTokens: 12, outputTokens: 12 },
      finish: 'stop',
      isWhole: true,
      firstOutputMs: 115,
      // Two thoughts, three words, a call and, but for Gemini, three pieces of its arguments.
      lastsMs: 115 + (protocol === 'gemini' ? 5 : 8) * 20,
    });
  });

  it('pings at even distances before its first word, or before all else', () => {
    const at = (quirks: readonly Quirk[]): readonly number[] => {
      const { delivery } = readBehaviour({ ...behaviour, quirks }, viewOf('openai-chat', true));
      return delivery.bytes.slice(0, 5).map((read) => read.at);
    };
    expect(at([])).toEqual([15, 40, 65, 90, 115]);
    expect(at(['late_start'])).toEqual([40, 65, 90, 90, 115]);
  });

  it('of Responses counts its events without a gap, whatever else comes', () => {
    for (const kind of ['noise', 'repeat', 'error'] as const) {
      const fault = { kind, at: 2, form: 'twice' } as const;
      const { delivery } = readBehaviour({ ...behaviour, fault }, viewOf('openai-responses', true));
      const numbers = [...delivery.text.matchAll(/"sequence_number":(\d+)/g)].map(([, number]) => Number(number));
      expect(numbers).toEqual(numbers.map((_, index) => index));
      expect(numbers.length).toBeGreaterThan(6);
    }
  });

  it('calls a tool by its schema, where that wants one text', () => {
    const body = '{"tools":[{"function":{"name":"tool_0","parameters":{"required":["input"]}}}]}';
    const { truth } = readBehaviour({ tools: 2 }, viewOf('openai-chat', true, { body }));
    expect(truth?.tools.map(({ args }) => args)).toEqual(['{"input":"<7.t0>"}', '{"mark":"<7.t1>"}']);
  });

  it('of Gemini names its model by the path, and its calls have no ids where it is an old one', () => {
    const { delivery, truth } = readBehaviour({ tools: 1, quirks: ['blank_ids'] }, viewOf('gemini', true));
    expect(delivery.text).toContain('"modelVersion":"m-7"');
    expect(delivery.text).toContain('{"functionCall":{"name":"tool_0","args":{"mark":"<7.t0>"}}}');
    expect(truth?.tools).toEqual([{ id: '', name: 'tool_0', args: '{"mark":"<7.t0>"}' }]);
  });

  it('of Chat tells usage in a stream if it was asked to', () => {
    const body = '{"model":"m","messages":[]}';
    expect(readBehaviour({}, viewOf('openai-chat', true, { body })).truth?.usage).toBeNull();
    expect(readBehaviour({}, viewOf('openai-chat', false, { body })).truth?.usage).not.toBeNull();
  });
});
