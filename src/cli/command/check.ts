import type { Env } from '../../app/configuration.ts';
import { renderProblems } from '../../config/problem.ts';
import type { RuntimeConfig } from '../../config/runtime.ts';
import { tellWarning } from '../../config/warning.ts';
import { EXIT, type ExitCode } from '../exit-code.ts';
import { fileOf, openOrEnd } from '../open-configuration.ts';
import { proseErr, proseOut } from '../prose.ts';
import type { Terminal } from '../terminal.ts';
import { countOf } from '../words.ts';

type Options = { readonly config?: string; readonly json?: boolean };

/** Validates the configuration and says everything that is wrong with it. */
export function checkConfiguration(terminal: Terminal, env: Env, options: Options): ExitCode {
  const configuration = openOrEnd(options, env, EXIT.checkFailed);
  const file = fileOf(configuration);
  const result = configuration.load(configuration.text, null);
  if (options.json) {
    const body = result.ok
      ? { ok: true, file, problems: [], warnings: result.config.warnings.map(tellWarning) }
      : { ok: false, file, problems: result.problems, warnings: [] };
    terminal.out(JSON.stringify(body, null, 2));
  } else if (result.ok) terminal.out(renderValid(terminal, file ?? nameOf(configuration.source.kind), result.config));
  else {
    const text = `${renderProblems(result.problems, file)}\n\n${countProblems(terminal, result.problems.length)}`;
    terminal.err(proseErr(terminal, text));
  }
  return result.ok ? EXIT.fine : EXIT.checkFailed;
}

const nameOf = (kind: 'environment' | 'demo' | 'file'): string =>
  kind === 'demo'
    ? 'No configuration file was found, and no provider key: the built-in demo'
    : 'No configuration file was found: what the keys in the environment make';

const countProblems = (terminal: Terminal, n: number): string =>
  terminal.paint('red', `${countOf(n, 'problem')}: the gateway would not start.`);

function renderValid(terminal: Terminal, what: string, config: RuntimeConfig): string {
  const targets = [...config.models.values()].reduce((sum, model) => sum + model.targets.length, 0);
  const lists = config.catalogue.models.size;
  const counts = [
    countOf(config.models.size, 'model'),
    countOf(targets, 'target'),
    countOf(config.providers.size, 'provider'),
    ...(lists === 0 ? [] : [`targets out of lists for ${countOf(lists, 'model')}`]),
  ].join(', ');
  const warnings = (config.file === null ? [] : config.warnings).map((warning) =>
    proseOut(terminal, `  ${terminal.paint('yellow', '!')} ${tellWarning(warning)}`),
  );
  return [proseOut(terminal, `${terminal.paint('green', '✓')} ${what} is valid: ${counts}.`), ...warnings].join('\n');
}
