import { describe, expect, it } from 'vitest';
import type { CanonicalEvent } from '../model/event.ts';
import type { FinishReason } from '../model/finish.ts';
import { UNKNOWN_USAGE, type Usage } from '../model/usage.ts';
import { COMMIT_TABLE, commitRow } from './commit-table.ts';
import { judgeWhole } from './judge.ts';
import { completeOutcome, isFull, type StreamInput, stepStream } from './machine.ts';
import { START, type StreamPolicy, type StreamState } from './phase.ts';

const POLICY: StreamPolicy = {
  commitOn: 'output',
  onContentPolicy: 'stop',
  holdToolEnd: true,
  acceptEmpty: false,
  preflight: { maxBytes: 1000, maxEvents: 100, maxJson: 1000 },
};

const frame = (events: readonly CanonicalEvent[], usage: Usage | null = null): StreamInput => ({
  type: 'frame',
  frame: { bytes: new Uint8Array(4), events, edits: [], count: 1 },
  usage,
});

const say = (type: 'text' | 'reasoning' | 'role' | 'tool_call' | 'done' | 'comment' | 'reasoning_open'): StreamInput =>
  frame([{ type }]);
const finish = (reason: FinishReason, usage: Usage | null = null): StreamInput =>
  frame([{ type: 'finish', reason, raw: reason }], usage);
const END: StreamInput = { type: 'end', usage: null };
const CUT: StreamInput = { type: 'cut', usage: null };

/** Effects of each input in turn, joined; the last state. */
function play(
  inputs: readonly StreamInput[],
  policy: Partial<StreamPolicy> = {},
): { readonly effects: string[]; readonly state: StreamState; readonly cause: unknown } {
  let state = START;
  let cause: unknown = null;
  const effects = inputs.map((input) => {
    const step = stepStream(state, input, { ...POLICY, ...policy });
    state = step.state;
    cause = step.cause ?? cause;
    return step.effects.join('+');
  });
  return { effects, state, cause };
}

const usage = (outputTokens: number, reasoningTokens: number | null = null): Usage => ({
  ...UNKNOWN_USAGE,
  outputTokens,
  reasoningTokens,
  source: 'reported',
});

describe('what commits a stream', () => {
  it.each([
    ['text', [say('role'), say('text')], {}, ['hold', 'commit+write']],
    ['reasoning', [say('role'), say('reasoning')], {}, ['hold', 'commit+write']],
    [
      'reasoning with commitOn: answer',
      [say('reasoning'), say('text')],
      { commitOn: 'answer' },
      ['hold', 'commit+write'],
    ],
    ['a token limit without output', [finish('length')], {}, ['commit+write']],
    ['a refusal without output', [finish('refusal')], {}, ['commit+write']],
    ['a refusal with onContentPolicy: next', [finish('content_filter')], { onContentPolicy: 'next' }, ['fail']],
    ['an empty finish', [finish('stop'), say('done')], {}, ['hold', 'fail']],
    ['an empty finish that is accepted', [finish('stop'), say('done')], { acceptEmpty: true }, ['hold', 'hold+commit']],
    [
      'an empty finish at the end of the body',
      [finish('stop'), END],
      { acceptEmpty: true },
      ['hold', 'commit+complete'],
    ],
    ['nothing at all', [END], {}, ['fail']],
    ['only comments', [say('comment'), END], {}, ['hold', 'fail']],
    ['the bound', [say('role'), { type: 'bound' }, say('text')], {}, ['hold', 'commit', 'write']],
    ['output without a finish', [say('text'), END], {}, ['commit+write', 'interrupt']],
    ['a cut behind an empty finish', [finish('stop'), CUT], {}, ['hold', 'fail']],
    ['one that is accepted', [finish('stop'), CUT], { acceptEmpty: true }, ['hold', 'commit+complete']],
  ] as const)('%s', (_name, inputs, policy, expected) => {
    expect(play(inputs, policy).effects).toEqual(expected);
  });

  it.each([
    ['reported tokens that nothing explains', usage(40), [], 'hold+commit'],
    ['tokens that reasoning counts explain', usage(40, 40), [], 'fail'],
    ['more tokens than the reasoning', usage(40, 30), [], 'hold+commit'],
    ['tokens behind visible reasoning', usage(40), [say('reasoning')], 'fail'],
    ['tokens behind hidden reasoning', usage(40), [say('reasoning_open')], 'fail'],
    ['none', usage(0), [], 'fail'],
  ] as const)('an empty end with %s', (_name, reported, before, expected) => {
    const { effects } = play([...before, finish('stop'), frame([{ type: 'done' }], reported)], { commitOn: 'answer' });
    expect(effects.at(-1)).toBe(expected);
  });

  it('names why', () => {
    expect(play([END]).cause).toEqual({ kind: 'fault', fault: 'empty' });
    expect(play([say('role'), END]).cause).toEqual({ kind: 'fault', fault: 'incomplete' });
    expect(play([finish('stop'), END]).cause).toEqual({ kind: 'fault', fault: 'no_output' });
    expect(play([frame([{ type: 'malformed' }])]).cause).toEqual({ kind: 'fault', fault: 'malformed' });
    expect(play([say('role'), { type: 'clock' }]).cause).toEqual({ kind: 'outside' });
    expect(play([finish('stop'), CUT]).cause).toEqual({ kind: 'fault', fault: 'no_output' });
    expect(play([say('role'), CUT]).cause).toEqual({ kind: 'outside' });
    const broken = frame([{ type: 'finish', reason: 'bad_generation', raw: 'FILTER: MALFORMED' }]);
    expect(play([broken]).cause).toEqual({ kind: 'finish', reason: 'bad_generation' });
  });
});

