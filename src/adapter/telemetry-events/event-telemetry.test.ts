import { describe, expect, it } from 'vitest';
import { attemptOf, factsOf, foldFacts } from '../../../test/kit/facts.ts';
import { HEALTH, makeRoute } from '../../../test/kit/health-fixtures.ts';
import { PROBE } from '../../../test/kit/metered.ts';
import { readEvent, type TelemetryEvent, writeEvent } from '../../core/event/index.ts';
import type { Failure } from '../../core/failure/failure.ts';
import type { Route } from '../../core/routing/candidate.ts';
import { createMemoryHealthStore } from '../store-memory/health-store.ts';
import { createEventTelemetry, type EventTelemetryOptions } from './event-telemetry.ts';

const NOW = 1_700_000_000_000;
const AT = '2023-11-14T22:13:20.000Z';
const ID = 'req_01J8ZQ4V6N0000000000000000';

function create(options: Partial<EventTelemetryOptions> = {}) {
  const events: TelemetryEvent[] = [];
  const telemetry = createEventTelemetry({ sink: (event) => void events.push(event), now: () => NOW, ...options });
  return { telemetry, events };
}

const change = {
  scope: 'route',
  id: 'a/m#k',
  from: 'ready',
  until: NOW + 30_000,
  reason: 'free text',
  cause: 'overloaded',
};

describe('createEventTelemetry', () => {
  it('tells of a request from its first attempt to its end, in order', () => {
    const { telemetry, events } = create();
    const facts = factsOf(ID);
    const ledger = foldFacts([
      facts.started({ kind: 'count', key: 'ci' }),
      facts.attempt(),
      facts.head(),
      facts.committed(),
      facts.attemptEnded(),
      facts.ended(),
    ]);
    telemetry.attemptStarted(ledger.started, attemptOf(foldFacts([facts.started(), facts.attempt()]), 1));
    telemetry.attemptEnded(ledger.started, attemptOf(ledger, 1));
    telemetry.requestEnded(ledger);
    expect(events).toMatchObject([
      { event: 'attempt_started', request: ID, n: 1, kind: 'count', charged: true, trial: false, since_ms: 10 },
      { event: 'attempt_ended', request: ID, n: 1, outcome: 'ok', status: 200, ms: 6, head_ms: 2, commit_ms: 4 },
      { event: 'request_ended', request: ID, kind: 'count', client: 'ci', served_by: 'a/m', ms: 100, commit_ms: 14 },
    ]);
    for (const event of events) expect(readEvent(writeEvent(event))).toEqual(event);
  });

  it('tells nothing of what has not ended, and nothing of notices', () => {
    const { telemetry, events } = create();
    const facts = factsOf(ID);
    const open = foldFacts([facts.started(), facts.attempt()]);
    telemetry.attemptEnded(open.started, attemptOf(open, 1));
    telemetry.requestEnded(open);
    telemetry.notice('error', 'words', { key: 'value' });
    expect(events).toEqual([]);
  });

  it('drops and counts names that are not ours and values that do not fit', () => {
    const { telemetry, events } = create({ isOurs: (_kind, name) => name !== 'stranger/m' });
    telemetry.probeEnded({ ...PROBE, state: 'ready', target: 'stranger/m', status: 999, ms: Number.NaN, request: 'x' });
    expect(Object.keys(events[0] ?? {})).toEqual([
      'event',
      'v',
      'at',
      'route',
      'credential',
      'endpoint',
      'state',
      'outcome',
      'escalated',
      'tokens',
    ]);
    expect(telemetry.droppedMembers()).toBe(4);
  });

  it.each([
    ['open', 'ready', ['route_state_changed', 'circuit_changed']],
    ['half_open', 'open', ['route_state_changed', 'circuit_changed']],
    ['ready', 'half_open', ['route_state_changed', 'circuit_changed']],
    ['slow', 'ready', ['route_state_changed']],
    ['deferred', 'ready', ['route_state_changed', 'hold_started']],
    ['deferred', 'open', ['route_state_changed', 'hold_started']],
    ['ready', 'deferred', ['route_state_changed']],
    ['rejected', 'deferred', ['route_state_changed', 'provider_rejected_permanent']],
    ['disabled', 'ready', ['route_state_changed']],
  ] as const)('a change to %s from %s is %j', (to, from, names) => {
    const { telemetry, events } = create();
    telemetry.healthChanged({ ...change, from, to });
    expect(events.map(({ event }) => event)).toEqual(names);
    expect(events[0]).toMatchObject({ at: AT, scope: 'route', id: 'a/m#k', from, to, cause: 'overloaded' });
    expect(events[0]?.['for_ms']).toBe(to === 'ready' ? undefined : 30_000);
    expect(JSON.stringify(events)).not.toContain('free text');
  });

  it('says what probes, lists and files came to', () => {
    const { telemetry, events } = create();
    telemetry.discoveryFailed({ provider: 'a', reason: 'timeout_whole' });
    telemetry.configChanged({ result: 'refused', models: 2, providers: 1 });
    expect(events).toEqual([
      { event: 'discovery_failed', v: 1, at: AT, provider: 'a', reason: 'timeout_whole' },
      { event: 'config_changed', v: 1, at: AT, result: 'refused', models: 2, providers: 1 },
    ]);
  });
});

