import type { RuntimeConfig } from '../config/runtime.ts';
import { buildReport, type Reported } from '../simulate/report/index.ts';
import { type Progress, runScenario } from '../simulate/run-scenario.ts';
import type { Scenario } from '../simulate/scenario/scenario.ts';
import { createSimulationHost } from './simulation-host.ts';

export type Playing = {
  readonly scenario: Scenario;
  readonly config: RuntimeConfig;
  /** The request whose events are shown, from 1; null: the most interesting one. */
  readonly show: number | null;
  /** Asked at each step; true ends it early, and the report says so. */
  readonly isStopped?: (progress: Progress) => boolean;
};

/** Plays a scenario against a configuration in virtual time and reports what came of it. Nothing is sent anywhere. */
export async function playScenario({ scenario, config, show, isStopped = () => false }: Playing): Promise<Reported> {
  const host = createSimulationHost();
  let isComplete = true;
  const run = await runScenario({
    scenario,
    config,
    host,
    isStopped(progress) {
      if (!isStopped(progress)) return false;
      isComplete = false;
      return true;
    },
  });
  return buildReport(run, { show, isComplete, pause: () => host.settle() });
}