describe('what is held', () => {
  it('is bounded by bytes and by events, whichever comes first', () => {
    const { state } = play([say('role'), say('comment')]);
    const full = (maxBytes: number, maxEvents: number) =>
      isFull(state, { ...POLICY, preflight: { maxBytes, maxEvents, maxJson: 1000 } });
    expect([full(8, 100), full(9, 100), full(1000, 2), full(1000, 3)]).toEqual([true, false, true, false]);
  });

  it('is nothing any more once it was given out', () => {
    expect(play([say('role'), say('text')]).state).toMatchObject({ heldBytes: 0, heldEvents: 0 });
    const end = frame([{ type: 'tool_end', terminal: false }]);
    const { state } = play([say('role'), say('tool_call'), end, frame([]), end]);
    expect(state).toMatchObject({ phase: 'end_held', heldBytes: 4, heldEvents: 1 });
  });
});

describe('the end of a tool call', () => {
  const call = say('tool_call');
  const end = frame([{ type: 'tool_end', terminal: false }]);
  const last = frame([
    { type: 'tool_end', terminal: true },
    { type: 'finish', reason: 'tool_calls', raw: 'tool_calls' },
  ]);
  const error = frame([{ type: 'error', error: { status: 500, code: null, type: null, param: null, message: '' } }]);
  const endAndError = frame([
    { type: 'tool_end', terminal: false },
    { type: 'error', error: { status: 500, code: null, type: null, param: null, message: '' } },
  ]);
  const data = frame([]);
  const some: StreamInput = {
    type: 'frame',
    frame: { bytes: new Uint8Array(998), events: [], edits: [], count: 1 },
    usage: null,
  };
  const big = { bytes: new Uint8Array((1 << 20) + 1), edits: [], count: 1 };
  const flood: StreamInput = { type: 'frame', frame: { ...big, events: [] }, usage: null };
  const flooding: StreamInput = { type: 'frame', frame: { ...big, events: [{ type: 'comment' }] }, usage: null };
  const HELD = ['commit+write', 'hold_end'];

  it.each([
    ['data releases it', [call, end, data], {}, [...HELD, 'release_end+write']],
    ['a comment does not', [call, end, say('comment'), data], {}, [...HELD, 'queue', 'release_end+write']],
    ['a ping does not', [call, end, frame([{ type: 'ping' }]), data], {}, [...HELD, 'queue', 'release_end+write']],
    ['an error in the same frame', [call, endAndError], {}, ['commit+write', 'interrupt']],
    ['an error drops it', [call, end, error], {}, [...HELD, 'discard_end+interrupt']],
    ['a cut drops it', [call, last, { type: 'cut', usage: null }], {}, [...HELD, 'discard_end+interrupt']],
    ['a clean end drops one that is no terminal', [call, end, END], {}, [...HELD, 'discard_end+interrupt']],
    ['a clean end releases a terminal', [call, last, END], {}, [...HELD, 'release_end+complete']],
    ['the end mark releases it', [call, last, say('done')], {}, [...HELD, 'release_end+write']],
    [
      'all: data does not release it',
      [call, last, data, say('done')],
      { holdToolEnd: 'all' },
      [...HELD, 'queue', 'release_end+write'],
    ],
    [
      'all: a flood releases it',
      [call, last, flood, data],
      { holdToolEnd: 'all' },
      [...HELD, 'queue', 'release_end+write'],
    ],
    [
      'all: what the preflight may hold is the bound as well',
      [call, last, some, data],
      { holdToolEnd: 'all' },
      [...HELD, 'queue', 'release_end+write'],
    ],
    [
      'a flood of comments is left out',
      [call, last, flood, flooding, say('done')],
      { holdToolEnd: 'all' },
      [...HELD, 'queue', 'leave_out', 'release_end+write'],
    ],
    [
      'what follows says nothing of the frame that waits',
      [call, end, last, { type: 'cut', usage: null }],
      {},
      [...HELD, 'release_end+hold_end', 'discard_end+interrupt'],
    ],
    ['false: it goes through', [call, last, error], { holdToolEnd: false }, ['commit+write', 'write', 'complete']],
    [
      'a whole call in one frame waits before the commit',
      [
        frame([
          { type: 'tool_call' },
          { type: 'tool_end', terminal: true },
          { type: 'finish', reason: 'tool_calls', raw: null },
        ]),
        error,
      ],
      {},
      ['hold', 'fail'],
    ],
    [
      'and commits with what follows',
      [
        frame([
          { type: 'tool_call' },
          { type: 'tool_end', terminal: true },
          { type: 'finish', reason: 'tool_calls', raw: null },
        ]),
        say('done'),
      ],
      {},
      ['hold', 'commit+write'],
    ],
    [
      'before the commit, a clean end gives out a terminal one',
      [frame([{ type: 'tool_call' }, { type: 'tool_end', terminal: true }]), END],
      {},
      ['hold', 'commit+complete'],
    ],
    [
      'before the commit, a clean end fails behind any other',
      [frame([{ type: 'tool_call' }, { type: 'tool_end', terminal: false }]), END],
      {},
      ['hold', 'fail'],
    ],
  ] as const)('%s', (_name, inputs, policy, expected) => {
    expect(play(inputs, policy).effects).toEqual(expected);
  });
});

