import { describe, expect, it } from 'vitest';
import { drawLongScenario, drawScenario } from '../../src/simulate/draw/index.ts';
import { printScript, readScript } from '../../src/simulate/script/index.ts';
import { configOf, playScenario } from './play.ts';
import { addRun, describeTally, NOTHING } from './tally.ts';

describe('the runner', () => {
  it('can write every drawn world down as a script that is the same world', () => {
    for (let seed = 1; seed <= 120; seed++) {
      const scenario = drawScenario(seed);
      const read = readScript(printScript(scenario), { model: null });
      expect(read.ok ? read.script.scenario : read.problems, `seed ${seed}`).toEqual(scenario);
    }
  });

  it('draws long worlds that can be played, with as many requests as were asked for', async () => {
    const scenario = drawLongScenario(2, 60);
    expect(configOf(scenario)).not.toBeNull();
    const { run } = await playScenario(scenario);
    expect(run?.requests.length).toBeGreaterThanOrEqual(60);
  });

  it('says so when a world does not come to rest, and refuses one that can not be played', async () => {
    const scenario = drawScenario(2);
    expect((await playScenario(scenario, 1)).breaches).toMatchObject([{ invariant: 'unrest' }]);
    await expect(playScenario({ ...scenario, config: {} })).rejects.toThrow('can not be played');
  });

  it('counts', async () => {
    const { run } = await playScenario(drawScenario(2));
    if (run === null) throw new Error('the world threw');
    const tally = addRun(NOTHING, run);
    expect(tally).toMatchObject({ worlds: 1, requests: run.requests.length, sends: run.sends.length });
    expect(describeTally({ ...tally, simulatedMs: 7_200_000 }, 1000, 500)).toContain(
      '2 h simulated in 1.0 s (0.5 s of processor): 7,200 times',
    );
  });
});
