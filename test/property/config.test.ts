import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { matchesGlob } from '../../src/config/glob.ts';
import { createJsonSchema, type JsonSchema } from '../../src/config/json-schema.ts';
import { editDistance } from '../../src/config/nearest.ts';
import { loadText } from '../kit/config-text.ts';

/** A failure prints the seed and path that repeat it. */
function holds<T>(property: fc.IPropertyWithHooks<T>, numRuns = 100): void {
  const outcome: unknown = fc.assert(property, { numRuns });
  expect(outcome).toBeUndefined();
}

/** Values that fit the schema's keys but seldom its types. */
function sloppy(node: JsonSchema, depth: number): fc.Arbitrary<unknown> {
  const noise = fc.oneof(
    fc.constantFrom<unknown>(null, '', 'off', '5s', '4MiB', '${X}', '${X:-1}', 'a/x', 'a', true, 0, -1, 1.5, [], {}),
    fc.string({ maxLength: 8 }),
  );
  const branches = [node, ...(node.anyOf ?? [])];
  const shaped = branches.flatMap((branch): fc.Arbitrary<unknown>[] => {
    if (depth === 0) return [];
    const parts: fc.Arbitrary<unknown>[] = [];
    if (branch.enum) parts.push(fc.constantFrom(...branch.enum));
    if (branch.properties) {
      const members = Object.entries(branch.properties).map(
        ([key, member]) => [key, sloppy(member, depth - 1)] as const,
      );
      parts.push(fc.record(Object.fromEntries(members), { requiredKeys: [] }));
    }
    if (branch.items) parts.push(fc.array(sloppy(branch.items, depth - 1), { maxLength: 3 }));
    if (typeof branch.additionalProperties === 'object') {
      const names = fc.constantFrom('a', 'b', 'main', 'constructor', 'x y', 'a/x');
      parts.push(
        fc.dictionary(names, sloppy(branch.additionalProperties, depth - 1), { maxKeys: 2, noNullPrototype: true }),
      );
    }
    return parts;
  });
  return shaped.length === 0
    ? noise
    : fc.oneof({ weight: 6, arbitrary: fc.oneof(...shaped) }, { weight: 1, arbitrary: noise });
}

describe('a configuration', () => {
  it('is loaded or explained, whatever it holds', () => {
    holds(
      fc.property(sloppy(createJsonSchema(), 5), (value) => {
        const text = JSON.stringify(value);
        const result = loadText(text, { format: 'json' });
        if (result.ok) return;
        expect(result.problems.length).toBeGreaterThan(0);
        for (const problem of result.problems) {
          expect(problem.line).toBe(1);
          expect(problem.column).toBeGreaterThan(0);
          expect(problem.column).toBeLessThanOrEqual(text.length + 1);
          expect(problem.message).not.toBe('');
        }
      }),
      40,
    );
  });

  it('may be any text at all', () => {
    holds(
      fc.property(
        fc.oneof(
          fc.string(),
          fc.string({
            unit: fc.constantFrom('a', ':', ' ', '\n', '-', '[', ']', '{', '}', '"', '&', '*', '$', '|', '#', '!', '?'),
          }),
        ),
        (text) => {
          const result = loadText(text);
          expect(result.ok || result.problems.length > 0).toBe(true);
        },
      ),
      300,
    );
  });
});

describe('names', () => {
  const letters = fc.string({ unit: fc.constantFrom('a', 'b', '*'), maxLength: 8 });
  const plain = fc.string({ unit: fc.constantFrom('a', 'b'), maxLength: 10 });

  it('match patterns as regular expressions would', () => {
    holds(
      fc.property(letters, plain, (pattern, name) => {
        expect(matchesGlob(pattern, name)).toBe(new RegExp(`^${pattern.replaceAll('*', '.*')}$`).test(name));
      }),
    );
  });

  it('are as far from each other as back', () => {
    holds(
      fc.property(plain, plain, (a, b) => {
        const distance = editDistance(a, b, 20);
        expect(editDistance(b, a, 20)).toBe(distance);
        expect(distance === 0).toBe(a === b);
        expect(distance).toBeLessThanOrEqual(Math.max(a.length, b.length));
      }),
    );
  });
});
