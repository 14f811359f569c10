import { describe, expect, it } from 'vitest';
import { readBehaviour, VOICED, viewOf } from '../../../test/kit/provider-bench.ts';
import type { Behaviour, Fault, FaultPlace } from '../scenario/scenario.ts';

const FAULTS: readonly Fault[] = [
  'close',
  'reset',
  'bad_encoding',
  'bad_http',
  'end',
  'stall',
  'error',
  'damaged',
  'half',
  'noise',
  'html',
  'flood',
  'huge',
  'repeat',
  'unterminated',
];

const PLACES: readonly FaultPlace[] = [
  'head',
  'before_output',
  0,
  2,
  99,
  'in_tool',
  'behind_tool',
  'before_end',
  'behind_finish',
  'behind_end',
];

/** Answers of every make-up: what stands around a place decides what may be lost there. */
const ANSWERS: readonly Behaviour[] = [
  { words: 4 },
  { words: 3, reasoning: 2, tools: 2 },
  { words: 0, tools: 1, usage: false },
  { words: 0, reasoning: 2 },
  { words: 0 },
  { words: 2, tools: 2, parallel: true, quirks: ['no_finish'] },
  { words: 2, quirks: ['preamble', 'late_start', 'finish_with_word'] },
];

/** Hours of comments, and megabytes, are not read at every place. */
const COSTLY: ReadonlySet<Fault> = new Set(['flood', 'huge']);
const FEW_PLACES: readonly FaultPlace[] = ['before_output', 'behind_tool', 'behind_end'];

const PACE: Behaviour = { connectMs: 3, headMs: 20, firstWordMs: 100, wordMs: 10, pings: 2, endMs: 5 };

describe.each(VOICED)('%s', (protocol) => {
  const cases = ['stream', 'json'].flatMap((shape) => FAULTS.map((kind) => [shape, kind] as const));

  it.each(cases)('%s: %s at any place is what its truth says', (shape, kind) => {
    const isCostly = COSTLY.has(kind);
    for (const at of isCostly ? FEW_PLACES : PLACES) {
      for (const answer of isCostly || shape === 'json' ? ANSWERS.slice(1, 2) : ANSWERS) {
        const behaviour: Behaviour = { ...PACE, ...answer, fault: { kind, at } };
        const { truth, wholeAt, firstOutputAt } = readBehaviour(behaviour, viewOf(protocol, shape === 'stream'));
        // Behind a silence it is whole for whoever gives up waiting.
        const lastsMs = Number.isNaN(wholeAt) ? null : wholeAt;
        const seen = { isWhole: wholeAt !== null, lastsMs, firstOutputMs: firstOutputAt };
        expect(truth, JSON.stringify(behaviour)).toMatchObject(seen);
      }
    }
  });

  it('most faults leave no whole answer, and those that do nothing leave one', () => {
    const isWhole = (kind: Fault, at: FaultPlace, stream = true): boolean | undefined =>
      readBehaviour({ words: 4, tools: 1, fault: { kind, at } }, viewOf(protocol, stream)).truth?.isWhole;
    for (const kind of FAULTS) {
      const isHarmless = kind === 'noise' || kind === 'huge' || kind === 'repeat';
      const isOptional = kind === 'unterminated' && !['openai-responses', 'gemini'].includes(protocol);
      expect(isWhole(kind, 2), kind).toBe(isHarmless || isOptional);
      expect(isWhole(kind, 'behind_end'), kind).toBe(kind !== 'unterminated' || isOptional);
      expect(isWhole(kind, 2, false), kind).toBe(kind === 'noise' || kind === 'huge');
    }
  });

  it.each<[FaultPlace, text: string, extra: number]>([
    ['head', '<7.0> <7.1> ', 0],
    ['before_output', '<7.0> <7.1> ', 1],
    [1, '<7.0> <7.0> <7.1> ', 1],
    ['before_end', '<7.0> <7.1> <7.1> ', 1],
    ['behind_end', '<7.0> <7.1> ', 1],
  ])('at %s one frame comes twice, and says %j', (at, text, some) => {
    // In front of its first word Gemini says nothing that could come twice.
    const extra = at === 'before_output' && protocol === 'gemini' ? 0 : some;
    const framesOf = (fault: Behaviour['fault']) =>
      readBehaviour({ words: 2, ...(fault === undefined ? {} : { fault }) }, viewOf(protocol, true));
    const { delivery, truth } = framesOf({ kind: 'repeat', at });
    expect(truth?.text).toBe(text);
    expect(delivery.bytes.length - framesOf(undefined).delivery.bytes.length).toBe(extra);
  });

  it.each(['own', 'failed', 'twice', 'joined', 'text', 'field'] as const)('an error told as %s is one', (form) => {
    const fault = { kind: 'error', at: 2, code: 'overloaded_error', form } as const;
    const { events, wholeAt, delivery } = readBehaviour({ fault }, viewOf(protocol, true));
    expect(wholeAt).toBeNull();
    const error = events.find((event) => event.type === 'error');
    expect(error?.error.message).toContain('says no');
    if (form !== 'text') expect([error?.error.code, error?.error.type]).toContain('overloaded_error');
    expect(delivery.end).toBe('clean');
  });
});
