import { renderProblems } from '../../config/problem.ts';
import type { RuntimeConfig } from '../../config/runtime.ts';
import { type Configuration, openConfiguration } from '../configuration.ts';
import { NOTHING_FOUND } from '../nothing-found.ts';
import { secretsOf } from '../secret-memory.ts';
import { type Private, privateConfig } from './private-config.ts';
import type { Run } from './types.ts';

export type OpenedPrivate =
  | { readonly ok: true; readonly configuration: Configuration; readonly config: RuntimeConfig }
  | { readonly ok: false; readonly why: string };

/**
 * The configuration of the private gateway. The file is read once: a command that works in its folder could change it, and
 * with it where keys are sent.
 */
export function openPrivate({ options, stateDir, hide }: Run, given: Private): OpenedPrivate {
  const { config: file, env, cwd, port, ownCommand } = options;
  const flags = {
    host: '127.0.0.1',
    port,
    stateDir,
    command: ownCommand,
    ...(file === undefined ? {} : { config: file }),
  };
  const opened = openConfiguration(flags, env, cwd);
  if (!opened.ok) return { ok: false, why: `${opened.file}: ${opened.message}: ${opened.hint}` };
  const { source } = opened.configuration;
  if (source.kind === 'demo') return { ok: false, why: NOTHING_FOUND };
  const configuration = makePrivate(opened.configuration, given);
  const loaded = configuration.load(configuration.text, null);
  if (!loaded.ok) {
    const [first, ...more] = loaded.problems;
    const problem =
      first === undefined ? '' : renderProblems([first], source.kind === 'file' ? source.file.file : null);
    const rest = more.length === 0 ? '' : ` (and ${more.length} more: ${ownCommand} check lists them)`;
    return { ok: false, why: `the configuration is not valid: ${problem}${rest}` };
  }
  hide([...secretsOf(loaded.config), given.key, given.adminToken]);
  return { ok: true, configuration, config: loaded.config };
}

function makePrivate(configuration: Configuration, given: Private): Configuration {
  const { text } = configuration;
  return {
    ...configuration,
    source: { kind: 'environment', text, presets: [] },
    load(next, demoOrigin) {
      const loaded = configuration.load(next, demoOrigin);
      return loaded.ok ? { ok: true, config: privateConfig(loaded.config, given) } : loaded;
    },
  };
}