describe('behind a terminal', () => {
  it.each([
    ['a cut', { type: 'cut', usage: null }],
    ['an error', frame([{ type: 'error', error: { status: 500, code: null, type: null, param: null, message: '' } }])],
    ['a clock', { type: 'clock' }],
  ] as const)('%s leaves the answer whole', (_name, input) => {
    expect(play([say('text'), finish('stop'), input]).effects.at(-1)).toBe('complete');
  });

  it('the first finish stands', () => {
    expect(completeOutcome(play([say('text'), finish('length'), finish('stop')]).state)).toBe('ok_truncated');
  });

  it.each([
    ['stop', 'ok', 'ok'],
    ['length', 'ok_truncated', 'ok_truncated'],
    ['content_filter', 'ok_filtered', 'refused'],
    ['refusal', 'ok_filtered', 'refused'],
    ['unknown', 'ok', 'ok'],
  ] as const)('finish %s is %s with output and %s without', (reason, withOutput, without) => {
    expect(completeOutcome(play([say('text'), finish(reason)]).state)).toBe(withOutput);
    expect(completeOutcome(play([finish(reason)], { acceptEmpty: true }).state)).toBe(without);
  });
});

describe('a whole answer', () => {
  it.each([
    [
      'text and a finish',
      [{ type: 'text' }, { type: 'finish', reason: 'stop', raw: 'stop' }],
      { isAnswer: true, outcome: 'ok' },
    ],
    ['text without a finish', [{ type: 'text' }], { isAnswer: true, outcome: 'ok' }],
    ['nothing', [], { isAnswer: false, cause: { kind: 'fault', fault: 'no_answer' } }],
    [
      'an empty finish',
      [{ type: 'finish', reason: 'stop', raw: 'stop' }],
      { isAnswer: false, cause: { kind: 'fault', fault: 'no_output' } },
    ],
    [
      'a finish that failed',
      [{ type: 'text' }, { type: 'finish', reason: 'error', raw: 'error' }],
      { isAnswer: false, cause: { kind: 'finish', reason: 'error' } },
    ],
  ] as const)('%s', (_name, events, expected) => {
    expect(judgeWhole(events, null, POLICY)).toMatchObject(expected);
  });
});

describe('the commit table', () => {
  const TYPES = [...new Set(COMMIT_TABLE.flatMap((row) => row.events))];
  const REASONS = [...new Set(COMMIT_TABLE.flatMap((row) => row.reasons ?? []))];

  it('has exactly one row for every event and finish', () => {
    for (const type of TYPES) {
      for (const reason of type === 'finish' ? REASONS : [null]) {
        const rows = COMMIT_TABLE.filter(
          (row) =>
            row.events.includes(type) && (row.reasons === undefined || row.reasons.includes(reason as FinishReason)),
        );
        expect(
          rows.map(({ id }) => id),
          `${type} ${reason}`,
        ).toHaveLength(1);
        expect(commitRow(type, reason)).toBe(rows[0]);
      }
    }
    expect(REASONS.length).toBe(8);
    expect(TYPES.length).toBe(31);
  });
});
