import { type LoadInput, type LoadResult, loadConfig } from '../../src/config/load.ts';
import { type ConfigProblem, renderProblems } from '../../src/config/problem.ts';
import type { RuntimeConfig } from '../../src/config/runtime.ts';
import { Secret } from '../../src/core/redact/secret.ts';
import type { Secrets } from '../../src/port/secrets.ts';
import { PRESETS } from '../../src/provider/registry.ts';

/** Secrets out of two maps; fingerprints are readable, so that tests can tell what went in. */
export function fakeSecrets(variables: Record<string, string> = {}, files: Record<string, string> = {}): Secrets {
  return {
    variable: (name) => (Object.hasOwn(variables, name) ? variables[name] : undefined),
    file: (path) => {
      const text = Object.hasOwn(files, path) ? files[path] : undefined;
      if (text === undefined) throw Object.assign(new Error('no such file'), { code: 'ENOENT' });
      return new Secret(text);
    },
    fingerprint: (parts) => `fp(${parts.join(',')})`,
  };
}

export type ConfigTextOptions = Partial<Omit<LoadInput, 'text'>> & {
  readonly env?: Record<string, string>;
  readonly files?: Record<string, string>;
};

/** Loads a configuration as `/etc/understudy.yaml` would be. */
export function loadText(text: string, { env, files, ...rest }: ConfigTextOptions = {}): LoadResult {
  return loadConfig({
    text,
    file: '/etc/understudy.yaml',
    presets: PRESETS,
    secrets: fakeSecrets({ HOME: '/home/me', ...env }, files),
    totalMemoryBytes: 8 * 1024 ** 3,
    stateDirDefault: '/home/me/.local/state/understudy',
    ...rest,
  });
}

/** A configuration that must be right; throws what is wrong with it. */
export function configOf(text: string, options: ConfigTextOptions = {}): RuntimeConfig {
  const result = loadText(text, options);
  if (!result.ok) throw new Error(renderProblems(result.problems, 'understudy.yaml'));
  return result.config;
}

/** What is wrong with a configuration that must be refused. */
export function problemsOf(text: string, options: ConfigTextOptions = {}): readonly ConfigProblem[] {
  const result = loadText(text, options);
  if (result.ok) throw new Error('the configuration is accepted');
  return result.problems;
}

/** The same as people read it. */
export const complaintOf = (text: string, options: ConfigTextOptions = {}): string =>
  renderProblems(problemsOf(text, options), 'understudy.yaml');
