import { runBeside } from '../../app/run/run-beside.ts';
import { parseDuration } from '../../config/units.ts';
import { ownCommand } from '../command-name.ts';
import { CommandError, EXIT } from '../exit-code.ts';
import type { Terminal } from '../terminal.ts';
import { readVersion } from '../version.ts';

export type RunCommandOptions = {
  readonly config?: string;
  readonly model?: string;
  readonly evidence?: string;
  readonly port?: number;
  readonly minReady: number;
  readonly readyTimeout: string;
  readonly keepKeys?: boolean;
};

/** Runs a command beside a gateway of its own, and ends this process with the command's own code where there is one. */
export async function run(
  terminal: Terminal,
  env: NodeJS.ProcessEnv,
  command: readonly string[],
  options: RunCommandOptions,
): Promise<never> {
  const { config, model, evidence, port = 0, minReady, readyTimeout, keepKeys = false } = options;
  const timeout = parseDuration(readyTimeout);
  if (!timeout.ok) {
    throw new CommandError(EXIT.wrongUse, `--ready-timeout ${readyTimeout}: write a number with a unit: 60s, 5m`);
  }
  const { exitCode, message } = await runBeside({
    command,
    ...(config === undefined ? {} : { config }),
    ...(model === undefined ? {} : { model }),
    ...(evidence === undefined ? {} : { evidence }),
    port,
    minReady,
    readyTimeoutMs: timeout.value,
    keepsKeys: keepKeys,
    env,
    cwd: process.cwd(),
    version: readVersion(),
    ownCommand: ownCommand(),
    // One line, however wide: logs of CI are read by programs too.
    say: (line) => terminal.err(`understudy: ${line}`),
    exits: {
      configuration: EXIT.configuration,
      gateway: EXIT.unreachable,
      noCapacity: EXIT.noCapacity,
      noChild: EXIT.noChild,
    },
  });
  if (message !== null) terminal.err(`understudy: ${message}`);
  // Whatever still holds the process: its work is done.
  process.exit(exitCode);
}
