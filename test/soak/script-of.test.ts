import { describe, expect, it } from 'vitest';
import { SPOKEN } from '../kit/wire-scripts.ts';
import { argumentsOf, drawPlan, idOf, type Send, wordsOf } from './draw-plan.ts';
import { FAULTS, type FaultName } from './faults.ts';
import { readJson } from './read-json.ts';
import { readStream } from './read-stream.ts';
import { scriptOf } from './script-of.ts';
import { hasOutput } from './seen.ts';
import { CLEAN } from './world.ts';

const NAME = { tag: 'q1', target: 's1', n: 1 };
const AT = [0, 0.3, 0.7, 0.999];

const sendOf = (fault: FaultName | null, hasCall: boolean, at = 0.5, words = 5): Send => ({
  ...NAME,
  plan: { ...drawPlan(1, 0, NAME, 'stream', false), fault, hasCall, at, words },
});

const cases = SPOKEN.flatMap((protocol) => [true, false].map((hasCall) => ({ protocol, hasCall })));

describe.each(cases)('$protocol, call: $hasCall', ({ protocol, hasCall }) => {
  it('reads as what was said, as a stream and as JSON', () => {
    const send = sendOf(null, hasCall);
    const { parts } = scriptOf(send, { protocol, form: 'stream', isUsageAsked: true });
    const body = scriptOf(send, { protocol, form: 'json', isUsageAsked: true }).parts.join('');
    for (const answer of [readStream(parts.join(''), protocol, true), readJson(body, protocol, 200)]) {
      expect(answer).toMatchObject({ text: wordsOf(send).join(''), isWhole: true, error: null, oddities: [] });
      expect(answer.usage).toEqual({ input: send.plan.inputTokens, output: send.plan.outputTokens });
      expect(answer.calls.map(({ args, isWhole }) => [args, isWhole])).toEqual(
        hasCall ? [[argumentsOf(send), true]] : [],
      );
      expect([...answer.marks].join()).toContain(idOf(send));
    }
  });

  const ofStream = FAULTS.filter(({ forms }) => forms.some((form) => form === 'stream'));

  it.each(ofStream.filter(({ stage }) => stage === 'after').map(({ name }) => name))(
    '%s shows a beginning',
    (fault) => {
      for (const at of AT) {
        const { status, parts, ending } = scriptOf(sendOf(fault, hasCall, at), {
          protocol,
          form: 'stream',
          isUsageAsked: true,
        });
        const answer = readStream(parts.join(''), protocol, false);
        // One that is damaged goes on behind the damage, and is not whole because a word is missing.
        const isDamaged = answer.oddities.some((text) => text.startsWith('no JSON'));
        const isBroken = ending !== 'over' || answer.error !== null || !answer.isWhole || isDamaged;
        expect([status, hasOutput(answer), isBroken]).toEqual([200, true, true]);
        if (fault !== 'cut_behind_call' && !isDamaged) expect(answer.calls.some(({ isWhole }) => isWhole)).toBe(false);
      }
    },
  );

  it.each(ofStream.filter(({ stage }) => stage === 'before').map(({ name }) => name))('%s shows nothing', (fault) => {
    for (const at of AT) {
      const { status, parts } = scriptOf(sendOf(fault, hasCall, at), { protocol, form: 'stream', isUsageAsked: true });
      if (status !== 200 || fault === 'damaged_before_output') continue;
      expect(hasOutput(readStream(parts.join(''), protocol, false))).toBe(false);
    }
  });
});

describe('a plan', () => {
  const plans = (seed: number, target: string) =>
    Array.from({ length: 4_000 }, (_, i) => drawPlan(seed, 0.3, { tag: `q${i}`, target, n: 1 }, 'stream', false));

  it('follows from the seed', () => {
    expect(plans(7, 's1')).toEqual(plans(7, 's1'));
    expect(plans(7, 's1')).not.toEqual(plans(8, 's1'));
  });

  it('fails at the given share, in every way, and never at the clean target', () => {
    const faults = plans(7, 's1').flatMap(({ fault }) => fault ?? []);
    expect(faults.length / 4_000).toBeGreaterThan(0.27);
    expect(faults.length / 4_000).toBeLessThan(0.33);
    expect(new Set(faults).size).toBe(FAULTS.filter(({ forms }) => forms.some((form) => form === 'stream')).length);
    expect(plans(7, CLEAN).filter(({ fault }) => fault !== null)).toEqual([]);
  });
});
