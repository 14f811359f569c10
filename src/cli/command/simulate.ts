import { appendFileSync, existsSync, realpathSync, rmSync, writeFileSync } from 'node:fs';
import type { Configuration, Env } from '../../app/configuration.ts';
import { playScenario } from '../../app/play-scenario.ts';
import { COMMAND_BOUNDS, findExcess } from '../../app/simulation-bounds.ts';
import { systemNow } from '../../app/system-time.ts';
import { codeOf } from '../../config/error-code.ts';
import { type ConfigProblem, renderProblems } from '../../config/problem.ts';
import type { RuntimeConfig } from '../../config/runtime.ts';
import { compareReports, drawTraffic, type Reported } from '../../simulate/report/index.ts';
import type { Progress } from '../../simulate/run-scenario.ts';
import type { Scenario } from '../../simulate/scenario/scenario.ts';
import { checkScenario, fallbackModel, readScript, type Script } from '../../simulate/script/index.ts';
import { loadWorldConfig } from '../../simulate/world/world-config.ts';
import { renderComparison } from '../comparison-lines.ts';
import { CommandError, EXIT } from '../exit-code.ts';
import { createLiveLines } from '../live-lines.ts';
import { loadToReadOrEnd, openOrEnd } from '../open-configuration.ts';
import { proseErr } from '../prose.ts';
import { readScriptFile } from '../read-script-file.ts';
import { renderShown } from '../shown-request-lines.ts';
import { formatMoment, renderSimulation } from '../simulation-lines.ts';
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

/** More than that many mistakes tell nobody anything. */
const MOST_TOLD = 20;
/** The line that says how far it is changes so often. */
const SHOWN_EVERY_MS = 200;

type Opened = {
  readonly file: string;
  readonly script: Script;
  readonly scenario: Scenario;
  readonly config: RuntimeConfig;
  /** Where that configuration comes from, in words. */
  readonly from: string;
};

/** Plays a script against a configuration in virtual time, and shows what came of it; nothing is sent. */
export async function simulate(terminal: Terminal, env: Env, options: SimulateOptions): Promise<void> {
  const opened = open(terminal, env, options);
  const other = options.compare === undefined ? null : readOther(env, options.compare, opened);
  if (options.svg !== undefined) checkWritable(options.svg);
  const startedAt = systemNow();
  const here = await play(terminal, options, opened.scenario, opened.config);
  const there = other === null ? null : await play(terminal, options, opened.scenario, other);
  const compared = there === null ? null : compareReports(here, there);
  const tookMs = systemNow() - startedAt;
  const { report } = here;
  if (options.svg !== undefined) writeSvg(options.svg, drawTraffic(report));
  if (options.json) {
    terminal.out(JSON.stringify({ simulation: report, compared }, null, 2));
    return;
  }
  const picture = options.svg === undefined ? [] : [`the picture is in ${options.svg}`];
  const parts = [
    renderSimulation(terminal, report),
    ...(report.shown === null ? [] : [renderShown(terminal, report.shown)]),
    ...(compared === null ? [] : [renderComparison(terminal, report, compared)]),
    terminal.paint('dim', [`played against ${opened.from}, in ${formatDuration(tookMs)}`, ...picture].join('\n')),
  ];
  terminal.out(parts.join('\n\n'));
}

type Found = Pick<Opened, 'config' | 'from'>;

function readConfig(env: Env, file: string | undefined): Found {
  const configuration = openOrEnd(file === undefined ? {} : { config: file }, env, EXIT.configuration);
  return { config: loadToReadOrEnd(configuration), from: sourceOf(configuration) };
}

const SOURCES = {
  environment: 'what the keys of the environment give',
  demo: 'the demo, since there is no configuration',
};

const sourceOf = ({ source }: Configuration): string =>
  source.kind === 'file' ? source.file.file : SOURCES[source.kind];

/** The other configuration has to have the models of the script, too. */
function readOther(env: Env, compare: string, { file, script }: Opened): RuntimeConfig {
  const { config } = readConfig(env, compare);
  const { problems } = checkScenario(script, config);
  if (problems.length === 0) return config;
  throw new CommandError(EXIT.wrongUse, `${tell(problems, file)}\n    → the configuration is ${compare} (--compare)`);
}

/** The scenario, with what it is played against: the configuration that is named, its own, or the one that is found. */
function open(terminal: Terminal, env: Env, options: SimulateOptions): Opened {
  const { file, text } = readScriptFile(options.script, COMMAND_BOUNDS.script);
  // Its own configuration is known only after a first look, which may lack the model.
  const own = options.config === undefined ? ownConfig(text, file) : null;
  const { config, from } =
    own === null ? readConfig(env, options.config) : { config: own, from: 'the configuration of the script' };
  const read = readScript(text, { model: options.model ?? fallbackModel(config) });
  if (!read.ok) throw new CommandError(EXIT.wrongUse, tell(read.problems, file));
  const { script } = read;
  const { problems, notes } = checkScenario(script, config);
  const excess = findExcess(script.scenario, COMMAND_BOUNDS);
  const wrong = [...problems, ...(excess === null ? [] : [script.locate(excess)])];
  if (wrong.length > 0) throw new CommandError(EXIT.wrongUse, tell(wrong, file));
  if (notes.length > 0) terminal.err(proseErr(terminal, terminal.paint('yellow', tell(notes, file))));
  return { file, script, scenario: withSeed(script, options.seed), config, from };
}

function tell(problems: readonly ConfigProblem[], file: string): string {
  const rest = problems.length - MOST_TOLD;
  return `${renderProblems(problems.slice(0, MOST_TOLD), file)}${rest > 0 ? `\nand ${rest} more` : ''}`;
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
  throw new CommandError(EXIT.configuration, tell(problems, file));
}

async function play(
  terminal: Terminal,
  { show, json }: SimulateOptions,
  scenario: Scenario,
  config: RuntimeConfig,
): Promise<Reported> {
  const live = json ? null : createLiveLines(terminal);
  let shownAt = 0;
  const showProgress = ({ asked, atMs }: Progress): void => {
    const now = systemNow();
    if (live === null || now - shownAt < SHOWN_EVERY_MS) return;
    shownAt = now;
    live.status(`▸ ${formatMoment(atMs)} of ${formatMoment(scenario.forMs)} · ${countOf(asked, 'request')}`);
  };
  try {
    const reported = await playScenario({
      scenario,
      config,
      show: show ?? null,
      isStopped(progress) {
        showProgress(progress);
        return progress.asked > COMMAND_BOUNDS.asked;
      },
    });
    const { requests, shown } = reported.report;
    if (show !== undefined && shown === null)
      throw new CommandError(EXIT.wrongUse, `--show ${show}: there are ${requests.total} requests.`);
    return reported;
  } finally {
    live?.status(null);
  }
}

const writeSvg = (file: string, svg: string): void => orSayWhy(file, () => writeFileSync(file, svg));

/** Told before anything is played, and without a change to what is there: a file that was made to try is taken away. */
function checkWritable(file: string): void {
  orSayWhy(file, () => {
    const isNew = !existsSync(file);
    appendFileSync(file, '');
    // Behind a link, what was made is where it leads.
    if (isNew) rmSync(realpathSync(file));
  });
}

function orSayWhy(file: string, act: () => void): void {
  try {
    act();
  } catch (error) {
    throw new CommandError(EXIT.wrongUse, `--svg ${file}: it can't be written (${codeOf(error)}).`);
  }
}
