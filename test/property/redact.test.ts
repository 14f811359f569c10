import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { cleanText, createScrubber } from '../../src/core/redact/index.ts';
import { assertProperty } from '../kit/assert-property.ts';

const secret = fc.string({ minLength: 8, maxLength: 40 }).filter((value) => !'[secret]'.includes(value));

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

  it('cleans any text to one bounded line, and is done after one turn', () => {
    assertProperty(
      fc.property(
        fc.string({ unit: 'binary', maxLength: 600 }),
        fc.integer({ min: 1, max: 400 }),
        (text, maxLength) => {
          const clean = cleanText(text, { maxLength });
          expect(clean.length).toBeLessThanOrEqual(maxLength);
          expect(clean).not.toMatch(/[\p{Cc}\u2028\u2029]/u);
          expect(/[\ud800-\udbff](?![\udc00-\udfff])/.test(clean)).toBe(false);
        },
      ),
    );
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
});
