import { describe, expect, it } from 'vitest';
import type {
  AttemptView,
  OverviewView,
  ReadinessEvent,
  RequestView,
  ScopeView,
  UsageRow,
} from '../../../src/management/contract.ts';
import { faultsOf } from './faults.ts';
import { groupScopes, outNow, sendsByRoute } from './group-scopes.ts';
import { phasesOf, ticksOf } from './phases.ts';
import { afterStep, NO_PROBES } from './probe-progress.ts';
import { stacked } from './stacked.ts';
import { sumUsage, wastedOf } from './usage-sums.ts';
import { tellAffected, tellBlame, tellBroken } from './verdict.ts';

// oxlint-disable-next-line typescript/no-unnecessary-type-parameters -- as much of a view as a test needs
const part = <T>(value: unknown): T => value as T;

const scope = (kind: ScopeView['kind'], id: string, more: Partial<ScopeView> = {}): ScopeView =>
  part<ScopeView>({
    kind,
    id,
    target: null,
    credential: null,
    endpoint: null,
    state: 'ready',
    until: null,
    last: null,
    ...more,
  });

const route = (target: string, credential: string, more: Partial<ScopeView> = {}): ScopeView =>
  scope('route', `${target}#${credential}`, { target, credential, endpoint: 'h:1', ...more });

describe('scopes', () => {
  const until = '2026-01-01T00:00:00.000Z';
  const scopes = [
    route('a/x', 'team', { state: 'rejected', until }),
    route('b/y', 'default', { state: 'open', until: '2026-01-01T00:00:09.000Z' }),
    route('a/x', 'spare'),
    scope('credential', 'a/team', { state: 'rejected', until }),
    scope('credential', 'b/default'),
    scope('endpoint', 'h:1'),
  ];

  it('are grouped by provider, then by target', () => {
    const [a, b] = groupScopes(scopes);
    expect([a?.provider, b?.provider]).toEqual(['a', 'b']);
    expect(a?.credentials.map(({ id }) => id)).toEqual(['a/team']);
    expect(a?.targets.map(({ target, routes }) => [target, routes.length])).toEqual([['a/x', 2]]);
  });

  it('that are out are told by their cause', () => {
    expect(outNow(scopes).map(({ scope: { id }, behind }) => [id, behind])).toEqual([
      ['a/team', 1],
      ['b/y#default', 0],
    ]);
  });

  it('have their last sends, the oldest first', () => {
    const request = (id: string, at: string, outcomes: readonly string[]): RequestView =>
      part<RequestView>({
        id,
        kind: 'answer',
        started_at: at,
        attempts: outcomes.map((outcome, n) => ({ target: 'a/x', credential: 'team', outcome, started_ms: n })),
      });
    const sends = sendsByRoute(
      [
        request('2', '2026-01-01T00:00:02Z', ['ok']),
        request('1', '2026-01-01T00:00:01Z', ['overloaded', 'auth', 'ok']),
      ],
      3,
    );
    expect(sends.get('a/x#team')?.map(({ request: id, outcome }) => `${id} ${outcome}`)).toEqual([
      '1 auth',
      '1 ok',
      '2 ok',
    ]);
  });
});

describe('the verdict', () => {
  const failed = (component: string | null, outcome = 'overloaded'): RequestView =>
    part<RequestView>({ component, outcome });

  it('blames whom most failures belong to', () => {
    expect(tellBlame(0, []).answer).toBe('Nobody to blame');
    expect(tellBlame(3, []).answer).toBe('Not known yet');
    const mixed = [
      failed('target'),
      failed('endpoint'),
      failed('gateway'),
      failed('client', 'client_closed'),
      failed(null, 'ok'),
    ];
    expect(tellBlame(3, mixed)).toMatchObject({
      answer: 'No, providers fail',
      more: '2 by a provider, 1 by the gateway itself.',
    });
    expect(tellBlame(9, mixed).more).toBe('Of the newest 3: 2 by a provider, 1 by the gateway itself.');
    expect(tellBlame(1, [failed('gateway')]).answer).toBe('Yes, the gateway');
    expect(tellBlame(1, [failed('credential')])).toMatchObject({ answer: 'Our keys', tone: 'bad' });
  });

  it('names what is broken', () => {
    const overview = (targets: readonly object[]): OverviewView => part<OverviewView>({ targets });
    expect(tellBroken(overview([{ target: 'a/x', attempts: 3, failed: 0, outcomes: [] }])).answer).toBe('Nothing');
    const broken = overview([
      { target: 'a/x', attempts: 7, failed: 4, outcomes: [{ outcome: 'overloaded', count: 4 }] },
      { target: 'b/y', attempts: 7, failed: 1, outcomes: [{ outcome: 'auth', count: 1 }] },
    ]);
    expect(tellBroken(broken)).toMatchObject({ answer: 'a/x', more: 'overloaded: 4 of 7 sends. 1 more target fails.' });
  });

  it('names who is affected', () => {
    const row = (model: string | null, key: string | null, n: number): UsageRow =>
      part<UsageRow>({ model, key, failed: n });
    expect(tellAffected(0, [row('main', 'ci', 2)]).answer).toBe('Nobody');
    expect(tellAffected(2, [row('main', 'ci', 2), row('other', null, 0)])).toMatchObject({
      answer: 'Who asks for main',
      more: '2 requests failed. By key: ci.',
      models: ['main'],
    });
    expect(tellAffected(3, [row('a', null, 1), row('b', null, 2)])).toMatchObject({
      answer: 'Who asks for 2 models',
      models: ['b', 'a'],
    });
  });
});

