import { describe, expect, it } from 'vitest';
import { SPOKEN, type Spoken } from '../kit/wire-scripts.ts';
import { ANSWER_FAULTS, type AnswerFault, checkAnswer } from './check-answer.ts';
import { argumentsOf, CALL_NAME, idOf, type Send, type SendPlan, wordsOf } from './draw-plan.ts';
import type { FaultName } from './faults.ts';
import { type Answer, type Asked, emptyAnswer, type Seen } from './seen.ts';
import { CLEAN, LONE, SHAKY, targetId } from './world.ts';

const PLAN: SendPlan = {
  fault: null,
  words: 4,
  pad: 3,
  hasCall: true,
  inputTokens: 11,
  outputTokens: 7,
  paceMs: 0,
  isTorn: false,
  at: 0.5,
};

const send = (target: string, plan: Partial<SendPlan> = {}, n = 1): Send => ({
  tag: 'q1',
  target,
  n,
  plan: { ...PLAN, ...plan },
});

const asked = (rest: Partial<Asked> = {}): Asked => ({
  tag: 'q1',
  protocol: 'openai-responses',
  form: 'stream',
  model: 'main-openai-responses',
  targets: [...SHAKY, CLEAN],
  wantsUsage: true,
  manner: 'stays',
  ...rest,
});

/** All that a client sees of a send that is whole. */
function whole(of: Send, rest: Partial<Answer> = {}): Answer {
  return {
    ...emptyAnswer(),
    text: wordsOf(of).join(''),
    calls: of.plan.hasCall ? [{ id: `call_${idOf(of)}`, name: CALL_NAME, args: argumentsOf(of), isWhole: true }] : [],
    isWhole: true,
    usage: { input: of.plan.inputTokens, output: of.plan.outputTokens },
    marks: new Set([`resp_${idOf(of)}`, `m@${of.target}`]),
    ...rest,
  };
}

/** The beginning of an answer, with the error that ended it. */
const brokenOff = (of: Send, rest: Partial<Answer> = {}): Answer =>
  whole(of, {
    text: wordsOf(of)[0] ?? '',
    calls: [],
    isWhole: false,
    usage: null,
    error: { code: 'stream_interrupted' },
    ...rest,
  });

const failed: Answer = { ...emptyAnswer(), error: { code: 'upstream_error' } };

const seen = (answer: Answer, rest: Partial<Seen> = {}): Seen => ({
  status: 200,
  requestId: 'req_1',
  target: null,
  attempts: null,
  answer,
  end: 'over',
  ...rest,
});

const kinds = (request: Asked, observed: Seen, sends: readonly Send[]): readonly AnswerFault[] =>
  checkAnswer(request, observed, sends).problems.map(({ kind }) => kind);

const GOOD = send('s2');
const CUT = send('s1', { fault: 'cut_after_output' });
const REFUSED = send('s1', { fault: 'error_500' });
const EMPTY = send('s1', { fault: 'empty', outputTokens: 0 });
const ofEmpty = (of: Send): Answer => whole(of, { text: '', calls: [] });

describe('what a client may see', () => {
  const rows: readonly (readonly [string, Asked, Seen, readonly Send[]])[] = [
    ['the whole answer', asked(), seen(whole(GOOD)), [GOOD]],
    ['the whole answer behind a failure', asked(), seen(whole(GOOD)), [REFUSED, GOOD]],
    [
      'a head that tells',
      asked(),
      seen(whole(GOOD), { target: targetId('s2', 'openai-responses'), attempts: 1 }),
      [GOOD],
    ],
    ['an honest error after output', asked(), seen(brokenOff(CUT)), [CUT]],
    [
      'a broken call',
      asked(),
      seen(
        brokenOff(CUT, {
          text: wordsOf(CUT).join(''),
          calls: [{ id: `call_${idOf(CUT)}`, name: CALL_NAME, args: '{"of', isWhole: false }],
        }),
      ),
      [CUT],
    ],
    [
      'the second answer without output',
      asked(),
      seen(ofEmpty(send('s2', { fault: 'empty', outputTokens: 0 }))),
      [EMPTY, send('s2', { fault: 'empty', outputTokens: 0 })],
    ],
    ['a total failure where nobody is left', asked({ targets: LONE }), seen(failed, { status: 502 }), [REFUSED]],
    [
      'hidden usage of a Chat stream',
      asked({ protocol: 'openai-chat', wantsUsage: false }),
      seen(whole(GOOD, { usage: null })),
      [GOOD],
    ],
    [
      'whatever came before a client left',
      asked({ manner: 'leaves' }),
      seen(brokenOff(GOOD, { error: null }), { end: 'left' }),
      [GOOD],
    ],
    [
      'nothing, before a client left',
      asked({ manner: 'leaves' }),
      seen(emptyAnswer(), { status: null, end: 'left' }),
      [],
    ],
  ];
  it.each(rows)('%s', (_name, request, observed, sends) => {
    expect(checkAnswer(request, observed, sends).problems).toEqual([]);
  });
});

