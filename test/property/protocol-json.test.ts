import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import {
  childrenOf,
  concatBytes,
  decodeUtf8,
  encodeUtf8,
  indexJson,
  isJson,
  keyOf,
  kindOf,
  memberOf,
  parseNode,
} from '../../src/protocol/json/index.ts';
import { decodeRequest } from '../../src/protocol/openai-chat/request.ts';
import { encodeRequest } from '../../src/protocol/openai-chat/request-encode.ts';
import { assertProperty } from '../kit/assert-property.ts';
import { parses } from '../kit/parses.ts';

/** JSON text with the freedoms that a writer has: white space, escapes, number forms. */
const jsonText = fc
  .tuple(fc.json({ stringUnit: 'binary' }), fc.constantFrom(0, 1, 2, '\t'), fc.boolean())
  .map(([text, indent, escaped]) => {
    const pretty = JSON.stringify(JSON.parse(text), null, indent);
    return escaped
      ? pretty.replace(/[^\0-\x7f]/g, (c) => `\\u${c.charCodeAt(0).toString(16).padStart(4, '0')}`)
      : pretty;
  });

const PIECES = [
  '{',
  '}',
  '[',
  ']',
  ',',
  ':',
  '"',
  '\\',
  '\\u',
  '0',
  '1',
  '-',
  '.',
  'e',
  '+',
  'true',
  'null',
  ' ',
  '\n',
  '"a"',
  'é',
  '\u0001',
];

describe('the JSON scanner', () => {
  it('takes what JSON.parse takes, and sees the same in it', () => {
    assertProperty(
      fc.property(jsonText, (text) => {
        const index = indexJson(encodeUtf8(text), 2);
        if (index === null) throw new Error('refused');
        expect(parseNode(index, 0)).toEqual(JSON.parse(text));
        if (kindOf(index, 0) !== 'object') return;
        const value = JSON.parse(text) as Record<string, unknown>;
        expect(new Set(childrenOf(index, 0).map((node) => keyOf(index, node)))).toEqual(new Set(Object.keys(value)));
        for (const [name, member] of Object.entries(value)) {
          if (!/^[ -~]*$/.test(name)) continue;
          expect(parseNode(index, memberOf(index, 0, name))).toEqual(member);
        }
      }),
    );
  });

  it('judges mutated texts as JSON.parse does', () => {
    const mutated = fc
      .tuple(jsonText, fc.nat(), fc.nat(3), fc.constantFrom('', ...PIECES))
      .map(([text, at, cut, piece]) => {
        const place = at % (text.length + 1);
        return text.slice(0, place) + piece + text.slice(place + cut);
      });
    assertProperty(
      fc.property(mutated, (text) => {
        // A half surrogate pair has no UTF-8; as bytes it is another text.
        const bytes = encodeUtf8(text);
        expect(isJson(bytes)).toBe(parses(decodeUtf8(bytes)));
      }),
      1000,
    );
  });

  it('judges soups of tokens as JSON.parse does', () => {
    assertProperty(
      fc.property(fc.array(fc.constantFrom(...PIECES), { maxLength: 12 }), (pieces) => {
        const text = pieces.join('');
        expect(isJson(encodeUtf8(text))).toBe(parses(text));
      }),
      2000,
    );
  });

  it('survives any bytes', () => {
    assertProperty(
      fc.property(fc.uint8Array({ maxLength: 64 }), (bytes) => {
        expect(typeof isJson(bytes)).toBe('boolean');
      }),
    );
  });
});

describe('encodeRequest', () => {
  it('leaves every byte but its edits', () => {
    const extra = fc.dictionary(
      fc
        .string({ unit: 'binary' })
        .filter((name) => !['model', 'stream', 'messages', 'input', 'tools', 'n', 'stream_options'].includes(name)),
      fc.jsonValue(),
      { maxKeys: 4 },
    );
    assertProperty(
      fc.property(extra, fc.nat(4), fc.constantFrom(0, 2), fc.string(), (members, place, indent, model) => {
        const required: [string, unknown][] = [
          ['model', '@MODEL@'],
          ['messages', [{ role: 'user', content: 'hi' }]],
          ['stream', true],
        ];
        const entries: [string, unknown][] = Object.entries(members);
        entries.splice(Math.min(place, entries.length), 0, ...required);
        const written = entries.map(
          ([name, value]) => `${JSON.stringify(name)}: ${JSON.stringify(value, null, indent)}`,
        );
        const text = `{${written.join(' ,\n')}}`;
        if (text.split('"@MODEL@"').length !== 2) return;
        const decoded = decodeRequest(encodeUtf8(text), {});
        if (!decoded.ok) throw new Error(decoded.problem.message);
        const egress = { model, capabilities: {}, askUsage: true, withoutState: false, defaults: {} };
        const sent = decodeUtf8(concatBytes(encodeRequest(decoded.request, egress).body));
        const want = `${text.replace('"@MODEL@"', () => JSON.stringify(model)).slice(0, -1)},"stream_options":{"include_usage":true}}`;
        expect(sent).toBe(decodeUtf8(encodeUtf8(want)));
      }),
    );
  });
});
