import {
  type Configuration,
  type ConfigurationFlags,
  type Env,
  type OpenedConfiguration,
  openConfiguration,
} from '../app/configuration.ts';
import { tellProblems } from '../config/problem.ts';
import type { RuntimeConfig } from '../config/runtime.ts';
import { ownCommand } from './command-name.ts';
import { CommandError, EXIT, type ExitCode } from './exit-code.ts';

/** Finds the configuration, or ends the command with the message that tells why not. */
export function openOrEnd(flags: ConfigurationFlags, env: Env, exitCode: ExitCode): Configuration {
  const opened = openConfiguration({ ...flags, command: ownCommand() }, env, process.cwd());
  if (opened.ok) return opened.configuration;
  throw noConfiguration(opened, exitCode);
}

type Unopened = Extract<OpenedConfiguration, { ok: false }>;

/** One was named, or lies there, and can't be read. */
export const noConfiguration = ({ file, message, hint }: Unopened, exitCode: ExitCode): CommandError =>
  new CommandError(exitCode, `${file}: ${message}\n    → ${hint}`);

/** Path of the configuration's file; null where it has none. */
export const fileOf = ({ source }: Configuration): string | null => (source.kind === 'file' ? source.file.file : null);

/** The configuration to look at: variables may be set elsewhere. */
export function loadToReadOrEnd(configuration: Configuration): RuntimeConfig {
  const result = configuration.loadToRead();
  if (result.ok) return result.config;
  throw new CommandError(EXIT.configuration, tellProblems(result.problems, fileOf(configuration)));
}
