import { describe, expect, it } from 'vitest';
import { makeModel, makeTarget, SECOND } from '../../../test/kit/health-fixtures.ts';
import { createRound, fillOrder } from './create-round.ts';
import { interleave, takeTurns } from './interleave.ts';
import { nextProbes } from './next-probes.ts';
import { noteResult } from './note-result.ts';
import type { ProbeResult, Round, RoundSettings, RoundView } from './round.ts';
import type { Standing } from './standing.ts';

const NOW = 1_700_000_000_000;
const SETTINGS: RoundSettings = {
  targetReady: 8,
  maxProbes: 16,
  maxTokens: 65_536,
  tokens: 16,
  escalatedTokens: 1024,
  maxEscalations: 4,
};
const ASK: Standing = { word: 'ask' };
const VIEW: RoundView = { standing: () => ASK, isBusy: () => false, room: () => Number.POSITIVE_INFINITY };

const OK: ProbeResult = { state: 'ready', status: 200, latencyMs: 10, tokens: null, lacksRoom: false, limited: null };
const GONE: ProbeResult = { ...OK, state: 'rejected', status: 404 };
const HIDDEN: ProbeResult = { ...OK, lacksRoom: true };
const UNSENT: ProbeResult = { ...OK, state: null, status: null };
const limited = (until: number, told = false): ProbeResult => ({
  ...OK,
  state: 'deferred',
  status: 429,
  limited: { until, told },
});

const main = (...ids: readonly string[]) => makeModel(ids.map((id) => makeTarget(id)));

function roundOf(
  models = [main('a/m')],
  settings: Partial<RoundSettings> = {},
  standing: () => Standing = () => ASK,
): Round {
  return createRound({
    models,
    settings: { ...SETTINGS, ...settings },
    standing,
    now: NOW,
    endsAt: NOW + 60 * SECOND,
  });
}

/** Plays a round in which each probe takes a second; gives what was asked, in order. */
function play(start: Round, results: (route: string, tokens: number) => ProbeResult, view = VIEW) {
  let round = start;
  let now = NOW;
  const asked: string[] = [];
  const dry: string[] = [];
  let underway: { readonly route: string; readonly tokens: number }[] = [];
  for (let turns = 0; turns < 1000; turns++) {
    const turn = nextProbes(round, now, view);
    round = turn.round;
    dry.push(...turn.dry);
    underway.push(...turn.start);
    asked.push(...turn.start.map(({ route, escalated }) => (escalated ? `${route} again` : route)));
    if (turn.wakeAt === null) break;
    now = underway.length > 0 ? now + SECOND : turn.wakeAt;
    const ended = underway;
    underway = [];
    for (const { route, tokens } of ended) {
      const noted = noteResult(round, route, results(route, tokens), now);
      round = noted.round;
      if (noted.isDry) dry.push(route);
    }
  }
  return { round, asked, dry, ms: now - NOW };
}

describe('the order', () => {
  it('takes one of each list in turn', () => {
    expect(takeTurns([['a', 'b', 'c'], [], ['d']])).toEqual(['a', 'd', 'b', 'c']);
    const words = ['ax1', 'ax2', 'ay1', 'bx1', 'bx2'];
    expect(interleave(words, [([first = '']) => first, ([, second = '']) => second])).toEqual([
      'ax1',
      'bx1',
      'ay1',
      'bx2',
      'ax2',
    ]);
    expect(interleave(words, [])).toEqual(words);
  });

  it('goes by tier, then by turns of endpoints and credentials, then as the model says', () => {
    const model = makeModel([
      makeTarget('a/z', { tier: 1 }),
      makeTarget('a/m', {}, ['k1', 'k2']),
      makeTarget('a/n', {}, ['k1', 'k2']),
      makeTarget('b/m'),
      makeTarget('b/n', { tier: 1 }),
    ]);
    expect(fillOrder(model).map(({ route }) => route.id)).toEqual([
      'a/m#k1',
      'b/m#default',
      'a/m#k2',
      'a/n#k1',
      'a/n#k2',
      'a/z#default',
      'b/n#default',
    ]);
  });

  it('gives each model its share, and a route of several models one place', () => {
    const { candidates } = roundOf([main('a/m', 'b/m', 'c/m'), { ...main('d/m', 'b/m'), name: 'other' }]);
    expect(candidates.map(({ route, models }) => `${route} ${models.join('+')}`)).toEqual([
      'a/m#default main',
      'd/m#default other',
      'b/m#default main+other',
      'c/m#default main',
    ]);
  });

  it('leaves out what is known, and counts what was proved', () => {
    for (const word of ['held', 'proved', 'disabled', 'priced'] as const) {
      const round = roundOf([main('a/m', 'b/m')], {}, () => ({ word }));
      expect(round.candidates).toEqual([]);
      expect(round.ready['main'] ?? 0).toBe(word === 'proved' ? 2 : 0);
    }
  });
});

