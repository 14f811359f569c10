import { describe, expect, it } from 'vitest';
import type { EventType, OutputType } from '../model/event.ts';
import { COMMIT_TABLE, isOutput, isSeen } from './commit-table.ts';

/** The type of events that are output, as a list that the compiler holds against it. */
const OUTPUT_TYPES: { readonly [T in OutputType]: true } = {
  text: true,
  refusal: true,
  tool_call: true,
  image: true,
  audio: true,
  citation: true,
  unknown_content: true,
};

const typesWith = (is: (event: { readonly type: EventType }) => boolean): readonly EventType[] =>
  COMMIT_TABLE.flatMap(({ events }) => events).filter((type, at, all) => all.indexOf(type) === at && is({ type }));

describe('what counts as output', () => {
  it('is what the model of events calls so', () => {
    expect(typesWith(isOutput)).toEqual(Object.keys(OUTPUT_TYPES));
  });

  it('a reader sees the reasoning too, and that a tool call is whole', () => {
    expect(typesWith((event) => isSeen(event) && !isOutput(event))).toEqual(['reasoning', 'tool_end']);
  });
});
