import { totalmem } from 'node:os';
import { join, resolve } from 'node:path';
import { createEnvironmentSecrets } from '../adapter/secrets-env/index.ts';
import { type ConfigFile, findConfig } from '../config/find.ts';
import { configFromEnvironment } from '../config/from-environment.ts';
import type { UnsetVariables } from '../config/interpolate.ts';
import { findStateDir, type LoadResult, loadConfig } from '../config/load.ts';
import { type AccessResult, readAccess } from '../config/read-access.ts';
import { PRESETS } from '../provider/registry.ts';
import { makeFolder } from './make-folder.ts';
import { withSavedLists } from './saved-lists.ts';

export type Env = Readonly<Record<string, string | undefined>>;

/** What the command line says about the configuration. */
export type ConfigurationFlags = {
  /** How the command is called from here, where a hint names it. */
  readonly command?: string;
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
  /**
   * To look at only: variables that are not set in this terminal are taken as if they were, and lists of models are those
   * that were kept.
   */
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
  const secrets = createEnvironmentSecrets({ env, stateDir, makeFolder });
  const load = (unset: UnsetVariables): Configuration['load'] => {
    const { command = 'understudy' } = flags;
    const given = { ...common, command, presets: PRESETS, secrets, unset, totalMemoryBytes: totalmem() };
    return (text, demoOrigin) => loadConfig({ ...given, text, demoOrigin });
  };
  return {
    ok: true,
    configuration: {
      source,
      text,
      stateDir,
      load: load('refuse'),
      readAccess: (needs) => readAccess({ text, file: common.file, secrets }, needs),
      loadToRead() {
        const result = load('stand_in')(text, null);
        return result.ok ? { ok: true, config: withSavedLists(result.config) } : result;
      },
    },
  };
}

function sourceFromEnvironment(env: Env): ConfigurationSource {
  const { source, text, presets } = configFromEnvironment(createEnvironmentSecrets({ env, stateDir: null }), PRESETS);
  return { kind: source, text, presets };
}
