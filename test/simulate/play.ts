import { createSimulationHost } from '../../src/app/simulation-host.ts';
import { resolveModel } from '../../src/config/resolve.ts';
import type { RuntimeConfig } from '../../src/config/runtime.ts';
import { createScrubber } from '../../src/core/redact/index.ts';
import { checkRun, type InvariantId } from '../../src/simulate/invariants/index.ts';
import { runScenario, type SimulationHost } from '../../src/simulate/run-scenario.ts';
import type { Scenario } from '../../src/simulate/scenario/scenario.ts';
import type { Run } from '../../src/simulate/world/run.ts';
import { loadWorldConfig } from '../../src/simulate/world/world-config.ts';

/** What broke: an invariant, or the world itself (it threw, or never came to rest). */
export type Breach = {
  readonly invariant: InvariantId | 'crash' | 'unrest';
  readonly request: string | null;
  readonly what: string;
};

export type Played = {
  /** Null: it threw. */
  readonly run: Run | null;
  readonly breaches: readonly Breach[];
};

/** Drawn worlds are quiet after some thousand timers, long ones after some dozen for each request. */
const MAX_TURNS = 400_000;

/** Drawn worlds share their few secrets, and a scrubber is dear to make. */
const scrubbers = new Map<string, ReturnType<typeof createScrubber>>();
const MOST_SCRUBBERS = 256;

function scrubberOf(secrets: readonly string[]): ReturnType<typeof createScrubber> {
  const id = JSON.stringify(secrets);
  const known = scrubbers.get(id);
  if (known !== undefined) return known;
  if (scrubbers.size >= MOST_SCRUBBERS) scrubbers.clear();
  const made = createScrubber(secrets);
  scrubbers.set(id, made);
  return made;
}

const host: SimulationHost = { ...createSimulationHost(), createScrubber: scrubberOf };

class UnrestError extends Error {}

/** Time may stand still while timers fire on and on: turns are counted, not moments. */
function hostOf(maxTurns: number): SimulationHost {
  let turns = 0;
  return {
    ...host,
    settle() {
      turns += 1;
      return turns > maxTurns ? Promise.reject(new UnrestError(`not quiet after ${maxTurns} timers`)) : host.settle();
    },
  };
}

/** Null: it can't be played (its configuration does not load, or it asks for what nobody serves). */
export function configOf({ config, asks }: Scenario): RuntimeConfig | null {
  const loaded = loadWorldConfig(config ?? {});
  if (!loaded.ok || asks.some(({ model }) => resolveModel(loaded.config, model) === undefined)) return null;
  return loaded.config;
}

/** Plays a scenario and checks all that must hold. Throws if it can't be played. */
export async function playScenario(scenario: Scenario, maxTurns: number = MAX_TURNS): Promise<Played> {
  const config = configOf(scenario);
  if (config === null) throw new Error(`the world of seed ${scenario.seed} can not be played`);
  try {
    const run = await runScenario({ scenario, config, host: hostOf(maxTurns) });
    return { run, breaches: checkRun(run) };
  } catch (error) {
    const what = error instanceof Error ? (error.stack ?? error.message) : String(error);
    return {
      run: null,
      breaches: [error instanceof UnrestError ? breach('unrest', error.message) : breach('crash', what)],
    };
  }
}

const breach = (invariant: Breach['invariant'], what: string): Breach => ({ invariant, request: null, what });
