import { describe, expect, it } from 'vitest';
import { judgeRun, type RunCourse, type RunLosses } from '../../core/readiness/run-verdict.ts';
import { exitCodeOf } from './describe-run.ts';
import { messageOf } from './verdict-file.ts';

const NONE: RunLosses = { requests: 4, contacted: true, capacity: 0, configuration: 0, gateway: 0, faults: 0 };
const failed: RunCourse = { type: 'ended', code: 9, signal: null };
const EXITS = { configuration: 3, gateway: 4, noCapacity: 5, noChild: 6 };

const say = (course: RunCourse, losses: Partial<RunLosses> = {}): string | null => {
  const all = { ...NONE, ...losses };
  return messageOf(course, judgeRun(course, all), all);
};

describe('what is said of a run', () => {
  it.each([
    ['ok', { type: 'ended', code: 0, signal: null }, {}, null],
    ['ok, though some were lost', { type: 'ended', code: 0, signal: null }, { capacity: 1 }, null],
    [
      'ok, and never asked',
      { type: 'ended', code: 0, signal: null },
      { requests: 0, contacted: false },
      /never asked the gateway: does it read OPENAI_BASE_URL/,
    ],
    ['failed by itself', failed, {}, null],
    ['failed, never asked', failed, { requests: 0, contacted: false }, /without ever asking the gateway/],
    ['failed, lost', failed, { capacity: 1 }, /^no capacity: .* 1 of its 4 requests ended without an answer/],
    ['failed, keys', failed, { configuration: 2 }, /^the configuration is at fault: .* 2 of its 4 requests/],
    ['failed, gateway', failed, { gateway: 1 }, /^the gateway is at fault: .* 1 of its 4 requests/],
    ['failed, a fault', failed, { faults: 1 }, /^the gateway is at fault: .* met 1 fault of its own/],
    [
      'not ready',
      { type: 'not_ready', misconfigured: false, why: 'no route' },
      {},
      'the command was not started: no route',
    ],
    ['refused', { type: 'refused', component: 'gateway', why: 'no port' }, {}, 'no port'],
    ['no child', { type: 'no_child', why: 'x can’t be started' }, {}, 'x can’t be started'],
    ['stopped', { type: 'stopped', signal: 'SIGTERM' }, {}, 'stopped by SIGTERM before the command was started'],
  ] satisfies readonly (readonly [string, RunCourse, Partial<RunLosses>, string | RegExp | null])[])(
    '%s',
    (_, course, losses, said) => {
      const text = say(course, losses);
      if (said instanceof RegExp) expect(text).toMatch(said);
      else expect(text).toBe(said);
      expect(text ?? '').not.toContain('\n');
    },
  );
});

describe('the exit code', () => {
  it.each([
    [{ type: 'refused', component: 'configuration', why: '' }, 3],
    [{ type: 'refused', component: 'gateway', why: '' }, 4],
    [{ type: 'not_ready', misconfigured: true, why: '' }, 3],
    [{ type: 'not_ready', misconfigured: false, why: '' }, 5],
    [{ type: 'no_child', why: '' }, 6],
    [{ type: 'stopped', signal: 'SIGTERM' }, 143],
    [{ type: 'ended', code: 77, signal: null }, 77],
    [{ type: 'ended', code: 137, signal: 'SIGKILL' }, 137],
  ] satisfies readonly (readonly [RunCourse, number])[])('of %j is %i', (course, code) => {
    expect(exitCodeOf(course, EXITS)).toBe(code);
  });
});
