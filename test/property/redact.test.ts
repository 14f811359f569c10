import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { cleanName, cleanText, createScrubber, foldWords, hideEcho } from '../../src/core/redact/index.ts';
import { assertProperty } from '../kit/assert-property.ts';
import { takeSeed } from '../kit/seed.ts';
import { createSeededRandom } from '../kit/seeded-random.ts';
import { decodingsOf, ESCAPES } from './redact-escapes.ts';
import { HONEST, KEYS, SECRETS } from './redact-texts.ts';

const secret = fc.string({ minLength: 8, maxLength: 40 }).filter((value) => !'[secret]'.includes(value));

/** So many characters of a key in a row must not be left of one that was there whole. */
const MOST_LEFT = 8;

const piecesOf = (value: string, length: number): string[] =>
  Array.from({ length: Math.max(1, value.length - length + 1) }, (_, at) => value.slice(at, at + length));

/** What stands around words in messages: a text before them, marks, a text behind them. */
const around = fc.record({
  before: fc.constantFrom('', 'upstream said: ', 'Error 400 - ', '{"error":{"message":"', 'invalid_request_error: '),
  marks: fc.constantFrom(['', ''], ['"', '"'], ["'", "'"], ['`', '`'], ['(', ')'], ['[', ']'], ['<', '>'], ['“', '”']),
  behind: fc.constantFrom('', '.', ' was sent', '"}}', ' (try again in 20s)', ', and more'),
});

