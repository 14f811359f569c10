import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { decodeUtf8, encodeUtf8 } from '../../src/protocol/json/index.ts';
import { responseFromStream } from '../../src/protocol/openai-chat/convert.ts';
import { decodeResponse } from '../../src/protocol/openai-chat/response.ts';
import { assertProperty } from '../kit/assert-property.ts';
import { chunk, DONE, delta, run, toolCalls } from '../kit/chat-stream.ts';
import { DECODER_OPTIONS } from '../kit/decoder-run.ts';

// Tool calls of Chat Completions, some of which say nothing: in pieces, and the same whole.

const NOTHING = ['', ' ', '{}', ' { } ', '[]', '[\n]'] as const;

const entry = fc.record({
  name: fc.constantFrom('', '', ' ', 'f', 'g', 'get_it'),
  args: fc.constantFrom('{"x":1}', ' {"y":[{}]} ', '{"z":"{}"}'),
  nothing: fc.constantFrom(...NOTHING),
  hasId: fc.boolean(),
  /** The opening piece has no name: it comes with the next. */
  isLate: fc.boolean(),
  /** Blanks and empty texts behind the whole call. */
  isLong: fc.boolean(),
  cut: fc.nat({ max: 12 }),
});

type Entry = typeof entry extends fc.Arbitrary<infer T> ? T : never;

const mix = fc.record({
  entries: fc.array(entry, { minLength: 1, maxLength: 6 }),
  hasIndices: fc.boolean(),
  text: fc.constantFrom('', 'hello'),
  word: fc.constantFrom('tool_calls', 'stop', 'function_call'),
  size: fc.integer({ min: 1, max: 300 }),
  choices: fc.constantFrom(1, 2),
});

const isNamed = ({ name }: Entry): boolean => name.trim() !== '';

/** Without indices a call is known by its id: the first piece must have one. */
const idOf = (each: Entry, k: number, hasIndices: boolean): object =>
  each.hasId || !hasIndices ? { id: `id${k}` } : {};

function wholeOf(each: Entry, k: number, hasIndices: boolean): object {
  const args = isNamed(each) ? each.args : each.nothing;
  const sign = isNamed(each) ? { extra: { sign: k } } : {};
  return { ...idOf(each, k, hasIndices), type: 'function', ...sign, function: { name: each.name, arguments: args } };
}

function piecesOf(each: Entry, k: number, hasIndices: boolean): object[] {
  const at = hasIndices ? { index: k } : {};
  const first = { ...at, ...idOf(each, k, hasIndices), type: 'function' };
  if (!isNamed(each)) {
    const cut = each.nothing.slice(0, each.cut);
    const rest = each.nothing.slice(each.cut);
    const opening = { ...first, function: { name: each.name, arguments: cut } };
    return rest === '' ? [opening] : [opening, { ...at, function: { arguments: rest } }];
  }
  const [head, tail] = [each.args.slice(0, each.cut), each.args.slice(each.cut)];
  const signed = { ...first, extra: { sign: k } };
  const pieces: object[] = each.isLate
    ? [
        { ...signed, function: { name: '', arguments: '' } },
        { ...at, function: { name: each.name, arguments: head } },
      ]
    : [{ ...signed, function: { name: each.name, arguments: head } }];
  pieces.push({ ...at, function: { arguments: tail } });
  if (each.isLong) pieces.push({ ...at, function: { name: '', arguments: '' } });
  return pieces;
}

const split = (text: string, size: number): string[] =>
  Array.from({ length: Math.ceil(text.length / size) }, (_, k) => text.slice(k * size, (k + 1) * size));

type Answer = { choices: { message: { content?: unknown; tool_calls?: object[] }; finish_reason: string }[] };

describe('tool calls that say nothing', () => {
  it('are left out of a stream and of a whole answer alike, and no other', () => {
    assertProperty(
      fc.property(mix, ({ entries, hasIndices, text, word, size, choices }) => {
        const numbers = Array.from({ length: choices }, (_, k) => k);
        const content = text === '' ? {} : { content: text };
        const stream = [
          ...numbers.map((c) => delta({ role: 'assistant', ...content }, null, c)),
          ...entries.flatMap((each, k) =>
            piecesOf(each, k, hasIndices).flatMap((piece) =>
              numbers.map((c) => delta({ tool_calls: [piece] }, null, c)),
            ),
          ),
          chunk(
            {},
            numbers.map((index) => ({ index, delta: {}, finish_reason: word })),
          ),
          DONE,
        ].join('');
        const message = { content: text || null, tool_calls: entries.map((each, k) => wholeOf(each, k, hasIndices)) };
        const body = {
          id: 'c1',
          created: 1,
          model: 'm',
          choices: numbers.map((index) => ({ index, message, finish_reason: word })),
        };
        const seen = run(split(stream, size), { choices });
        const whole = decodeResponse(encodeUtf8(JSON.stringify(body)), { ...DECODER_OPTIONS, choices });
        const named = entries.filter(isNamed);
        const isBad = named.length === 0 && text === '';
        const finish = whole.events.at(-1);
        expect(finish).toMatchObject({ type: 'finish' });
        expect(seen.types).toContain(finish?.type === 'finish' ? `finish:${finish.reason}` : '');
        expect(seen.types.includes('finish:bad_generation')).toBe(isBad);
        if (isBad) return;

        expect(seen).toMatchObject({ text: run(stream, { choices }).text });
        const built = JSON.parse(decodeUtf8(responseFromStream(seen.frames.map(({ bytes }) => bytes)))) as Answer;
        const other = JSON.parse(decodeUtf8(whole.body)) as Answer;
        for (const c of numbers) {
          const calls = built.choices[c]?.message.tool_calls ?? [];
          expect(calls).toMatchObject(
            named.map(({ name, args }) => ({ type: 'function', function: { name, arguments: args } })),
          );
          expect(calls).toEqual(other.choices[c]?.message.tool_calls ?? []);
          expect(built.choices[c]?.finish_reason).toBe(other.choices[c]?.finish_reason);
          expect(built.choices[c]?.finish_reason === 'stop').toBe(named.length === 0);
        }
        const indices = new Set(toolCalls(seen.text).map((each) => (each as { index: number }).index));
        expect([...indices]).toEqual(named.map((_, k) => k));
      }),
      150,
    );
  });
});