describe('a round', () => {
  it('asks one at a time of a credential, and all credentials at once', () => {
    const round = roundOf([main('a/m', 'a/n', 'b/m')]);
    const turn = nextProbes(round, NOW, VIEW);
    expect(turn.start.map(({ route }) => route)).toEqual(['a/m#default', 'b/m#default']);
    expect(nextProbes(turn.round, NOW, VIEW).start).toEqual([]);
    const busy = { ...VIEW, isBusy: (account: string) => account === 'a/default' };
    expect(nextProbes(round, NOW, busy).start.map(({ route }) => route)).toEqual(['b/m#default']);
    const pool = roundOf([makeModel([makeTarget('a/m', {}, ['k1', 'k2', 'k3'])])]);
    expect(nextProbes(pool, NOW, { ...VIEW, room: () => 2 }).start).toHaveLength(2);
  });

  it.each([
    ['target_ready', { targetReady: 2 }, OK, ['a/m1', 'a/m2']],
    ['max_probes', { maxProbes: 3 }, GONE, ['a/m1', 'a/m2', 'a/m3']],
    ['max_tokens', { maxTokens: 40 }, GONE, ['a/m1', 'a/m2']],
    ['max_tokens', { maxTokens: 40 }, { ...GONE, tokens: 24 }, ['a/m1', 'a/m2']],
    ['max_tokens', { maxTokens: 40 }, { ...GONE, tokens: 25 }, ['a/m1']],
    ['complete', {}, GONE, ['a/m1', 'a/m2', 'a/m3', 'a/m4']],
  ] as const)('ends: %s', (end, settings, result, asked) => {
    const played = play(roundOf([main('a/m1', 'a/m2', 'a/m3', 'a/m4')], settings), () => result);
    expect(played.round.end).toBe(end);
    expect(played.asked).toEqual(asked.map((id) => `${id}#default`));
  });

  it('ends by its time with a probe under way, whose result it still notes', () => {
    const { round } = nextProbes(roundOf([main('a/m', 'a/n')]), NOW, VIEW);
    const turn = nextProbes(round, NOW + 60 * SECOND, VIEW);
    expect(turn.round).toMatchObject({ end: 'max_time', stages: [{ end: 'max_time', endedAt: NOW + 60 * SECOND }] });
    expect(turn).toMatchObject({ wakeAt: null, start: [] });
    const noted = noteResult(turn.round, 'a/m#default', { ...OK, latencyMs: 70_000 }, NOW + 70 * SECOND).round;
    expect(noted.candidates[0]).toMatchObject({ phase: 'done', latencyMs: 70_000 });
    expect(nextProbes(noted, NOW + 71 * SECOND, VIEW).start).toEqual([]);
  });

  it('goes on for a model that has too few, and leaves out what only others need', () => {
    const models = [main('a/m1', 'a/m2', 'a/m3'), { ...main('a/n1', 'a/n2'), name: 'other' }];
    const { asked } = play(roundOf(models, { targetReady: 1 }), (route) => (route.startsWith('a/n') ? GONE : OK));
    expect(asked).toEqual(['a/m1#default', 'a/n1#default', 'a/n2#default']);
  });

  it('leaves out what becomes known meanwhile', () => {
    const standing = (route: string): Standing => ({ word: route === 'a/n#default' ? 'held' : 'ask' });
    const { asked, round } = play(roundOf([main('a/m', 'a/n', 'a/o')]), () => OK, { ...VIEW, standing });
    expect(asked).toEqual(['a/m#default', 'a/o#default']);
    expect(round.candidates[1]).toMatchObject({ phase: 'left', attempts: 0 });
  });

  it('takes back what could not be sent', () => {
    const { round, asked } = play(roundOf([main('a/m', 'a/n')], { maxProbes: 1 }), (route) =>
      route === 'a/m#default' ? UNSENT : OK,
    );
    expect(asked).toEqual(['a/m#default', 'a/n#default']);
    expect(round).toMatchObject({ probes: 1, tokens: 16 });
    expect(round.candidates.map(({ attempts, phase }) => `${attempts} ${phase}`)).toEqual(['0 left', '1 done']);
    expect(noteResult(round, 'a/m#default', OK, NOW).round).toBe(round);
    expect(noteResult(round, 'nobody', OK, NOW).round).toBe(round);
  });
});

