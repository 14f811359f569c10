import { expect, it } from 'vitest';
import { makeModel, makeTarget, SECOND, watchHealth } from '../../test/kit/health-fixtures.ts';
import type { RuntimeConfig } from '../config/runtime.ts';
import { countCapacity } from './capacity.ts';

const A = makeTarget('p/a');
const B = makeTarget('q/b');
const [ROUTE] = A.routes as [(typeof A.routes)[0]];
const CONFIG = { models: new Map([['main', makeModel([A, B])]]) } as unknown as Pick<RuntimeConfig, 'models'>;

it('counts the routes that a plan would send to', () => {
  const health = watchHealth();
  expect(countCapacity(CONFIG, health.state(), 0)).toEqual({ routes: 2, able: 2, ready: 2 });
  for (let n = 0; n < 3; n++) health.fails('serverError', ROUTE, n);
  expect(countCapacity(CONFIG, health.state(), 3)).toEqual({ routes: 2, able: 1, ready: 1, open: 1 });
});

it('a half-open one while its trial is still to be had', () => {
  const health = watchHealth();
  for (let n = 0; n < 3; n++) health.fails('serverError', ROUTE, n);
  const now = 11 * SECOND;
  expect(countCapacity(CONFIG, health.state(), now)).toEqual({ routes: 2, able: 2, ready: 1, half_open: 1 });
  expect(health.claim(ROUTE, now)).toBe(true);
  expect(countCapacity(CONFIG, health.state(), now)).toEqual({ routes: 2, able: 1, ready: 1, half_open: 1 });
});

it('a guessed hold is a last resort, a told one is none', () => {
  const health = watchHealth();
  health.fails('rateLimited', ROUTE, 0);
  expect(countCapacity(CONFIG, health.state(), 1)).toMatchObject({ able: 2, deferred: 1 });
  health.fails('rateLimited', ROUTE, 2, { told: 30 * SECOND });
  expect(countCapacity(CONFIG, health.state(), 3)).toMatchObject({ able: 1, deferred: 1 });
});
