import { totalmem } from 'node:os';
import { join, resolve } from 'node:path';
import { createEnvironmentSecrets } from '../adapter/secrets-env/index.ts';
import { type ConfigFile, findConfig } from '../config/find.ts';
import { configFromEnvironment } from '../config/from-environment.ts';
import { findStateDir, type LoadResult, loadConfig } from '../config/load.ts';
import type { ConfigProblem } from '../config/problem.ts';
import { type AccessResult, readAccess } from '../config/read-access.ts';
import type { Secrets } from '../port/secrets.ts';
import { PRESETS } from '../provider/registry.ts';

export type Env = Readonly<Record<string, string | undefined>>;

/** What the command line says about the configuration. */
export type ConfigurationFlags = {
  readonly config?: string;
  readonly host?: string;
  readonly port?: number;
  readonly stateDir?: string;
};

/** Where a configuration comes from: a file, the keys of the environment, or neither (the demo). */
export type ConfigurationSource =
  | { readonly kind: 'file'; readonly file: ConfigFile }
  | { readonly kind: 'environment' | 'demo'; readonly text: string; readonly presets: readonly string[] };

/** A configuration that was found and can be read again and again. */
export type Configuration = {
  readonly source: ConfigurationSource;
  readonly text: string;
  readonly stateDir: string;
  /** `demoOrigin`: where the demo provider listens, null while none does. */
  load(text: string, demoOrigin: string | null): LoadResult;
  /** How to reach the gateway that runs on it; keys of providers do not matter. */
  readAccess(needs: { readonly needsToken: boolean }): AccessResult;
  /** To look at only: variables that are not set in this terminal are taken as if they were. */
  loadToRead(): LoadResult;
};

export type OpenedConfiguration =
  | { readonly ok: true; readonly configuration: Configuration }
  | { readonly ok: false; readonly file: string; readonly message: string; readonly hint: string };

/** Finds the configuration. `env` and `cwd` stand for the process's. */
export function openConfiguration(flags: ConfigurationFlags, env: Env, cwd: string): OpenedConfiguration {
  const found = findConfig({ flag: flags.config, env, cwd });
  if (found.kind === 'unreadable') return { ok: false, file: found.file, message: found.message, hint: found.hint };
  const source = found.kind === 'found' ? ({ kind: 'file', file: found.file } as const) : sourceFromEnvironment(env);
  const text = source.kind === 'file' ? source.file.text : source.text;
  const override = flags.stateDir ?? env['UNDERSTUDY_STATE_DIR'];
  const common = {
    file: source.kind === 'file' ? source.file.file : null,
    format: source.kind === 'file' ? source.file.format : ('yaml' as const),
    stateDirDefault: join(env['HOME'] ?? cwd, '.local', 'state', 'understudy'),
    overrides: {
      ...(flags.host === undefined ? {} : { host: flags.host }),
      ...(flags.port === undefined ? {} : { port: flags.port }),
      ...(override === undefined || override === '' ? {} : { stateDir: resolve(cwd, override) }),
    },
  };
  const bare = createEnvironmentSecrets({ env, stateDir: null });
  const stateDir = findStateDir({ ...common, text, secrets: bare });
  const secrets = createEnvironmentSecrets({ env, stateDir });
  const load = loader(common, secrets);
  return {
    ok: true,
    configuration: {
      source,
      text,
      stateDir,
      load,
      readAccess: (needs) => readAccess({ text, file: common.file, secrets }, needs),
      loadToRead() {
        const strict = load(text, null);
        const unset = strict.ok ? [] : strict.problems.map(unsetVariableOf);
        if (strict.ok || unset.includes(null)) return strict;
        const variable = (name: string) => (unset.includes(name) ? `${UNSET}-${name}` : secrets.variable(name));
        const lenient = loader(common, { ...secrets, variable })(text, null);
        return lenient.ok ? lenient : strict;
      },
    },
  };
}

/** Stands in for what is not set, where nothing is sent. */
const UNSET = 'not-set-in-this-terminal';

/** The variable whose absence is all that is wrong here; null: something else is wrong. */
const unsetVariableOf = ({ message }: ConfigProblem): string | null =>
  /^the variable (\S+) is not set$/.exec(message)?.[1] ?? null;

function loader(
  common: Pick<Parameters<typeof loadConfig>[0], 'file' | 'format' | 'stateDirDefault' | 'overrides'>,
  secrets: Secrets,
): Configuration['load'] {
  return (text, demoOrigin) =>
    loadConfig({ ...common, text, presets: PRESETS, secrets, totalMemoryBytes: totalmem(), demoOrigin });
}

function sourceFromEnvironment(env: Env): ConfigurationSource {
  const { source, text, presets } = configFromEnvironment(createEnvironmentSecrets({ env, stateDir: null }), PRESETS);
  return { kind: source, text, presets };
}
