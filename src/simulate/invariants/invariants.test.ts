import { describe, expect, it } from 'vitest';
import {
  askedTwice,
  longRound,
  overlapping,
  paysForTrial,
  recoveredTwice,
  sleeping,
  withProbeSettings,
  withReports,
} from '../../../test/kit/broken-probes.ts';
import {
  afterOne,
  afterTwo,
  changeFailure,
  charged,
  climb,
  commitsEarlier,
  early,
  elsewhere,
  endsAs,
  first,
  inOpenCircuit,
  intoHold,
  later,
  laterTier,
  losesPlace,
  onPolicy,
  opensBefore,
  play,
  refusesLast,
  sameRouteTwice,
  says,
  status,
  usage,
  WHOLE,
  WORLDS,
  type WorldName,
  waits,
  withMost,
  withOnePlace,
  without,
  withoutUsage,
} from '../../../test/kit/broken-runs.ts';
import { withSend } from '../../../test/kit/simulation.ts';
import type { Run } from '../world/run.ts';
import { checkRun, INVARIANTS, type InvariantId } from './index.ts';

const NOTHING = { ...WHOLE, text: '', isWhole: false, lastsMs: null, firstOutputMs: null };

const blamed = (run: Run): readonly InvariantId[] => [...new Set(checkRun(run).map(({ invariant }) => invariant))];

describe('worlds in which nothing is wrong', () => {
  it.each(Object.keys(WORLDS) as readonly WorldName[])('%s', async (name) => {
    expect(checkRun(await play(name))).toEqual([]);
  });
});

const unasked = (route: Run['reports'][number]['report']['models'][number]['routes'][number]) => ({
  ...route,
  attempts: 0,
});

type Case = readonly [what: string, world: WorldName, change: (run: Run) => Run, invariant: InvariantId];

const CUT_TOOL_END = 'event: content_block_stop\ndata: {"type":"content_block_stop","index":1}\n\nevent: error';

