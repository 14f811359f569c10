import { describe, expect, it } from 'vitest';
import {
  applyEdits,
  childrenOf,
  concatBytes,
  decodeUtf8,
  encodeUtf8,
  indexBounded,
  indexJson,
  isJson,
  keyOf,
  MAX_DEPTH,
  type Mend,
  memberAt,
  mendEdits,
  NONE,
  parseNode,
  removeMembers,
  setMembers,
} from './index.ts';

const index = (text: string, depth = 8) => {
  const made = indexJson(encodeUtf8(text), depth);
  if (made === null) throw new Error(`refused: ${text}`);
  return made;
};

const mended = (text: string, ...mends: Mend[]): string => {
  const at = index(text);
  return decodeUtf8(concatBytes(applyEdits(at.bytes, mendEdits(at, mends))));
};

describe('indexJson', () => {
  it('notes values and keys as JSON reads them, down to a depth', () => {
    const at = index('{"mod\\u0065l":"x","a":[1,{"b":[]}],"é":null}', 1);
    expect(childrenOf(at, 0).map((node) => [keyOf(at, node), parseNode(at, node)])).toEqual([
      ['model', 'x'],
      ['a', [1, { b: [] }]],
      ['é', null],
    ]);
    expect(memberAt(at, 0, 'a', 'b')).toBe(NONE);
  });

  it('finds a member by its last place', () => {
    const at = index('{"n":1,"\\u006e":2}');
    expect(parseNode(at, memberAt(at, 0, 'n'))).toBe(2);
  });

  it.each([
    '',
    ' ',
    '{',
    '{"a"}',
    '{"a":}',
    '{"a":1,}',
    '[1,]',
    '{a:1}',
    '01',
    '1.',
    '1e',
    '-',
    'tru',
    'nulll',
    '"a',
    '{}{}',
  ])('refuses %j', (text) => expect(isJson(encodeUtf8(text))).toBe(false));

  it('refuses control characters, unknown escapes and half ones in strings', () => {
    for (const text of ['"\n"', '"\\x"', '"\\u12g4"', '"\\u123"', '"\\']) expect(isJson(encodeUtf8(text))).toBe(false);
  });

  it('lets bytes above ASCII, lone surrogates and numbers of any size pass', () => {
    for (const text of ['"\\ud83d"', '9007199254740993', '1e999', '-0.0E+10', '"漢"']) {
      expect(isJson(encodeUtf8(text))).toBe(true);
    }
    expect(isJson(new Uint8Array([0x22, 0xff, 0xc1, 0x22]))).toBe(true);
  });

  it('bounds the depth without recursion', () => {
    const nested = (depth: number): Uint8Array => encodeUtf8('['.repeat(depth) + ']'.repeat(depth));
    expect(isJson(nested(MAX_DEPTH))).toBe(true);
    expect(isJson(nested(MAX_DEPTH + 1))).toBe(false);
    expect(isJson(encodeUtf8('['.repeat(1_000_000)))).toBe(false);
  });

  it.each(['[1,2,3,4]', '{"a":1,"b":2,"c":3,"d":4}', '{"a":{"x":1,"y":2},"b":3}', '[[[[1]]]]'])(
    'bounds the values of %s, however they lie',
    (text) => {
      const isWithin = (values: number): boolean => isJson(encodeUtf8(text), 0, text.length, { values });
      expect([isWithin(5), isWithin(4)]).toEqual([true, false]);
    },
  );

  it('counts and notes no log probabilities, where they may lie', () => {
    const within = (text: string, logprobsDepth?: number) =>
      indexBounded(encodeUtf8(text), 9, {
        values: 6,
        ...(logprobsDepth === undefined ? {} : { logprobsDepth }),
      });
    const counted = (text: string, depth?: number): number | string => {
      const found = within(text, depth);
      return typeof found === 'string' ? found : found.count;
    };
    const many = '{"a":{"logprobs":[{"x":1,"y":2,"z":[3]},4,5,6,7]},"b":[1]}';
    expect([counted(many), counted(many, 1), counted(many, 2)]).toEqual(['large', 'large', 5]);
    expect(counted('{"logprobs":null,"b":[1,2,3,4]}', 2)).toBe('large');
    expect(counted('{"logprobs":{"logprobs":[1,2,3]},"b":[1,2,3]}', 2)).toBe(6);
    expect(counted('{"logprobs":[1,2,3,4,5,6,7}', 2)).toBe('broken');
  });

  it('reads nothing outside of its span', () => {
    const bytes = encodeUtf8('data: {"a":1} ]');
    expect(isJson(bytes, 6, 13)).toBe(true);
    expect(isJson(bytes, 6, 12)).toBe(false);
    expect(isJson(bytes, 6)).toBe(false);
  });
});

