import { describe, expect, it } from 'vitest';
import { judgeRun, RUN_COMPONENTS, type RunComponent, type RunCourse, type RunLosses } from './run-verdict.ts';

const NONE: RunLosses = { requests: 3, contacted: true, capacity: 0, configuration: 0, gateway: 0, faults: 0 };
const failed: RunCourse = { type: 'ended', code: 1, signal: null };
const killed: RunCourse = { type: 'ended', code: 137, signal: 'SIGKILL' };
const silent = { requests: 0, contacted: false };

const ROWS: readonly (readonly [string, RunCourse, Partial<RunLosses>, RunComponent | null])[] = [
  ['a bad file', { type: 'refused', component: 'configuration', why: '' }, silent, 'configuration'],
  ['no port', { type: 'refused', component: 'gateway', why: '' }, silent, 'gateway'],
  ['nobody ready', { type: 'not_ready', misconfigured: false, why: '' }, silent, 'capacity'],
  ['bad keys', { type: 'not_ready', misconfigured: true, why: '' }, silent, 'configuration'],
  ['called off before its start', { type: 'stopped', signal: 'SIGTERM' }, silent, null],
  ['called off, whatever was met', { type: 'stopped', signal: 'SIGINT' }, { capacity: 1, faults: 1 }, null],
  ['no such command', { type: 'no_child', why: '' }, silent, 'command'],
  ['failed, nothing lost', failed, {}, 'command'],
  ['killed, nothing lost', killed, {}, 'command'],
  ['failed, and never asked', failed, silent, 'never_contacted'],
  ['failed, and asked for no model', failed, { requests: 0, contacted: true }, 'command'],
  ['failed, one lost', failed, { capacity: 1 }, 'capacity'],
  ['killed, one lost', killed, { capacity: 1 }, 'capacity'],
  ['failed, by keys', failed, { configuration: 1 }, 'configuration'],
  ['failed, by keys and for want of routes', failed, { configuration: 1, capacity: 5 }, 'configuration'],
  ['failed, by the gateway and all else', failed, { gateway: 1, configuration: 1, capacity: 1 }, 'gateway'],
  ['failed, with a fault that no request met', failed, { faults: 1 }, 'gateway'],
];

describe('the verdict on a run', () => {
  it.each(ROWS)('%s', (_, course, losses, component) => {
    expect(judgeRun(course, { ...NONE, ...losses })).toEqual({ outcome: 'failed', component });
  });

  it('is ok where the command is, whatever was lost on the way', () => {
    const lost = { ...NONE, capacity: 2, configuration: 1, gateway: 1, faults: 1 };
    for (const losses of [NONE, lost, { ...NONE, ...silent }]) {
      expect(judgeRun({ type: 'ended', code: 0, signal: null }, losses)).toEqual({ outcome: 'ok', component: null });
    }
  });

  it('has a row for each component, and for none', () => {
    expect(new Set(ROWS.map(([, , , component]) => component))).toEqual(new Set([...RUN_COMPONENTS, null]));
  });
});
