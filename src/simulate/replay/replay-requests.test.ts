import { describe, expect, it } from 'vitest';
import { SIMULATION_HOST, twoProviders } from '../../../test/kit/simulation.ts';
import type { Outcome } from '../../core/failure/outcome.ts';
import { loadWorldConfig } from '../world/world-config.ts';
import type { RecordedAttempt, RecordedRequest } from './recorded.ts';
import { replayRequests } from './replay-requests.ts';

const AT = Date.UTC(2026, 10, 29, 10, 0, 0);
const SECOND = 1_000;
const MINUTE = 60_000;

function attempt(route: 'a' | 'b', at: number, outcome: Outcome, change: Partial<RecordedAttempt> = {}) {
  const isOk = outcome === 'ok';
  return {
    route: `${route}/m#default`,
    at,
    outcome,
    headAt: at + 200,
    firstOutputAt: isOk ? at + 500 : null,
    endedAt: at + 1_500,
    heldUntil: null,
    outputTokens: null,
    ...change,
  } satisfies RecordedAttempt;
}

/** A request that went to these routes, with these ends, a second and a half after each other. */
function recorded(
  id: string,
  at: number,
  tries: readonly (readonly ['a' | 'b', Outcome])[],
  change: Partial<RecordedRequest> = {},
): RecordedRequest {
  const last = tries.at(-1);
  const attempts = tries.map(([route, outcome], i) => attempt(route, at + i * 1_500, outcome));
  return {
    id,
    at,
    model: 'main',
    protocol: 'openai-chat',
    stream: true,
    key: null,
    outcome: last?.[1] ?? 'overloaded',
    servedBy: last?.[1] === 'ok' ? `${last[0]}/m` : null,
    durationMs: tries.length * 1_500,
    isPlanned: true,
    attempts,
    ...change,
  };
}

function replay(requests: readonly RecordedRequest[], model: object = {}) {
  const loaded = loadWorldConfig(twoProviders('openai-chat', model as Record<string, unknown>));
  if (!loaded.ok) throw new Error(JSON.stringify(loaded));
  return replayRequests({ requests, config: loaded.config, host: SIMULATION_HOST });
}

/** Four requests that the first vendor alone failed, among some that the second answered. */
const BAD_HOUR: readonly RecordedRequest[] = [
  ...[0, 1, 2, 3].map((n) => recorded(`bad ${n}`, AT + n * 20 * SECOND, [['a', 'server_error']])),
  ...[0, 1, 2].map((n) => recorded(`good ${n}`, AT + (10 + n * 20) * SECOND, [['b', 'ok']], { model: 'b/m' })),
];

