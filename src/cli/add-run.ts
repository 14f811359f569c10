import type { Command } from 'commander';
import type { RunCommandOptions } from './command/run.ts';
import { ownCommand } from './command-name.ts';
import { CommandError, EXIT } from './exit-code.ts';
import type { Terminal } from './terminal.ts';

type Surroundings = {
  readonly terminal: Terminal;
  readonly env: NodeJS.ProcessEnv;
  readonly argv: readonly string[];
  readonly parsePort: (text: string) => number;
  readonly parseCount: (text: string) => number;
};

/** Everything behind the two dashes is another program's, whatever it looks like. */
export function addRun(program: Command, { terminal, env, argv, parsePort, parseCount }: Surroundings): void {
  program
    .command('run')
    .usage('[options] -- COMMAND [ARGUMENTS...]')
    .description('run a command beside a gateway of its own, for CI: waits for routes, leaves evidence')
    .argument('[command...]', 'the command and its arguments, behind two dashes')
    .option('-c, --config <file>', 'configuration file; else it is looked for; else the keys of the environment')
    .option('-m, --model <name>', 'model that the command is given; else the first')
    .option('-e, --evidence <dir>', 'folder for what happened')
    .option(
      '--min-ready <n>',
      'ready routes of the model before the command starts; 0: it starts at once',
      parseCount,
      1,
    )
    .option('--ready-timeout <time>', 'how long they are waited for (60s)', '60s')
    .option('-p, --port <port>', 'port of the gateway; else one that is free', parsePort)
    .option('--keep-keys', "leave the providers' keys in the command's environment")
    .action(async (words: readonly string[], options: RunCommandOptions) => {
      const command = commandIn(argv, words);
      const { run } = await import('./command/run.ts');
      await run(terminal, env, command, options);
    });
}

/** What stands behind the dashes; nothing else may stand before them than options. */
function commandIn(argv: readonly string[], words: readonly string[]): readonly string[] {
  const at = argv.indexOf('--');
  const behind = at < 0 ? [] : argv.slice(at + 1);
  if (behind.length > 0 && behind.length === words.length) return behind;
  const example = words.length > 0 && at < 0 ? words.join(' ') : 'npm test';
  throw new CommandError(
    EXIT.wrongUse,
    `Which command? Options come first, then two dashes, then the command: ${ownCommand()} run -- ${example}`,
  );
}