describe('the phases of an attempt', () => {
  const attempt = (more: Partial<AttemptView>): AttemptView =>
    part<AttemptView>({ started_ms: 10, headers_ms: 30, ended_ms: 100, committed: true, ...more });

  it('are waiting, holding back and passing on', () => {
    expect(phasesOf(attempt({}), 50, 200)).toEqual([
      { name: 'wait', from: 10, to: 30 },
      { name: 'hold', from: 30, to: 50 },
      { name: 'stream', from: 50, to: 100 },
    ]);
  });

  it('end with it, or now', () => {
    expect(phasesOf(attempt({ headers_ms: null, committed: false }), null, 200)).toEqual([
      { name: 'wait', from: 10, to: 100 },
    ]);
    expect(phasesOf(attempt({ ended_ms: null, committed: false }), null, 200)).toEqual([
      { name: 'wait', from: 10, to: 30 },
      { name: 'hold', from: 30, to: 200 },
    ]);
    // The clocks of the page and the gateway may differ.
    expect(phasesOf(attempt({ ended_ms: null, headers_ms: null }), null, 3)).toEqual([
      { name: 'wait', from: 10, to: 10 },
    ]);
  });

  it.each([
    [3200, [1000, 2000, 3000]],
    [28, [10, 20]],
    [955, [500]],
    [1, [1]],
    [0, []],
  ])('stand on an axis of %d ms', (whole, ticks) => expect(ticksOf(whole)).toEqual(ticks));
});

it('adds the parts of bars up', () => {
  expect(
    stacked([
      [1, 2],
      [3, 4],
      [5, 6],
    ]),
  ).toEqual([
    [1, 2],
    [4, 6],
    [9, 12],
  ]);
  expect(stacked([])).toEqual([]);
});

it('sums usage, and what reached nobody', () => {
  const sum = (input: number | null, output: number | null, unknown: number) => ({
    input_tokens: input,
    output_tokens: output,
    unknown,
  });
  const row = (all: object, delivered: object): UsageRow =>
    part<UsageRow>({ requests: 2, failed: 1, attempts: 3, failed_attempts: 2, usage: { all, delivered } });
  const rows = [row(sum(900, 10, 3), sum(100, 10, 1)), row(sum(null, null, 2), sum(null, null, 2))];
  expect(rows.map(wastedOf)).toEqual([
    { tokens: 800, unknown: 2 },
    { tokens: 0, unknown: 0 },
  ]);
  expect(sumUsage(rows)).toEqual({
    requests: 4,
    failed: 2,
    attempts: 6,
    failedAttempts: 4,
    input: 100,
    output: 10,
    wasted: { tokens: 800, unknown: 2 },
  });
  expect(sumUsage(rows.slice(1)).input).toBeNull();
});

it('follows probes', () => {
  const events: readonly ReadinessEvent[] = [
    { type: 'probing', models: ['m'], providers: [{ provider: 'a', candidates: 2 }] },
    { type: 'round_started', models: ['m'], candidates: 1 },
    { type: 'discovered', provider: 'a', models: null, error: null },
    { type: 'discovered', provider: 'b', models: null, error: 'auth' },
    { type: 'probe_started', route: 'a/x#1', provider: 'a' },
    { type: 'probe_started', route: 'a/y#1', provider: 'a' },
    { type: 'probe_ended', route: 'a/x#1', provider: 'a', state: 'slow', ms: 5 },
    { type: 'probe_ended', route: 'a/x#1', provider: 'a', state: 'ready', ms: 7 },
  ];
  expect(events.reduce((progress, event) => afterStep(progress, event), NO_PROBES)).toEqual({
    candidates: 2,
    running: ['a/y#1'],
    ended: [{ route: 'a/x#1', state: 'ready', ms: 7 }],
    discovered: ['b gives no list'],
  });
  expect(afterStep({ ...NO_PROBES, running: ['a'] }, { type: 'round_ended' }).running).toEqual([]);
});

it('offers faults that can be tried here', () => {
  const models = [
    { name: 'chat', targets: ['demo/error-503', 'acme/large'] },
    { name: 'lonely', targets: ['demo/silent'] },
    { name: 'fine', targets: ['acme/error-503', 'demo/ok'] },
  ];
  const providers = [
    { name: 'acme', preset: 'openai', pinned: 'any', protocol: 'openai-chat' },
    { name: 'demo', preset: 'demo', pinned: 'any', protocol: 'openai-chat' },
  ];
  const faults = faultsOf(part(models), part(providers));
  expect(faults.covered).toEqual([{ name: 'chat', title: 'answers 503' }]);
  expect(faults.alone.map(({ name }) => name)).toContain('demo/silent');
  expect(faultsOf(part(models), part(providers.slice(0, 1)))).toEqual({ covered: [], alone: [] });
});