describe('replayRequests', () => {
  it('finds that another order would have rescued requests, and that nothing else changes', async () => {
    const report = await replay(BAD_HOUR, { targets: ['b/m', 'a/m'] });
    expect(report).toMatchObject({
      from: '2026-11-29T10:00:00.000Z',
      replayed: 7,
      left_out: 0,
      leftovers: [],
      changes: { rescued: 4, same_target: 3, other_target: 0, lost: 0, failed_both: 0, unknown_failed_then: 0 },
      sends: { before: 7, after: 7, unknown: 0, unknown_share: 0 },
      served: [{ target: 'b/m', before: 3, after: 7, after_unknown: 0 }],
      answered: { of: 7, before: 3, after: 7, after_unknown: 0 },
    });
    expect(report.examples).toHaveLength(4);
    expect(report.examples[0]).toEqual({ change: 'rescued', id: 'bad 0', before: 'server_error', after: 'b/m' });
  });

  it('finds nothing to change with the plan that was in force', async () => {
    const requests = [
      recorded('1', AT, [['a', 'ok']]),
      recorded('2', AT + 3 * SECOND, [
        ['a', 'overloaded'],
        ['b', 'ok'],
      ]),
      recorded('3', AT + 9 * SECOND, [['a', 'ok']]),
    ];
    const report = await replay(requests);
    expect(report.changes).toMatchObject({ same_target: 3, rescued: 0, lost: 0, unknown_answered_then: 0 });
    expect(report.sends).toMatchObject({ before: 4, after: 4, unknown: 0 });
  });

  it('takes the attempts of a request on one route in turn', async () => {
    const again = recorded('1', AT, [
      ['a', 'overloaded'],
      ['a', 'ok'],
    ]);
    const report = await replay([again], { targets: ['a/m'] });
    expect(report).toMatchObject({ changes: { same_target: 1 }, sends: { before: 2, after: 2, unknown: 0 } });
  });

  it('tells what would be lost, and what would go elsewhere', async () => {
    const requests = [
      recorded('1', AT, [
        ['a', 'server_error'],
        ['b', 'ok'],
      ]),
      recorded('2', AT + 20 * SECOND, [['a', 'ok']]),
      recorded('3', AT + 21 * SECOND, [['b', 'ok']]),
    ];
    const alone = await replay(requests, { targets: ['a/m'], retry: { maxAttempts: 1 } });
    expect(alone.changes).toMatchObject({ lost: 1, same_target: 1, other_target: 1 });
    expect(alone.answered).toEqual({ of: 3, before: 3, after: 2, after_unknown: 0 });
    expect(alone.examples).toEqual([
      { change: 'lost', id: '1', before: 'b/m', after: 'server_error' },
      { change: 'other_target', id: '3', before: 'b/m', after: 'a/m' },
    ]);
    expect(alone.served).toEqual([
      { target: 'a/m', before: 1, after: 2, after_unknown: 0 },
      { target: 'b/m', before: 2, after: 0, after_unknown: 0 },
    ]);
  });

  it('counts as unknown what no attempt near tells, and rescues nothing by it', async () => {
    const far = [recorded('far', AT - 6 * MINUTE, [['b', 'ok']], { model: 'b/m' })];
    const report = await replay([...far, recorded('1', AT, [['a', 'server_error']])], { targets: ['b/m', 'a/m'] });
    expect(report.changes).toMatchObject({ same_target: 1, rescued: 0, unknown_failed_then: 1 });
    expect(report.sends).toMatchObject({ after: 2, unknown: 1, unknown_share: 0.5 });
    expect(report.served).toEqual([{ target: 'b/m', before: 1, after: 2, after_unknown: 1 }]);
  });

  it('takes what was wrong with one request for no fault of its route, and JSON for no measure of streams', async () => {
    const near = [
      recorded('odd', AT + SECOND, [['b', 'bad_request']], { model: 'b/m' }),
      recorded('json', AT + SECOND, [['b', 'ok']], { model: 'b/m', stream: false }),
    ];
    const report = await replay([...near, recorded('1', AT, [['a', 'ok']])], { targets: ['b/m'] });
    expect(report.changes).toMatchObject({ failed_both: 1, same_target: 1, unknown_answered_then: 1 });
  });

  it('counts names that are gone, clients that left, and what can not be replayed', async () => {
    const requests = [
      recorded('gone', AT, [['a', 'ok']], { model: 'old' }),
      recorded('gone too', AT, [['a', 'server_error']], { model: 'old' }),
      recorded('left', AT + SECOND, [['a', 'client_closed']], { outcome: 'client_closed' }),
      recorded('running', AT, [], { outcome: null }),
      recorded('refused', AT, [], { outcome: 'rejected', isPlanned: false }),
      recorded('nameless', AT, [], { model: null }),
      recorded('other', AT, [['a', 'ok']], { protocol: 'bedrock-converse' }),
      recorded('nobody there', AT + 2 * SECOND, []),
    ];
    const report = await replay(requests);
    expect(report).toMatchObject({
      left_out: 4,
      replayed: 2,
      refused: { requests: 2, answered_then: 1, models: [{ model: 'old', requests: 2 }] },
      changes: { client_left: 1, rescued: 1 },
      answered: { of: 3, before: 1, after: 1 },
    });
  });

  it('has nothing to tell of nothing', async () => {
    expect(await replay([])).toMatchObject({ from: null, replayed: 0, sends: { unknown_share: null }, served: [] });
  });
});
