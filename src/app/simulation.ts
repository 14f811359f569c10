import { type ConfigProblem, renderProblems } from '../config/problem.ts';
import type { RuntimeConfig } from '../config/runtime.ts';
import type { Simulation } from '../management/index.ts';
import type { Clock } from '../port/clock.ts';
import {
  checkScenario,
  estimateWork,
  fallbackModel,
  readScript,
  type Script,
  type Work,
} from '../simulate/script/index.ts';
import { playScenario } from './play-scenario.ts';

/** What a simulation beside a working gateway may take of it. */
const BOUNDS: Readonly<Record<keyof Work, { readonly most: number; readonly what: string }>> = {
  requests: { most: 20_000, what: 'requests' },
  atOnce: { most: 500, what: 'requests at one moment' },
  words: { most: 2_000_000, what: 'words of answers' },
  bytes: { most: 64 * 1024 ** 2, what: 'bytes of requests' },
};
const MAX_SCRIPT = 256 * 1024;
const MAX_MS = 20_000;
/** A script has many lines, an error message few. */
const MAX_TOLD = 5;

type Refusal = Extract<Awaited<ReturnType<Simulation['simulate']>>, { ok: false }>;

const refuse = (message: string): Refusal => ({ ok: false, isBusy: false, message });

/**
 * Simulations for the management API: one at a time, within bounds, each step a turn of the event loop, so that
 * requests are served meanwhile.
 */
export function createSimulation(clock: Pick<Clock, 'now'>): Simulation {
  let isBusy = false;
  return {
    async simulate({ script: text, model, show, config }) {
      const read = readWithin(text, model, config);
      if (!('scenario' in read)) return read;
      if (isBusy) return { ok: false, isBusy: true, message: 'A simulation runs already: ask again when it is over.' };
      isBusy = true;
      const endsAt = clock.now() + MAX_MS;
      try {
        const isStopped = (): boolean => clock.now() >= endsAt;
        const { report } = await playScenario({ scenario: read.scenario, config, show, isStopped });
        return { ok: true, body: { simulation: report, compared: null } };
      } finally {
        isBusy = false;
      }
    },
  };
}

function readWithin(text: string, model: string | null, config: RuntimeConfig): Pick<Script, 'scenario'> | Refusal {
  if (text.length > MAX_SCRIPT) return refuse(`The script is longer than ${MAX_SCRIPT / 1024} KiB.`);
  const read = readScript(text, { model: model ?? fallbackModel(config) });
  if (!read.ok) return refuse(tell(read.problems));
  const { script } = read;
  const { problems } = checkScenario(script, config);
  if (problems.length > 0) return refuse(tell(problems));
  if (script.scenario.config !== null)
    return refuse(
      'config: this is played with the configuration of the gateway that runs. Leave it out, or use the command simulate.',
    );
  const work = estimateWork(script.scenario);
  for (const [name, { most, what }] of Object.entries(BOUNDS)) {
    const asked = work[name as keyof Work];
    if (asked > most)
      return refuse(
        `The script asks for ${asked} ${what}; ${most} is the most here. The command simulate has no such bound.`,
      );
  }
  return script;
}

function tell(problems: readonly ConfigProblem[]): string {
  const told = renderProblems(problems.slice(0, MAX_TOLD), 'script').split('\n');
  const rest = Math.max(0, problems.length - MAX_TOLD);
  return [...told, ...(rest === 0 ? [] : [`and ${rest} more`])].join('\n');
}
