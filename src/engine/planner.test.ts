import { describe, expect, it } from 'vitest';
import { makeModel, makeRequest, makeTarget } from '../../test/kit/health-fixtures.ts';
import { createHealthState } from '../core/health/state.ts';
import type { ConversationHints } from '../core/model/request.ts';
import { createAnswerMap } from './answer-map.ts';
import { createPlannerPool } from './planner.ts';

const [A, B] = [makeTarget('p/a'), makeTarget('q/b')];
const [routeB] = B.routes;

function open(affinity = true) {
  const answers = createAnswerMap();
  const pool = createPlannerPool(() => createHealthState(), answers);
  const model = makeModel([A, B], { affinity });
  const { conversation: none } = makeRequest();
  const create = (hints: Partial<ConversationHints>, key: string | null = 'ci') =>
    pool.create({ request: makeRequest({ conversation: { ...none, ...hints } }), model, key });
  const first = (hints: Partial<ConversationHints>, key?: string | null) =>
    create(hints, key)
      .plan(0, 0)
      .candidates.find(({ rank }) => rank === 1)?.route.target;
  return { answers, create, first };
}

describe('a conversation', () => {
  it.each([true, false])('goes on at the issuer of the answer that it names (affinity: %s)', (affinity) => {
    const { create, first } = open(affinity);
    if (routeB === undefined) throw new Error('no route');
    create({}).keepAnswer(routeB, 'resp_1', 0);
    expect(first({ previousResponseId: 'resp_1' })).toBe('q/b');
    expect(first({ previousResponseId: 'resp_1' }, 'other')).toBe('p/a');
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

  it('that a provider keeps is known by its id once that provider has answered', () => {
    const { create, first } = open();
    if (routeB === undefined) throw new Error('no route');
    expect(first({ conversationId: 'conv_1' })).toBe('p/a');
    create({ conversationId: 'conv_1' }).keepAnswer(routeB, 'resp_1', 0);
    expect(first({ conversationId: 'conv_1' })).toBe('q/b');
  });

  it('without an id of its answer leaves nothing', () => {
    const { answers, create } = open();
    if (routeB === undefined) throw new Error('no route');
    create({ conversationId: 'conv_1' }).keepAnswer(routeB, null, 0);
    expect(answers.size).toBe(0);
  });
});