const CASES: readonly Case[] = [
  ['words of another send', 'calm', says((text) => text.replace('<0.2>', '<1.2>')), 'a'],
  ['a word that is left out', 'calm', says((text) => text.replace('<0.7> ', '')), 'a'],
  ['a word said twice', 'calm', says((text) => text.replace('<0.1> ', '<0.1> <0.1> ')), 'a'],
  ['another finish', 'calm', says((text) => text.replace('"finish_reason":"stop"', '"finish_reason":"length"')), 'a'],
  ['an answer on record as ok without its end mark', 'calm', says((text) => text.replace('data: [DONE]\n\n', '')), 'a'],
  ['a frame that is not whole', 'calm', says((text) => text.slice(0, -1)), 'a'],
  ['another tool', 'tools', says((text) => text.replaceAll('tool_1', 'tool_7')), 'a'],
  ['another argument', 'tools', says((text) => text.replace('<0.t1>', '<0.t0>')), 'a'],
  ['JSON that is cut', 'json', says((text) => text.slice(0, -1)), 'a'],
  ['the text of a text tool that is lost', 'translated', says((text) => text.replaceAll('<0.t0>', '')), 'a'],
  ['a call that has another name', 'gemini', says((text) => text.replace('tool_0', 'tool_1')), 'a'],
  ['no reason for the end', 'gemini', says((text) => text.replace('"STOP"', '"OTHER"')), 'a'],
  ['output that nobody gave', 'calm', (run) => withSend(run, 0, { truth: null }), 'a'],
  ['an attempt without end', 'calm', without(({ fact }) => fact.type === 'attempt_ended'), 'b'],
  ['a request without end', 'calm', without(({ fact }) => fact.type === 'request_ended'), 'b'],
  ['an end that comes twice', 'calm', first(({ facts }) => ({ facts: facts.flatMap((each) => [each, each]) })), 'b'],
  ['a send on no record', 'failover', without(({ fact }) => 'n' in fact && fact.n === 2), 'b'],
  ['an attempt that was never sent', 'failover', (run) => ({ ...run, sends: run.sends.slice(0, 1) }), 'b'],
  ['a send that went elsewhere', 'calm', (run) => elsewhere(run), 'b'],
  ['telemetry that hears nothing', 'calm', (run) => ({ ...run, told: [] }), 'b'],
  ['telemetry that hears twice', 'calm', (run) => ({ ...run, told: [...run.told, ...run.told] }), 'b'],
  ['a target that was left out', 'refused', (run) => ({ ...afterOne(run), answersOf: () => WHOLE }), 'c'],
  ['a policy by which others were to judge', 'policy', onPolicy('next'), 'c'],
  ['a target that would have been translated', 'missed', afterOne, 'c'],
  ['a repeat that is not made', 'refused', afterTwo, 'c'],
  ['an answer that is bound before it says anything', 'thinks', commitsEarlier(1_000), 'c'],
  ['output that is kept back', 'calm', commitsEarlier(-1), 'c'],
  ['an answer that broke before it said anything', 'cut', (run) => withSend(run, 0, { truth: NOTHING }), 'c'],
  ['a client that is given up', 'calm', endsAs({ outcome: 'client_closed' }), 'd'],
  ['a time for the commit that is up behind it', 'calm', endsAs({ reason: 'timeout_commit' }), 'd'],
  ['a total time that is up too early', 'cut', endsAs({ reason: 'timeout_total' }), 'd'],
  ['a request beyond its time', 'late', later(5_000), 'd'],
  ['an attempt beyond its clock', 'slow', (run) => later(3_000)(run), 'd'],
  ['a clock that is too early', 'slow', early(700), 'd'],
  ['a second send before the others', 'failover', sameRouteTwice, 'e'],
  ['a repeat of what is not repeated', 'repeated', changeFailure({ again: false }), 'e'],
  ['a repeat of a silent target', 'repeated', changeFailure({ outcome: 'timeout_headers' }), 'e'],
  ['more attempts than the budget', 'failover', withMost(1), 'e'],
  ['an attempt that is not charged', 'failover', charged(false), 'e'],
  ['a replay that is charged', 'stale', charged(true), 'e'],
  ['a later tier first', 'calm', laterTier, 'e'],
  [
    'a request with effects that is sent again',
    'unsafe',
    (run) => withSend(run, 0, { behaviour: { status: null }, headAt: null }),
    'e',
  ],
  ['a key in an answer', 'calm', says((text) => text.replace('<0.2>', 'sk-sim-a-4f1c9a2e7b3d')), 'f'],
  ['a key in the log', 'calm', (run) => ({ ...run, notices: ['info key sk-sim-b-4f1c9a2e7b3d is bad'] }), 'f'],
  ['a key that is cut short', 'calm', (run) => ({ ...run, notices: ['info key sk-sim-b-4f1c9a2e7 is bad'] }), 'f'],
  [
    'a prompt in an error',
    'echo',
    says((text) => text.replace('"message":"', '"message":"You are to help with ')),
    'f',
  ],
  ['a key in a reason', 'refused', changeFailure({ reason: 'sk-sim-a-4f1c9a2e7b3d' }), 'f'],
  ['bytes beyond all bounds', 'calm', (run) => ({ ...run, peaks: { ...run.peaks, bufferedBytes: 2 ** 40 } }), 'g'],
  ['bytes without a decision', 'failover', (run) => withSend(run, 0, { delivered: 2 ** 30 }), 'g'],
  ['more at once than a provider takes', 'crowd', withOnePlace, 'g'],
  ['a cut that looks like an end', 'cut', says((text) => text.replace(/data: \{"error".*\n\n/, '')), 'h'],
  ['a mark of success behind an error', 'cut', says((text) => `${text}data: [DONE]\n\n`), 'h'],
  [
    'an interruption by another name',
    'cut',
    says((text) => text.replace('stream_interrupted', 'invalid_request_error')),
    'h',
  ],
  ['a fault of ours that looks like the client’s', 'refused', status(401), 'h'],
  ['two trials at once', 'opened', inOpenCircuit, 'i'],
  ['too many on a ramp', 'crowd', opensBefore, 'i'],
  ['a place that nobody has', 'opened', losesPlace, 'i'],
  ['a circuit that opens for nobody', 'allDown', refusesLast, 'i'],
  ['a timer that keeps the world awake', 'calm', (run) => ({ ...run, quietAt: run.quietAt + 600_000 }), 'j'],
  ['a timer that is left', 'calm', (run) => ({ ...run, leftovers: ['1 timers left'] }), 'j'],
  ['a connection that stays open', 'failover', (run) => withSend(run, 0, { endedAt: null }), 'j'],
  ['a connection that stays long', 'late', (run) => withSend(run, 0, { endedAt: run.quietAt + 9_000 }), 'j'],
  ['a request that is never over', 'calm', first(() => ({ servedAt: null })), 'j'],
  ['unknown usage as 0', 'calm', usage({ inputTokens: 0 }), 'k'],
  ['usage that is lost', 'calm', usage({ inputTokens: null, outputTokens: null, source: 'unknown' }), 'k'],
  [
    'a client that is told of other usage',
    'calm',
    says((text) => text.replace('"prompt_tokens":12', '"prompt_tokens":13')),
    'k',
  ],
  ['usage that telemetry never heard of', 'calm', (run) => ({ ...run, told: [...run.told].map(withoutUsage) }), 'k'],
  ['a wait that is too short', 'limited', waits(2), 'l'],
  ['a wait that is too long', 'limited', waits(30), 'l'],
  ['a wait beyond the most', 'limited', waits(600), 'l'],
  ['a wait that nobody named', 'refused', waits(9), 'l'],
  ['a tool call that is offered twice', 'tools', says((text) => text.replaceAll('call_0_1', 'call_0_0')), 'm'],
  [
    'a tool call that is complete where the stream broke',
    'toolCut',
    says((text) => text.replace('event: error', CUT_TOOL_END)),
    'm',
  ],
  ['a held route that is asked', 'held', intoHold, 'n'],
  ['a probe too many', 'round', withProbeSettings({ maxProbes: 2 }), 'o'],
  ['tokens that nobody granted', 'round', withProbeSettings({ maxTokens: 40 }), 'o'],
  ['a repeat that nobody granted', 'round', withProbeSettings({ maxEscalations: 0 }), 'o'],
  ['a probe behind the end of its round', 'round', longRound, 'o'],
  ['two at once with one credential', 'round', overlapping, 'o'],
  ['one that is called ready too many', 'round', withReports(({ ready }) => ({ ready: ready + 1 })), 'p'],
  ['a candidate that is not counted', 'round', withReports(({ candidates }) => ({ candidates: candidates - 1 })), 'p'],
  ['ready by an answer of long ago', 'back', withProbeSettings({ everyMs: 1 }), 'p'],
  ['a probe that is not counted', 'round', withReports(({ routes }) => ({ routes: routes.map(unasked) })), 'p'],
  ['a route that is asked twice in a round', 'round', askedTwice, 'q'],
  ['an opening that is asked for twice', 'back', recoveredTwice, 'q'],
  ['a route that nobody asks', 'back', sleeping, 'r'],
  ['a client that pays for the trial', 'back', paysForTrial, 's'],
];

describe('what must be seen', () => {
  it.each(CASES)('%s', async (_what, world, change, invariant) => {
    const run = await play(world);
    const broken = change(run);
    expect(broken).not.toEqual(run);
    expect(blamed(broken)).toContain(invariant);
  });

  it('covers every invariant', () => {
    const covered = new Set(CASES.map(([, , , invariant]) => invariant));
    expect([...covered].sort()).toEqual(INVARIANTS.map(({ id }) => id).sort());
  });
});

describe('what is none the less allowed', () => {
  it('a held route that an operator has reset', async () => {
    const run = intoHold(await play('held'));
    const acts = [{ atMs: 1_500, does: 'reset', id: 'a/m#default' }] as const;
    expect(blamed({ ...run, scenario: { ...run.scenario, acts } })).not.toContain('n');
  });

  it('a choice that was made before its server spoke', async () => {
    const run = intoHold(await play('held'), 'chosen before');
    expect(blamed(run)).not.toContain('n');
  });

  it('a failure without a route that would have answered', async () => {
    const run = afterOne(await play('refused'));
    expect(blamed({ ...run, answersOf: () => null })).not.toContain('c');
    expect(blamed({ ...run, answersOf: () => ({ ...WHOLE, lastsMs: 9e9, firstOutputMs: 9e9 }) })).not.toContain('c');
  });

  it('a second trial once the first has proved itself', async () => {
    const run = inOpenCircuit(await play('opened'));
    const onRung = (rung: number): Run => ({
      ...run,
      requests: run.requests.map((each) => ({
        ...each,
        facts: each.facts.map((seen) => ({ ...seen, health: climb(seen.health, rung) })),
      })),
    });
    expect(blamed(onRung(0))).toContain('i');
    expect(blamed(onRung(1))).not.toContain('i');
  });
});
