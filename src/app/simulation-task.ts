import { type ConfigProblem, renderProblems } from '../config/problem.ts';
import type { RuntimeConfig } from '../config/runtime.ts';
import type { Clock } from '../port/clock.ts';
import { checkScenario, fallbackModel, readScript, type Script } from '../simulate/script/index.ts';
import { type PackedConfig, unpackConfig } from './pack-config.ts';
import { playScenario } from './play-scenario.ts';
import { API_BOUNDS, findExcess } from './simulation-bounds.ts';

/** What a simulation for the management API is made of; it can be handed to another thread. */
export type SimulationTask = {
  readonly script: string;
  readonly model: string | null;
  readonly show: number | null;
  readonly config: PackedConfig;
  /** Time on the clock that playing may take. */
  readonly mostMs: number;
};

export type SimulationResult =
  | { readonly ok: true; readonly body: unknown }
  | { readonly ok: false; readonly message: string };

type Refusal = Extract<SimulationResult, { ok: false }>;

/** A script has many lines, an error message few. */
const MAX_TOLD = 5;

const refuse = (message: string): Refusal => ({ ok: false, message });

/** Reads a script and plays it, within bounds. */
export async function runSimulation(
  { script: text, model, show, config: packed, mostMs }: SimulationTask,
  clock: Pick<Clock, 'now'>,
): Promise<SimulationResult> {
  const config = unpackConfig(packed);
  const read = readWithin(text, model, config);
  if (!('scenario' in read)) return read;
  const endsAt = clock.now() + mostMs;
  const { report } = await playScenario({
    scenario: read.scenario,
    config,
    show,
    isStopped: ({ asked }) => asked > API_BOUNDS.asked || clock.now() >= endsAt,
  });
  if (show !== null && report.shown === null)
    return refuse(`show: there is no request ${show}, there are ${report.requests.total}.`);
  return { ok: true, body: { simulation: report, compared: null } };
}

function readWithin(text: string, model: string | null, config: RuntimeConfig): Pick<Script, 'scenario'> | Refusal {
  const read = readScript(text, { model: model ?? fallbackModel(config) });
  if (!read.ok) return refuse(tell(read.problems));
  const { script } = read;
  const { problems } = checkScenario(script, config);
  if (problems.length > 0) return refuse(tell(problems));
  if (script.scenario.config !== null)
    return refuse(
      'config: this is played with the configuration of the gateway that runs. Leave it out, or use the command simulate.',
    );
  const excess = findExcess(script.scenario, API_BOUNDS);
  if (excess === null) return script;
  return refuse(`${tell([script.locate(excess)])}. The command simulate takes more.`);
}

function tell(problems: readonly ConfigProblem[]): string {
  const told = renderProblems(problems.slice(0, MAX_TOLD), 'script').split('\n');
  const rest = Math.max(0, problems.length - MAX_TOLD);
  return [...told, ...(rest === 0 ? [] : [`and ${rest} more`])].join('\n');
}