describe('what is found', () => {
  const other = send('s3');
  const [first = '', second = ''] = wordsOf(GOOD);
  const rows: readonly (readonly [string, readonly AnswerFault[], Asked, Seen, readonly Send[]])[] = [
    ['a word that nobody said', ['wrong'], asked(), seen(whole(GOOD, { text: `${first}${second}and` })), [GOOD]],
    [
      'a word that is missing',
      ['wrong'],
      asked(),
      seen(whole(GOOD, { text: wordsOf(GOOD).slice(1).join('') })),
      [GOOD],
    ],
    [
      'a damaged filler',
      ['wrong'],
      asked(),
      seen(whole(GOOD, { text: wordsOf(GOOD).join('').replace('ü', '\ufffd') })),
      [GOOD],
    ],
    ['an answer of a send that was not made', ['wrong'], asked(), seen(whole(other)), [GOOD]],
    ['an answer of another request', ['wrong'], asked(), seen(whole({ ...GOOD, tag: 'q2' })), [GOOD]],
    ['an answer of nobody', ['wrong'], asked(), seen(whole(GOOD, { text: '', calls: [], marks: new Set() })), [GOOD]],
    ['a call that is missing', ['wrong'], asked(), seen(whole(GOOD, { calls: [] })), [GOOD]],
    [
      'arguments that nobody gave',
      ['wrong'],
      asked(),
      seen(whole(GOOD, { calls: [{ id: 'call_q1.s2.1', name: CALL_NAME, args: '{}', isWhole: true }] })),
      [GOOD],
    ],
    [
      'words of two sends',
      ['mixed'],
      asked(),
      seen(whole(GOOD, { text: wordsOf(CUT)[0] + wordsOf(GOOD).join('') })),
      [CUT, GOOD],
    ],
    ['a call of another send', ['mixed'], asked(), seen(whole(GOOD, { calls: whole(other).calls })), [other, GOOD]],
    [
      'ids of two sends',
      ['mixed'],
      asked(),
      seen(whole(GOOD, { marks: new Set([`resp_${idOf(other)}`, 'm@s2']) })),
      [other, GOOD],
    ],
    [
      'models of two sends',
      ['mixed'],
      asked(),
      seen(whole(GOOD, { marks: new Set([`resp_${idOf(GOOD)}`, 'm@s3']) })),
      [GOOD],
    ],
    ['words twice', ['doubled'], asked(), seen(whole(GOOD, { text: first + wordsOf(GOOD).join('') })), [GOOD]],
    [
      'a call twice',
      ['doubled'],
      asked(),
      seen(whole(GOOD, { calls: [...whole(GOOD).calls, ...whole(GOOD).calls] })),
      [GOOD],
    ],
    ['a cut answer that looks complete', ['false_end'], asked(), seen(whole(CUT)), [CUT]],
    ['a whole call of a cut answer', ['false_end'], asked(), seen(brokenOff(CUT, { calls: whole(CUT).calls })), [CUT]],
    ['an empty answer while others are there', ['false_end'], asked(), seen(ofEmpty(EMPTY)), [EMPTY]],
    ['a failure that another would have cured', ['avoidable'], asked(), seen(failed, { status: 502 }), [REFUSED]],
    ['a break where the send went on', ['avoidable'], asked(), seen(brokenOff(GOOD)), [GOOD]],
    [
      'a connection that breaks',
      ['dishonest'],
      asked(),
      seen(brokenOff(CUT, { error: null }), { end: 'broken' }),
      [CUT],
    ],
    ['a body that is over without an end', ['dishonest'], asked(), seen(brokenOff(CUT, { error: null })), [CUT]],
    [
      'a break that blames the client',
      ['dishonest'],
      asked(),
      seen(brokenOff(CUT, { error: { code: 'invalid_request_error' } })),
      [CUT],
    ],
    ['events that no client bears', ['malformed'], asked(), seen(whole(GOOD, { oddities: ['half a frame'] })), [GOOD]],
    ['tokens of another send', ['usage'], asked(), seen(whole(GOOD, { usage: { input: 11, output: 8 } })), [GOOD]],
    [
      'tokens that nobody asked for',
      ['usage'],
      asked({ protocol: 'openai-chat', wantsUsage: false }),
      seen(whole(GOOD)),
      [GOOD],
    ],
    ['tokens that are not told', ['usage'], asked(), seen(whole(GOOD, { usage: null })), [GOOD]],
    [
      'a head with another target',
      ['attribution'],
      asked(),
      seen(whole(GOOD), { target: targetId('s3', 'openai-responses') }),
      [GOOD],
    ],
    [
      'a head with another number of attempts',
      ['attribution'],
      asked(),
      seen(whole(GOOD), { attempts: 1 }),
      [REFUSED, GOOD],
    ],
  ];
  it.each(rows)('%s', (_name, due, request, observed, sends) => {
    expect(kinds(request, observed, sends)).toEqual(due);
  });

  it('is every kind of fault', () => {
    const found = new Set(rows.flatMap(([, due]) => due));
    expect(Object.keys(ANSWER_FAULTS).filter((kind) => !found.has(kind as AnswerFault))).toEqual([]);
  });
});

it.each(SPOKEN)('holds an answer to its own protocol: %s', (protocol: Spoken) => {
  const head = { target: targetId('s2', protocol), attempts: 1 };
  expect(kinds(asked({ protocol }), seen(whole(GOOD), head), [GOOD])).toEqual([]);
});

it.each<FaultName>(['cut_behind_call', 'damaged_after_output', 'stall_after_output'])(
  'never takes an answer that ended with %s for whole',
  (fault) => {
    const of = send('s4', { fault });
    expect(kinds(asked(), seen(whole(of)), [of])).toContain('false_end');
  },
);
