import type { Run } from '../../src/simulate/world/run.ts';

export type Tally = {
  readonly worlds: number;
  readonly requests: number;
  readonly sends: number;
  readonly answered: number;
  readonly steps: number;
  readonly simulatedMs: number;
};

export const NOTHING: Tally = { worlds: 0, requests: 0, sends: 0, answered: 0, steps: 0, simulatedMs: 0 };

export function addRun(tally: Tally, run: Run): Tally {
  const answered = run.requests.filter(({ facts }) => facts.some(({ fact }) => fact.type === 'committed')).length;
  return {
    worlds: tally.worlds + 1,
    requests: tally.requests + run.requests.length,
    sends: tally.sends + run.sends.length,
    answered: tally.answered + answered,
    steps: tally.steps + run.steps,
    simulatedMs: tally.simulatedMs + run.quietAt - run.startedAt,
  };
}

const number = (value: number): string => Math.round(value).toLocaleString('en-US');

/** `realMs` on the wall, `cpuMs` of the processor: on a busy machine the second says more. */
export function describeTally(tally: Tally, realMs: number, cpuMs: number): string {
  const { worlds, requests, sends, answered, steps, simulatedMs } = tally;
  const share = requests === 0 ? 0 : (answered / requests) * 100;
  return [
    `${number(worlds)} worlds, ${number(requests)} requests (${share.toFixed(0)} % answered), ${number(sends)} sends, ${number(steps)} steps`,
    `${number(simulatedMs / 3_600_000)} h simulated in ${(realMs / 1000).toFixed(1)} s (${(cpuMs / 1000).toFixed(1)} s of processor): ` +
      `${number(simulatedMs / Math.max(1, realMs))} times as fast as the wall clock, ${number((requests / Math.max(1, realMs)) * 1000)} requests/s`,
  ].join('\n');
}
