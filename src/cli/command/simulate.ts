import { readFileSync, writeFileSync } from 'node:fs';
import type { Env } from '../../app/configuration.ts';
import { playScenario } from '../../app/play-scenario.ts';
import { systemNow } from '../../app/system-time.ts';
import { renderProblems } from '../../config/problem.ts';
import type { RuntimeConfig } from '../../config/runtime.ts';
import { compareReports, drawTraffic, type Reported } from '../../simulate/report/index.ts';
import type { Scenario } from '../../simulate/scenario/scenario.ts';
import { checkScenario, fallbackModel, readScript, type Script } from '../../simulate/script/index.ts';
import { loadWorldConfig } from '../../simulate/world/world-config.ts';
import { ownCommand } from '../command-name.ts';
import { renderComparison } from '../comparison-lines.ts';
import { CommandError, EXIT } from '../exit-code.ts';
import { createLiveLines } from '../live-lines.ts';
import { loadToReadOrEnd, openOrEnd } from '../open-configuration.ts';
import { proseErr } from '../prose.ts';
import { renderShown } from '../shown-request-lines.ts';
import { renderSimulation } from '../simulation-lines.ts';
import type { Terminal } from '../terminal.ts';
import { countOf, formatDuration } from '../words.ts';

export type SimulateOptions = {
  readonly config?: string;
  readonly script?: string;
  readonly compare?: string;
  readonly model?: string;
  readonly seed?: number;
  readonly show?: number;
  readonly svg?: string;
  readonly json?: boolean;
};

const STDIN = 0;

/** Plays a script against a configuration in virtual time, and shows what came of it; nothing is sent. */
export async function simulate(terminal: Terminal, env: Env, options: SimulateOptions): Promise<void> {
  const { scenario, config } = open(terminal, env, options);
  const other = options.compare === undefined ? null : readConfig(env, options.compare);
  const startedAt = systemNow();
  const here = await play(terminal, options, scenario, config);
  const there = other === null ? null : await play(terminal, options, scenario, other);
  const compared = there === null ? null : compareReports(here, there);
  const tookMs = systemNow() - startedAt;
  const { report } = here;
  if (options.svg !== undefined) writeSvg(options.svg, drawTraffic(report));
  if (options.json) {
    terminal.out(JSON.stringify({ simulation: report, compared }, null, 2));
    return;
  }
  const parts = [
    renderSimulation(terminal, report),
    ...(report.shown === null ? [] : [renderShown(terminal, report.shown)]),
    ...(compared === null ? [] : [renderComparison(terminal, report, compared)]),
    terminal.paint(
      'dim',
      `simulated in ${formatDuration(tookMs)}${options.svg === undefined ? '' : `; the picture is in ${options.svg}`}`,
    ),
  ];
  terminal.out(parts.join('\n\n'));
}

const readConfig = (env: Env, config: string | undefined): RuntimeConfig =>
  loadToReadOrEnd(openOrEnd(config === undefined ? {} : { config }, env, EXIT.configuration));

/** The scenario, with what it is played against: the configuration that is named, its own, or the one that is found. */
function open(
  terminal: Terminal,
  env: Env,
  options: SimulateOptions,
): { readonly scenario: Scenario; readonly config: RuntimeConfig } {
  const { file, text } = readText(options.script);
  // Its own configuration is known only after a first look, which may lack the model.
  const own = options.config === undefined ? ownConfig(text, file) : null;
  const config = own ?? readConfig(env, options.config);
  const read = readScript(text, { model: options.model ?? fallbackModel(config) });
  if (!read.ok) throw new CommandError(EXIT.wrongUse, renderProblems(read.problems, file));
  const { problems, notes } = checkScenario(read.script, config);
  if (problems.length > 0) throw new CommandError(EXIT.wrongUse, renderProblems(problems, file));
  if (notes.length > 0) terminal.err(proseErr(terminal, terminal.paint('yellow', renderProblems(notes, file))));
  return { scenario: withSeed(read.script, options.seed), config };
}

const withSeed = ({ scenario }: Script, seed: number | undefined): Scenario =>
  seed === undefined ? scenario : { ...scenario, seed };

function ownConfig(text: string, file: string): RuntimeConfig | null {
  const first = readScript(text, { model: '' });
  const own = first.ok ? first.script.scenario.config : null;
  if (own === null) return null;
  const loaded = loadWorldConfig(own);
  if (loaded.ok) return loaded.config;
  // Lines of the text that was made of it are nowhere to be seen.
  const problems = loaded.problems.map((problem) => ({
    ...problem,
    path: `config.${problem.path}`,
    line: null,
    column: null,
  }));
  throw new CommandError(EXIT.configuration, renderProblems(problems, file));
}

function readText(script: string | undefined): { readonly file: string; readonly text: string } {
  if (script === undefined) {
    throw new CommandError(
      EXIT.wrongUse,
      `Which script? Name it: ${ownCommand()} simulate --script FILE ("-": standard input). docs/simulate.md has ten to begin with.`,
    );
  }
  try {
    return { file: script, text: readFileSync(script === '-' ? STDIN : script, 'utf8') };
  } catch (error) {
    throw new CommandError(EXIT.wrongUse, `${script} can't be read (${codeOf(error)}).`);
  }
}

async function play(
  terminal: Terminal,
  { show, json }: SimulateOptions,
  scenario: Scenario,
  config: RuntimeConfig,
): Promise<Reported> {
  const live = json ? null : createLiveLines(terminal);
  live?.status(`▸ ${countOf(Math.round(scenario.forMs / 1000), 'second')} of virtual time`);
  try {
    const reported = await playScenario({ scenario, config, show: show ?? null });
    if (show !== undefined && reported.report.shown === null)
      throw new CommandError(EXIT.wrongUse, `--show ${show}: there are ${reported.report.requests.total} requests.`);
    return reported;
  } finally {
    live?.status(null);
  }
}

function writeSvg(file: string, svg: string): void {
  try {
    writeFileSync(file, svg);
  } catch (error) {
    throw new CommandError(EXIT.wrongUse, `${file} can't be written (${codeOf(error)}).`);
  }
}

const codeOf = (error: unknown): string => (error instanceof Error && 'code' in error ? String(error.code) : 'unknown');
