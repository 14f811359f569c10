import { expect, it } from 'vitest';
import { makeModel, makeTarget } from '../../../test/kit/health-fixtures.ts';
import { answerTargetless } from './answer-targetless.ts';

const MAX = 60_000;

it('tells when to come back while lists are read', () => {
  expect(answerTargetless(makeModel([], { isAwaited: true }), MAX)).toMatchObject({
    code: 'no_target_available',
    status: 503,
    component: 'target',
    reason: 'discovery_under_way',
    retryAfterMs: 1000,
    shouldRetry: null,
  });
  expect(answerTargetless(makeModel([], { isAwaited: true }), 999)?.retryAfterMs).toBeNull();
});

it('tells no time where nobody knows one', () => {
  expect(answerTargetless(makeModel([]), MAX)).toMatchObject({
    code: 'no_target_available',
    status: 503,
    component: 'target',
    reason: 'no_listed_target',
    retryAfterMs: null,
    shouldRetry: null,
  });
});

it('says nothing of a model that has a target', () => {
  expect(answerTargetless(makeModel([makeTarget('a')]), MAX)).toBeNull();
});