describe('provider_exhausted', () => {
  const routes = ['a/m#one', 'a/n#one', 'a/m#two', 'b/m#one'].map((id) => makeRoute(id));
  const route = (id: string): Route => routes.find((each) => each.id === id) ?? makeRoute(id);

  /** A gateway in which these routes fail, one after the other. */
  function play(...failures: readonly (readonly [string, Partial<Failure>])[]) {
    const events: TelemetryEvent[] = [];
    const health = createMemoryHealthStore({
      settings: () => HEALTH,
      telemetry: { healthChanged: (told) => telemetry.healthChanged(told) },
    });
    const telemetry = createEventTelemetry({
      sink: (event) => void events.push(event),
      now: () => NOW,
      health: () => health.snapshot(),
    });
    health.retain(routes);
    for (const [id, failure] of failures)
      health.observe({
        kind: 'failure',
        route: route(id),
        startedAt: NOW - 10,
        at: NOW,
        limitMs: null,
        ownLimitMs: null,
        trial: false,
        probe: false,
        turn: null,
        failure: { ...SPENT, ...failure },
      });
    return events
      .filter(({ event }) => event.startsWith('provider_'))
      .map(({ event, provider, credential, scope, id, cause }) => ({ event, provider, credential, scope, id, cause }));
  }

  const SPENT: Failure = {
    row: 'test',
    outcome: 'quota_exhausted',
    component: 'credential',
    onward: 'next_target',
    again: false,
    scope: 'credential',
    hold: 'quota',
    weight: 0,
    refusal: true,
    requestShaped: false,
    toldDelayMs: null,
    feature: null,
    status: 402,
    code: null,
    param: null,
    type: null,
    reason: 'words of the provider',
  };
  const ofKey = (credential: string) => ({
    event: 'provider_exhausted',
    provider: 'a',
    credential,
    cause: 'quota_exhausted',
  });

  it('names the key that is out, and the provider once all of its keys are', () => {
    expect(play(['a/m#one', {}])).toEqual([ofKey('one')]);
    expect(play(['a/m#one', {}], ['a/m#two', { outcome: 'billing' }])).toEqual([
      ofKey('one'),
      { event: 'provider_exhausted', provider: 'a', cause: 'billing' },
    ]);
  });

  it('waits for the last route of a key where a quota is of a model', () => {
    const ofRoute = { scope: 'route' } as const;
    expect(play(['a/m#one', ofRoute])).toEqual([]);
    expect(play(['a/m#one', ofRoute], ['a/n#one', ofRoute])).toEqual([ofKey('one')]);
    expect(play(['b/m#one', ofRoute])).toEqual([
      { event: 'provider_exhausted', provider: 'b', cause: 'quota_exhausted' },
    ]);
  });

  it('is none for a key that is refused', () => {
    expect(play(['a/m#one', { outcome: 'auth', hold: 'auth' }])).toEqual([
      { event: 'provider_rejected_permanent', provider: 'a', scope: 'credential', id: 'a/one', cause: 'auth' },
    ]);
  });
});
