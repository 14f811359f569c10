import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { Field } from '../../src/core/event/field.ts';
import { createSanitizer, EVENT_NAMES, EVENTS, makeEvent, readEvent, writeEvent } from '../../src/core/event/index.ts';
import { definitionOf } from '../../src/core/event/schema.ts';
import { GENUINE_EVENTS } from '../fault/hostile-log.ts';
import { assertProperty } from '../kit/assert-property.ts';

const names = fc.constantFrom(...EVENT_NAMES);

/** Every member name of every event, and what objects have anyway. */
const members = fc.constantFrom(
  ...new Set(Object.values(EVENTS).flatMap(({ fields }) => Object.keys(fields))),
  'event',
  'v',
  'at',
  '__proto__',
  'constructor',
  'toJSON',
  'prompt',
  'reason',
);

/** Values as fields want them, and near them. */
const likely: { readonly [T in Field['type']]: fc.Arbitrary<unknown> } = {
  word: fc.constantFrom('ok', 'auth', 'ready', 'route', 'OK', 'ok ', 'gemini'),
  name: fc.constantFrom('main', 'a/m', 'a/m#k', 'k', 'h.test:443', 'req_01M8MS841BBW20Y4VK3CPK1Y9S', 'a b', 'é'),
  whole: fc.oneof(fc.integer(), fc.double(), fc.constantFrom(0, -0, 1, 200, Number.NaN, 1e21)),
  flag: fc.boolean(),
  time: fc.oneof(fc.integer(), fc.double(), fc.constantFrom('2026-11-29T23:11:39.217Z', '2026-02-30T00:00:00.000Z')),
};
const value = fc.oneof(fc.anything(), ...Object.values(likely));
const anyObject = fc.oneof(
  fc.dictionary(fc.oneof(members, fc.string()), value),
  fc.array(fc.tuple(members, value)).map((pairs) => Object.fromEntries(pairs)),
);

describe('events', () => {
  it('are read back as they were made, whatever they were made of', () => {
    assertProperty(
      fc.property(names, anyObject, (name, fields) => {
        const { event, dropped } = makeEvent(name, fields);
        const line = writeEvent(event);
        expect(readEvent(line)).toEqual(event);
        expect(line).toMatch(/^[\x20-\x7e]+$/);
        const told = Object.entries(fields).filter(([, each]) => each !== undefined && each !== null);
        expect(Object.keys(event).length - 2 + dropped).toBe(told.length);
      }),
      1_000,
    );
  });

  it('have no other members than those of their definition, however they are asked for', () => {
    assertProperty(
      fc.property(names, anyObject, (name, fields) => {
        const { event } = makeEvent(name, fields);
        const known = ['event', 'v', 'at', ...Object.keys(definitionOf(name).fields)];
        for (const key of Object.keys(event)) expect(known).toContain(key);
      }),
    );
  });

  it('are no text that is not one to the letter', () => {
    const text = fc.oneof(fc.string({ unit: 'binary' }), fc.json(), fc.constantFrom(...GENUINE_EVENTS));
    assertProperty(
      fc.property(text, (line) => {
        const event = readEvent(line);
        if (event === null) return;
        const { event: name, v: _, ...fields } = event;
        expect(makeEvent(name, fields)).toEqual({ event, dropped: 0 });
        expect(Object.keys(JSON.parse(line) as object).toSorted()).toEqual(Object.keys(event).toSorted());
        expect(writeEvent(event).length).toBe(line.length);
      }),
      500,
    );
  });

  it('are none any more once a letter is put in, left out or changed, but for one that makes another word', () => {
    const edit = fc.record({
      line: fc.constantFrom(...GENUINE_EVENTS),
      at: fc.nat(400),
      cut: fc.constantFrom(0, 1),
      put: fc.string({ unit: 'binary', maxLength: 2 }),
    });
    assertProperty(
      fc.property(edit, ({ line, at, cut, put }) => {
        const changed = line.slice(0, at) + put + line.slice(at + cut);
        const event = readEvent(changed);
        // Another digit, another letter of a name: an event again, and what it says is just what stands there.
        expect(event === null ? null : (JSON.parse(changed) as unknown)).toEqual(event);
        for (const bad of ['\u001b', '\0', '\n', 'é', ' '])
          if (put.includes(bad) && at < line.length) expect(readEvent(changed)).toBeNull();
      }),
      1_000,
    );
  });

  it('come through a sanitizer whole among any lines, which do not', () => {
    const lines = fc.array(
      fc.oneof(
        fc.constantFrom(...GENUINE_EVENTS),
        fc.string().filter((text) => readEvent(text) === null),
        fc.constant(null),
      ),
    );
    assertProperty(
      fc.property(lines, (log) => {
        const sanitizer = createSanitizer(() => false);
        const passed = [...log.flatMap((line) => sanitizer.push(line)), ...sanitizer.end()];
        const isGenuine = (line: string | null): boolean => line !== null && GENUINE_EVENTS.includes(line);
        expect(passed.filter(isGenuine)).toEqual(log.filter(isGenuine));
        for (const line of passed.filter((each) => !isGenuine(each)))
          expect(line).toMatch(/^\{"(?:omitted_lines":\d+|event":"traceback","type":"[A-Za-z]+")\}$/);
        const again = createSanitizer(() => false);
        expect([...passed.flatMap((line) => again.push(line)), ...again.end()]).toEqual(passed);
      }),
      300,
    );
  });
});