describe('edits', () => {
  it('adds, completes and removes members', () => {
    const set = (text: string): string => {
      const at = index(text);
      return decodeUtf8(
        concatBytes(
          applyEdits(
            at.bytes,
            setMembers(at, 0, [
              ['a', '1'],
              ['b', '2'],
            ]),
          ),
        ),
      );
    };
    expect(set('{}')).toBe('{"a":1,"b":2}');
    expect(set('{"a":null}')).toBe('{"a":1,"b":2}');
    expect(set('{ "b" : [] }')).toBe('{ "b" : [] ,"a":1}');
  });

  it.each([
    ['{"x":1}', '{}'],
    ['{"x":1,"a":2}', '{"a":2}'],
    ['{"a":2, "x":1}', '{"a":2}'],
    ['{"x":1,"x":2,"a":3,"x":4,"x":5}', '{"a":3}'],
    ['{"x":1,"x":2}', '{}'],
    ['{"a":1,"x":2,"b":3}', '{"a":1,"b":3}'],
  ])('takes x out of %s', (text, want) => {
    const at = index(text);
    const edits = removeMembers(at, 0, (node) => keyOf(at, node) === 'x');
    const edited = decodeUtf8(concatBytes(applyEdits(at.bytes, edits)));
    expect(JSON.parse(edited)).toEqual(JSON.parse(want));
  });

  it.each<[string, number[], string]>([
    ['[1]', [0], '[]'],
    ['[1, 2]', [0], '[2]'],
    ['[1, 2]', [1], '[1]'],
    ['[{"a":1},[2],"3",4]', [0, 1, 3], '["3"]'],
    ['[1,2,3,4]', [1, 2], '[1,4]'],
  ])('takes elements out of %s: %j', (text, gone, want) => {
    expect(JSON.parse(mended(text, ...gone.map((at): Mend => ({ path: [at], change: 'remove' }))))).toEqual(
      JSON.parse(want),
    );
  });

  it('mends by path: sets, adds, stringifies, removes, and lets dead ends be', () => {
    expect(mended('{"a":[{"b":1}]}', { path: ['a', 0, 'b'], change: { set: '2' } })).toBe('{"a":[{"b":2}]}');
    expect(
      mended('{"a":{}}', { path: ['a', 'x'], change: { set: '1' } }, { path: ['a', 'y'], change: { set: '2' } }),
    ).toBe('{"a":{"x":1,"y":2}}');
    expect(mended('{"a":{"p": 90071992547409931}}', { path: ['a'], change: 'stringify' })).toBe(
      '{"a":"{\\"p\\": 90071992547409931}"}',
    );
    expect(mended('{"a":1,"b":2}', { path: ['a'], change: 'remove' })).toBe('{"b":2}');
    expect(mended('{"a":1}', { path: ['b', 3, 'c'], change: { set: '1' } })).toBe('{"a":1}');
  });

  it('of two that overlap, makes the one that begins first, or is longer', () => {
    const made = (...edits: [number, number, string][]): string => {
      const list = edits.map(([start, end, text]) => ({ start, end, text: encodeUtf8(text) }));
      return decodeUtf8(concatBytes(applyEdits(encodeUtf8('abcdef'), list)));
    };
    expect(made([2, 5, 'Y'], [1, 4, 'X'])).toBe('aXef');
    expect(made([1, 2, 'Y'], [1, 4, 'X'])).toBe('aXef');
    expect(made([1, 4, 'X'], [1, 1, 'I'], [4, 5, 'Z'])).toBe('aIXZf');
  });

  it('copies nothing of the original', () => {
    const at = index('{"model":"x","b":2}');
    const pieces = applyEdits(at.bytes, setMembers(at, 0, [['c', '3']]));
    expect(pieces[0]?.buffer).toBe(at.bytes.buffer);
  });
});
