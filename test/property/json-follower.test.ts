import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { JsonFollower } from '../../src/protocol/shared/json-follower.ts';
import { assertProperty } from '../kit/assert-property.ts';
import { parses } from '../kit/parses.ts';

const TOKENS = [
  '{',
  '}',
  '[',
  ']',
  ',',
  ':',
  '"',
  '"a"',
  '\\',
  '\\n',
  '\\u00e9',
  '\\u12',
  '0',
  '-',
  '1.5',
  '1e',
  'e+3',
  '01',
  'true',
  'null',
  'nul',
  ' ',
  '\n',
  '\t',
  '\u0001',
  'é',
  '"é"',
  '{}',
  '[]',
  '{"a":1}',
  '"a":',
  '.',
];
const token = fc.constantFrom(...TOKENS);
const text = fc.oneof(
  fc.array(token, { maxLength: 8 }).map((tokens) => tokens.join('')),
  fc.json({ stringUnit: 'binary' }),
  fc.tuple(fc.json(), token, fc.nat()).map(([json, word, at]) => {
    const place = at % (json.length + 1);
    return json.slice(0, place) + word + json.slice(place);
  }),
);

describe('JsonFollower', () => {
  it('knows behind each piece what JSON.parse would say of all', () => {
    assertProperty(
      fc.property(fc.array(text, { maxLength: 3 }), fc.nat(), (texts, at) => {
        const all = texts.join('');
        const place = at % (all.length + 1);
        const follower = new JsonFollower();
        let seen = '';
        for (const piece of [all.slice(0, place), ...all.slice(place)]) {
          follower.push(piece);
          seen += piece;
          expect([seen, follower.isWhole, follower.isEmpty]).toEqual([seen, parses(seen), seen === '']);
        }
      }),
      1000,
    );
  });
});