describe('two 429s of a credential', () => {
  const pool = () => roundOf([main('a/m1', 'a/m2', 'a/m3', 'b/n1', 'b/n2', 'b/n3', 'b/n4')]);

  it('put the rest of it behind all others until its time, and no further', () => {
    const until = NOW + 3 * SECOND;
    const played = play(pool(), (route) => (/a\/m[12]/.test(route) ? limited(until) : GONE));
    expect(played.asked).toEqual(['a/m1', 'b/n1', 'a/m2', 'b/n2', 'b/n3', 'a/m3', 'b/n4'].map((id) => `${id}#default`));
    expect(played.round).toMatchObject({ end: 'complete', stages: [{ stage: 'first_pass' }] });
  });

  it('are a rule of the first pass alone', () => {
    const played = play(pool(), (route) => (route.startsWith('a/') ? limited(NOW + 20 * SECOND) : GONE));
    expect(played.asked.at(-1)).toBe('a/m3#default');
    expect(played.round.stages.map(({ stage, end }) => `${stage} ${end}`)).toEqual([
      'first_pass complete',
      'second_pass complete',
    ]);
    expect(played.ms).toBe(21 * SECOND);
  });

  it('are no reason to leave anybody out: what can not be waited for is asked at once', () => {
    const played = play(pool(), (route) => (route.startsWith('a/') ? limited(NOW + 600 * SECOND) : GONE));
    expect(played.asked).toHaveLength(7);
    expect(played.ms).toBeLessThan(10 * SECOND);
  });

  it('need to be told to keep it from being asked, and then keep it', () => {
    const told = play(pool(), (route) => (route === 'a/m1#default' ? limited(NOW + 30 * SECOND, true) : GONE));
    expect(told.asked.slice(-2)).toEqual(['a/m2#default', 'a/m3#default']);
    expect(told.ms).toBe(32 * SECOND);
    const long = play(pool(), (route) => (route === 'a/m1#default' ? limited(NOW + 90 * SECOND, true) : GONE));
    expect(long.asked).toHaveLength(5);
    expect(long.round.end).toBe('max_time');
    // Nobody sits the time out where nothing can come of it.
    expect(long.ms).toBe(4 * SECOND);
  });

  it('do not wait for another credential that a server keeps for longer than the round', () => {
    const models = [main('a/m1', 'a/m2', 'a/m3', 'b/n1', 'b/n2')];
    const played = play(roundOf(models), (route) =>
      route.startsWith('b/') ? limited(NOW + 90 * SECOND, true) : limited(NOW + 600 * SECOND),
    );
    expect(played.asked).toEqual(['a/m1', 'b/n1', 'a/m2', 'a/m3'].map((id) => `${id}#default`));
    expect(played.round).toMatchObject({ end: 'max_time', stages: [{}, { stage: 'second_pass' }] });
  });

  it('count only one behind the other', () => {
    const played = play(roundOf([main('a/m1', 'a/m2', 'a/m3', 'a/m4')]), (route) =>
      route === 'a/m2#default' ? GONE : limited(NOW + 30 * SECOND),
    );
    expect(played.ms).toBe(4 * SECOND);
  });
});

describe('more room', () => {
  it('is asked for once, right behind, from a budget of the account', () => {
    const played = play(roundOf([main('a/m1', 'a/m2', 'a/m3', 'b/m')], { maxEscalations: 1 }), (_route, tokens) =>
      tokens === 16 ? HIDDEN : OK,
    );
    expect(played.asked.filter((route) => route.startsWith('a/'))).toEqual([
      'a/m1#default',
      'a/m1#default again',
      'a/m2#default',
      'a/m3#default',
    ]);
    expect(played.dry).toEqual(['a/m2#default', 'a/m3#default']);
    expect(played.round.accounts['a/default']?.escalations).toEqual({ used: 1, denied: 2 });
    expect(played.round.accounts['b/default']?.escalations).toEqual({ used: 1, denied: 0 });
    expect(played.round.ready).toEqual({ main: 2 });
  });

  it('is not granted beyond what a round may cost, nor behind its end', () => {
    for (const settings of [{ maxProbes: 1 }, { maxTokens: 500 }]) {
      const { dry, round } = play(roundOf([main('a/m')], settings), () => HIDDEN);
      expect(dry).toEqual(['a/m#default']);
      expect(round.accounts['a/default']?.escalations).toEqual({ used: 0, denied: 1 });
    }
    const { round } = nextProbes(roundOf(), NOW, VIEW);
    expect(noteResult(round, 'a/m#default', HIDDEN, NOW + 60 * SECOND).isDry).toBe(true);
    // Granted, and then the time was over before its credential was free.
    const granted = noteResult(round, 'a/m#default', HIDDEN, NOW + SECOND).round;
    const over = nextProbes(granted, NOW + 60 * SECOND, VIEW);
    expect(over.dry).toEqual(['a/m#default']);
    expect(over.round.accounts['a/default']?.escalations).toEqual({ used: 0, denied: 1 });
  });

  it('is no matter of the second pass', () => {
    const played = play(roundOf([main('a/m1', 'a/m2', 'a/m3')]), (route) =>
      route === 'a/m3#default' ? HIDDEN : limited(NOW + 10 * SECOND),
    );
    expect(played.asked.at(-1)).toBe('a/m3#default');
    expect(played.dry).toEqual(['a/m3#default']);
  });

  it('that does not help is an answer too', () => {
    const { dry, asked, round } = play(roundOf(), () => HIDDEN);
    expect(asked).toEqual(['a/m#default', 'a/m#default again']);
    expect(dry).toEqual(['a/m#default']);
    expect(round.candidates[0]).toMatchObject({ escalation: 'used', attempts: 2 });
  });
});
