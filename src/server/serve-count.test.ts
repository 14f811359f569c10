import { expect, it } from 'vitest';
import { MODEL_SETTINGS, makeModel, makeTarget } from '../../test/kit/health-fixtures.ts';
import { COUNT_LIMITS, forCounting } from './serve-count.ts';

it('a model that counts waits for nobody: one look at each target, and shorter limits stay', () => {
  const { timeouts, retry } = MODEL_SETTINGS;
  const patient = {
    ...MODEL_SETTINGS,
    retry: { ...retry, sameTarget: 3, waitForCooldownMs: 9, preferSameTarget: true },
  };
  const hasty = { ...patient, timeouts: { ...timeouts, wholeMs: 5, commitMs: 6 } };
  const model = makeModel([makeTarget('a/m', { settings: patient }), makeTarget('b/m', { settings: hasty })]);
  const { settings, targets } = forCounting({ ...model, settings: patient });
  for (const each of [settings, ...targets.map((target) => target.settings)]) {
    expect(each.retry).toEqual({ ...retry, sameTarget: 0, waitForCooldownMs: 0, preferSameTarget: false });
  }
  expect(settings.timeouts).toEqual({ ...timeouts, ...COUNT_LIMITS });
  expect(targets[1]?.settings.timeouts).toEqual(hasty.timeouts);
});
