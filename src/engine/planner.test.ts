import { describe, expect, it } from 'vitest';
import { makeModel, makeRequest, makeTarget } from '../../test/kit/health-fixtures.ts';
import { createHealthState } from '../core/health/state.ts';
import type { ConversationHints } from '../core/model/request.ts';
import { createAnswerMap } from './answer-map.ts';
import { createPlannerPool } from './planner.ts';

const [A, B] = [makeTarget('p/a'), makeTarget('q/b')];
const [routeB] = B.routes;

function open(affinity = true, isolatesClients = false) {
  const answers = createAnswerMap();
  const pool = createPlannerPool(() => createHealthState(), answers);
  const model = makeModel([A, B], { affinity });
  const { conversation: none } = makeRequest();
  const create = (hints: Partial<ConversationHints>, key: string | null = 'ci', isStored = true) => {
    const request = makeRequest({ conversation: { ...none, ...hints }, isStored });
    return pool.create({ request, model, key, settings: { isolatesClients } });
  };
  const first = (hints: Partial<ConversationHints>, key?: string | null) =>
    create(hints, key)
      .plan(0, 0)
      .candidates.find(({ rank }) => rank === 1)?.route.target ?? 'nobody';
  return { answers, create, first };
}

describe('a conversation', () => {
  it.each([true, false])('goes on at the issuer of the answer that it names (affinity: %s)', (affinity) => {
    const { create, first } = open(affinity);
    if (routeB === undefined) throw new Error('no route');
    create({}).keepAnswer(routeB, 'resp_1', 0);
    expect(first({ previousResponseId: 'resp_1' })).toBe('q/b');
    expect(first({ previousResponseId: 'resp_1' }, 'other')).toBe('nobody');
    expect(first({ previousResponseId: 'resp_2' })).toBe('p/a');
    create({ previousResponseId: 'resp_1' }).keepAnswer(routeB, 'resp_2', 0);
    expect(first({ previousResponseId: 'resp_2' })).toBe('q/b');
  });

  it('is where its state lies, though its session was elsewhere', () => {
    const { create, first } = open();
    const [routeA] = A.routes;
    if (routeA === undefined || routeB === undefined) throw new Error('no route');
    create({ sessionId: 's' }).keep(routeA, 0);
    create({}).keepAnswer(routeB, 'resp_1', 0);
    expect(first({ sessionId: 's', previousResponseId: 'resp_1' })).toBe('q/b');
    expect(first({ sessionId: 's' })).toBe('p/a');
  });

  it('goes nowhere for one who only looks, nor does a wheel turn', () => {
    const pool = createPlannerPool(() => createHealthState(), createAnswerMap());
    const { conversation: none } = makeRequest();
    const model = makeModel([A, B], { affinity: true, strategy: 'round-robin' });
    const serve = (sessionId: string, codec: { readonly tells?: 'endpoint' }) => {
      const request = makeRequest({ conversation: { ...none, sessionId } });
      const planner = pool.create({ request, model, key: null, settings: { isolatesClients: false }, codec });
      const [first] = planner.plan(0, 0).candidates;
      if (first === undefined) throw new Error('no route');
      planner.take(first.route);
      planner.keep(first.route, 0);
      return [first.route.target, first.boundBy];
    };
    const look = () => serve('s', { tells: 'endpoint' });
    expect([look(), look(), serve('t', {}), look(), serve('s', {}), look(), look()]).toEqual([
      ['p/a', undefined],
      ['p/a', undefined],
      ['p/a', undefined],
      ['q/b', undefined],
      ['q/b', undefined],
      ['q/b', 'affinity'],
      ['q/b', 'affinity'],
    ]);
  });

  it('is said in no other protocol where its codec has no words for that', () => {
    const pool = createPlannerPool(() => createHealthState(), createAnswerMap());
    const model = makeModel([A, makeTarget('q/b', { protocol: 'gemini' })]);
    const call = { request: makeRequest(), model, key: null, settings: { isolatesClients: false } };
    const lacks = (codec: { readonly relaysOnly?: string }) => pool.create({ ...call, codec }).plan(0, 0).missing;
    expect(lacks({ relaysOnly: 'counting' })).toEqual(['counting in Gemini']);
  });

  it('says in its plan what keeps it where it is', () => {
    const { create } = open();
    if (routeB === undefined) throw new Error('no route');
    const told = (hints: Partial<ConversationHints>) =>
      create(hints)
        .plan(0, 0)
        .candidates.map(({ route, boundBy, reason }) => [route.target, boundBy, reason]);
    expect(told({ sessionId: 's' })).toEqual([
      ['p/a', undefined, 'ready'],
      ['q/b', undefined, 'ready'],
    ]);
    create({ sessionId: 's' }).keep(routeB, 0);
    expect(told({ sessionId: 's' })).toEqual([
      ['q/b', 'affinity', 'ready; the conversation stays where it was answered before'],
      ['p/a', undefined, 'ready'],
    ]);
    create({}).keepAnswer(routeB, 'resp_1', 0);
    expect(told({ sessionId: 's', previousResponseId: 'resp_1' })).toEqual([
      ['q/b', 'issuer', 'ready; gave the answer that the conversation goes on from'],
      ['p/a', undefined, expect.stringContaining('left out')],
    ]);
  });

  it('that a provider keeps is known by its id once that provider has answered', () => {
    const { create, first } = open();
    if (routeB === undefined) throw new Error('no route');
    expect(first({ conversationId: 'conv_1' })).toBe('p/a');
    create({ conversationId: 'conv_1' }).keepAnswer(routeB, 'resp_1', 0);
    expect(first({ conversationId: 'conv_1' })).toBe('q/b');
    expect(first({ conversationId: 'conv_1' }, 'other')).toBe('nobody');
    expect(first({ conversationId: 'conv_1', previousResponseId: 'resp_9' }, 'other')).toBe('nobody');
  });

  it.each<[boolean, string]>([
    [false, 'p/a'],
    [true, 'nobody'],
  ])('that nobody here knows, with several clients %s, goes to %s', (isolatesClients, target) => {
    const { create, first } = open(true, isolatesClients);
    if (routeB === undefined) throw new Error('no route');
    create({}).keepAnswer(routeB, 'resp_1', 0);
    expect(first({ previousResponseId: 'resp_2' })).toBe(target);
    expect(first({ conversationId: 'conv_2' })).toBe(target);
    // Either name would be read by the provider.
    expect(first({ previousResponseId: 'resp_1', conversationId: 'conv_2' })).toBe(isolatesClients ? target : 'q/b');
    expect(first({ previousResponseId: 'resp_1' })).toBe('q/b');
    expect(first({})).toBe('p/a');
  });

  it('leaves no answer behind that its provider does not keep', () => {
    const { answers, create } = open();
    if (routeB === undefined) throw new Error('no route');
    create({}, 'ci', false).keepAnswer(routeB, 'resp_1', 0);
    expect(answers.size).toBe(0);
  });

  it('without an id of its answer leaves nothing', () => {
    const { answers, create } = open();
    if (routeB === undefined) throw new Error('no route');
    create({ conversationId: 'conv_1' }).keepAnswer(routeB, null, 0);
    expect(answers.size).toBe(0);
  });
});

describe('turns of the wheels', () => {
  it('stay while the same route is asked again, and are given back with the next', () => {
    const answers = createAnswerMap();
    const pool = createPlannerPool(() => createHealthState(), answers);
    const model = makeModel([A, B], { strategy: 'round-robin' });
    const start = () => {
      const planner = pool.create({ request: makeRequest(), model, key: null, settings: { isolatesClients: false } });
      const [first, second] = planner.plan(0, 0).candidates.map(({ route }) => route);
      if (first === undefined || second === undefined) throw new Error('two routes');
      return { planner, first, second };
    };
    const repeated = start();
    expect(repeated.first.target).toBe('p/a');
    repeated.planner.take(repeated.first);
    repeated.planner.take(repeated.first);
    const next = start();
    expect(next.first.target).toBe('q/b');
    next.planner.take(next.first);
    next.planner.take(next.second);
    expect(start().first.target).toBe('q/b');
  });
});