describe('redaction', () => {
  it('never lets a known secret through, in any form', () => {
    assertProperty(
      fc.property(secret, fc.string(), fc.string(), (value, before, behind) => {
        const scrub = createScrubber([value]);
        const bytes = new TextEncoder().encode(`${before}${value}${behind}`);
        const base64 = btoa(Array.from(bytes, (byte) => String.fromCharCode(byte)).join(''));
        const forms = [value, JSON.stringify(value).slice(1, -1), encodeURIComponent(value)];
        for (const form of forms) expect(scrub(`${before} ${form} ${behind}`)).not.toContain(form);
        expect(scrub(base64)).toContain('[secret]');
      }),
    );
  });

  it('leaves nothing of a known secret that decoders could find, each character escaped in a way of its own', () => {
    const key = fc.stringMatching(/^[\w.~+/=-]{16,48}$/);
    const escaping = fc.constantFrom(...Object.keys(ESCAPES));
    assertProperty(
      fc.property(
        key,
        fc.oneof(fc.array(escaping, { minLength: 1, maxLength: 8 }), fc.tuple(escaping)),
        fc.constantFrom('', ' ', 'key: ', '{"a":"', '\\\\', '&amp;', '100% '),
        fc.constantFrom('', ' ', '"}', ' and more', '\\\\', '&', '%'),
        (value, escapes, before, behind) => {
          const written = Array.from(value, (char, n) => {
            const name = escapes[n % escapes.length] ?? 'plain';
            return ESCAPES[name]?.(char) ?? char;
          }).join('');
          // Else it would not be there.
          expect(decodingsOf(`${before}${written}${behind}`).join('\n')).toContain(value);
          const left = decodingsOf(createScrubber([value])(`${before}${written}${behind}`)).join('\n');
          for (const piece of piecesOf(value, MOST_LEFT)) expect(left).not.toContain(piece);
        },
      ),
      300,
    );
  });

  it.each(HONEST)('leaves alone: %s', (text) => {
    expect(cleanText(text, { maxLength: 4096 })).toBe(text);
    expect(cleanName(text, { maxLength: 4096 })).toBe(text);
  });

  it('leaves honest words alone wherever they stand', () => {
    assertProperty(
      fc.property(fc.constantFrom(...HONEST), fc.constantFrom(...HONEST), around, (text, other, place) => {
        const { before, marks, behind } = place;
        const said = `${before}${marks[0]}${text}${marks[1]}${behind} ${other}`;
        expect(cleanText(said, { maxLength: 4096 })).toBe(said);
      }),
      500,
    );
  });

  it.each(SECRETS)('takes out the secret of: $text', ({ text, secret: value }) => {
    const clean = cleanText(text, { maxLength: 4096 });
    expect(clean).toContain('[secret]');
    for (const piece of piecesOf(value, MOST_LEFT)) expect(clean).not.toContain(piece);
  });

  it('takes out secrets wherever they stand, and leaves the honest words beside them', () => {
    assertProperty(
      fc.property(fc.constantFrom(...KEYS), fc.constantFrom(...HONEST), around, (value, other, place) => {
        const { before, marks, behind } = place;
        const clean = cleanText(`${other} ${before}${marks[0]}${value}${marks[1]}${behind}`, { maxLength: 4096 });
        for (const piece of piecesOf(value, MOST_LEFT)) expect(clean).not.toContain(piece);
        expect(clean).toContain('[secret]');
        expect(clean.startsWith(other)).toBe(true);
      }),
      500,
    );
  });

  it('cleans any text to one bounded line, and is done after one turn', () => {
    const mixed = fc
      .array(fc.oneof(fc.string({ unit: 'binary', maxLength: 40 }), fc.constantFrom(...HONEST, ...KEYS)), {
        maxLength: 6,
      })
      .map((parts) => parts.join(' '));
    assertProperty(
      fc.property(
        fc.oneof(fc.string({ unit: 'binary', maxLength: 600 }), mixed),
        fc.integer({ min: 1, max: 400 }),
        (text, maxLength) => {
          const clean = cleanText(text, { maxLength });
          expect(clean.length).toBeLessThanOrEqual(maxLength);
          expect(clean).not.toMatch(/[\p{Cc}\u2028\u2029]/u);
          expect(/[\ud800-\udbff](?![\udc00-\udfff])/.test(clean)).toBe(false);
          const whole = cleanText(text, { maxLength: 8192 });
          expect(cleanText(whole, { maxLength: 8192 })).toBe(whole);
        },
      ),
    );
  });

  it('finds nearly every run that chance has made, whatever it is made of', () => {
    const random = createSeededRandom(takeSeed('runs of chance'));
    const digits = '0123456789';
    const lower = 'abcdefghijklmnopqrstuvwxyz';
    for (const alphabet of [`${digits}abcdef`, digits + lower, digits + lower + lower.toUpperCase()]) {
      const draw = (): string =>
        Array.from({ length: 36 }, () => alphabet[Math.floor(random.next() * alphabet.length)]).join('');
      const missed = Array.from({ length: 1000 }, draw).filter((run) => cleanText(`sent ${run} to it`).includes(run));
      // Of those in lower case two or three in a thousand read like names of models.
      expect(missed.length, missed[0]).toBeLessThan(20);
    }
  });

  it('finds keys by their shape wherever they stand', () => {
    const key = fc.stringMatching(/^[a-z0-9]{20,40}$/).filter((value) => /\d/.test(value) && /[a-z]/.test(value));
    const places: readonly ((key: string) => string)[] = [
      (k) => `bad key sk-${k}`,
      (k) => `Bearer ${k}x1`,
      (k) => `https://up.example/v1?key=${k}`,
      (k) => `{"api_key":"${k}"}`,
      (k) => `token=${k};`,
      (k) => `https://u:${k}@up.example/`,
    ];
    assertProperty(
      fc.property(key, fc.constantFrom(...places), (value, place) => {
        expect(cleanText(place(value))).not.toContain(value);
      }),
    );
  });

  it('hides an echo of the request, each word escaped in a way of its own', () => {
    const word = fc.stringMatching(/^[A-Za-z]{3,10}$/);
    const words = fc.array(word, { minLength: 8, maxLength: 14 });
    const escaping = fc.constantFrom(...Object.keys(ESCAPES));
    const gaps = fc.constantFrom(' ', '\u00a0', '\t', '\r\n', '  ', ' \u200b', '\u2060 ', ', ');
    const cases = fc.constantFrom<(text: string) => string>(
      (text) => text,
      (text) => text.toUpperCase(),
      (text) => text.toLowerCase(),
    );
    assertProperty(
      fc.property(words, escaping, gaps, cases, (said, name, gap, inCase) => {
        const whole = foldWords(JSON.stringify({ messages: [{ content: said.join(' ') }] }));
        const echo = said
          .map((part) => Array.from(inCase(part), (char) => ESCAPES[name]?.(char) ?? char).join(''))
          .join(gap);
        const hidden = hideEcho(`Invalid value: ${echo} (sorry)`, whole);
        expect(hidden).toContain('[…]');
        const left = decodingsOf(hidden).join('\n').toLowerCase();
        for (const part of said) if (part.length > 5) expect(left).not.toContain(part.toLowerCase());
      }),
    );
  });

  it('finds a key in a list of its bytes as surely as where it is written, and leaves the words around it', () => {
    const shaped = fc.stringMatching(/^[A-Za-z0-9]{20,32}$/);
    const lists: readonly ((bytes: readonly number[]) => string)[] = [
      (bytes) => JSON.stringify(Buffer.from(bytes)),
      (bytes) => JSON.stringify(JSON.stringify(Buffer.from(bytes))),
      (bytes) => `[${bytes.join(', ')}]`,
      (bytes) => bytes.join(' '),
      (bytes) => `[${bytes.map((byte) => `0x${byte.toString(16)}`).join(', ')}]`,
      (bytes) => bytes.map((byte) => byte.toString(16)).join(':'),
      (bytes) => bytes.map((byte) => `\\x${byte.toString(16)}`).join(''),
    ];
    assertProperty(
      fc.property(shaped, fc.constantFrom(...lists), fc.boolean(), (value, list, isKnown) => {
        const key = `sk-${value}`;
        const scrub = createScrubber(isKnown ? [key] : []);
        // One that is known by its shape only may look like words.
        fc.pre(cleanText(`got ${key} of them`, { scrub }) === 'got [secret] of them');
        const clean = cleanText(`got ${list([...Buffer.from(key)])} of them`, { maxLength: 4096, scrub });
        expect(clean).toMatch(/^got .*\[secret\].* of them$/);
        const left = clean.match(/\d+/g) ?? [];
        expect(left.length, clean).toBeLessThan(4);
      }),
    );
  });

  it('leaves whole words around an echo, and none of the echo', () => {
    const word = fc.stringMatching(/^[a-z]{2,10}$/);
    const words = (min: number, max: number) => fc.array(word, { minLength: min, maxLength: max });
    assertProperty(
      fc.property(
        fc.record({
          before: words(0, 4),
          said: words(12, 18),
          behind: words(0, 4),
          near: words(0, 3),
          next: words(0, 3),
        }),
        fc.constantFrom('', 'x', 'qq', '17', 'zzzz'),
        ({ before, said, behind, near, next }, glue) => {
          const whole = foldWords(JSON.stringify({ [near.join(' ')]: said.join(' '), next }));
          const hidden = hideEcho([...before, `${glue}${said.join(' ')}${glue}`, ...behind].join(' '), whole);
          const tokens = hidden.split(/\[…\]| /).filter((token) => token !== '' && token !== glue);
          const theirs = [...before, ...behind];
          const requests = [...said, ...near, ...next];
          const isCut = (each: string, token: string): boolean => {
            if (!each.startsWith(token) && !each.endsWith(token)) return false;
            const rest = each.startsWith(token) ? each.slice(token.length) : each.slice(0, -token.length);
            // A word of the request goes wherever it stands, and so does more than three letters of one: rather too much.
            return rest.length > 3 || requests.includes(rest);
          };
          for (const token of tokens) {
            const isWhole = theirs.includes(token) || theirs.some((each) => isCut(each, token));
            expect(isWhole, `${token} in ${hidden}`).toBe(true);
          }
          expect(hidden.split('[…]').length, hidden).toBe(2);
        },
      ),
      300,
    );
  });
});
