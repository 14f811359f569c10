import type { RuntimeConfig } from '../config/runtime.ts';
import type { HealthSettings } from '../core/health/settings.ts';
import type { HealthStore } from '../port/health-store.ts';
import type { Telemetry } from '../port/telemetry.ts';
import type { Scenario } from './scenario/scenario.ts';
import type { Answers } from './world/provider-side.ts';
import type { Run } from './world/run.ts';
import { createWorld } from './world/world.ts';

/** What a world needs that only the outside has. */
export type SimulationHost = {
  /** The product's own health store; worlds may run at the same time, each with one of its own. */
  createHealthStore(options: {
    readonly settings: () => HealthSettings;
    readonly telemetry: Pick<Telemetry, 'healthChanged'>;
  }): HealthStore;
  /**
   * Takes secrets out of texts. Who plays many worlds with the same few secrets may give back the one that it has made
   * of them before; when absent, each world makes its own.
   */
  createScrubber?(secrets: readonly string[]): (text: string) => string;
  /** Resolves behind every promise that is ready, and those that they make ready. */
  settle(): Promise<void>;
};

/** How far a run is. */
export type Progress = {
  /** Requests so far, with what clients asked again. */
  readonly asked: number;
  /** Virtual time since the beginning. */
  readonly atMs: number;
};

export type RunOptions = {
  readonly scenario: Scenario;
  /** Takes the place of the scenario's own. */
  readonly config: RuntimeConfig;
  readonly host: SimulationHost;
  /** Says what providers do in place of the scenario's rows and accounts; null: those. */
  readonly answers?: Answers | null;
  /** False: nobody probes, whatever the configuration says, and trials are left to clients. */
  readonly hasProber?: boolean;
  /** Asked before each step of the clock; true ends the load (what is under way is cut off), and with it the run. */
  readonly isStopped?: (progress: Progress) => boolean;
};

/** More steps of the clock than this are a world that does not come to rest. */
const MAX_STEPS = 50_000_000;

/** Plays a scenario to its end: nobody asks any more, and nothing is left that could happen. */
export async function runScenario({
  scenario,
  config,
  host,
  answers = null,
  hasProber = true,
  isStopped = () => false,
}: RunOptions): Promise<Run> {
  const world = createWorld({ scenario, config, host, answers, hasProber });
  let steps = 0;
  while (steps < MAX_STEPS && (await world.clock.step())) {
    steps += 1;
    world.look();
    if (isStopped(world.progress())) {
      world.stop();
      break;
    }
  }
  await world.clock.advanceAsync(0);
  return world.finish(steps);
}
