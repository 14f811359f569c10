import { Argument, Command, CommanderError, Option } from 'commander';
import { OPERATOR_ACTIONS, type OperatorAction } from '../app/command-words.ts';
import { addRun } from './add-run.ts';
import type { DoctorOptions } from './command/doctor.ts';
import type { DrillOptions } from './command/drill.ts';
import type { ExplainOptions } from './command/explain.ts';
import type { InitOptions } from './command/init.ts';
import type { PlanOptions } from './command/plan.ts';
import type { ProbeOptions } from './command/probe.ts';
import type { ReplayOptions } from './command/replay.ts';
import type { RequestsOptions } from './command/requests.ts';
import type { SchemaName } from './command/schema.ts';
import type { ServeOptions } from './command/serve.ts';
import type { SimulateOptions } from './command/simulate.ts';
import { ownCommand } from './command-name.ts';
import { CommandError, EXIT, type ExitCode } from './exit-code.ts';
import { proseErr } from './prose.ts';
import type { Terminal } from './terminal.ts';
import { readVersion } from './version.ts';
import { refuseGoneFolder, refuseUnknown, wrongUseOf } from './wrong-use.ts';

type Common = { readonly config?: string; readonly json?: boolean; readonly url?: string };

/** What every command gets. `end` sets the exit code. */
type Surroundings = {
  readonly terminal: Terminal;
  readonly env: NodeJS.ProcessEnv;
  readonly end: (code: ExitCode) => void;
};

const CONFIG = ['-c, --config <file>', 'configuration file; else it is looked for'] as const;
const JSON_FLAG = ['--json', 'for machines'] as const;
const ALL_FLAG = ['-a, --all', 'also each route of another protocol that nothing is translated for'] as const;
const URL_FLAG = [
  '--url <url>',
  'address of the gateway; else UNDERSTUDY_URL, else that of the configuration',
] as const;

/** Runs the command line and gives the code to exit with. Messages of failures go to the terminal's error side. */
export async function runCommandLine(
  argv: readonly string[],
  terminal: Terminal,
  env: NodeJS.ProcessEnv,
): Promise<ExitCode> {
  let code: ExitCode = EXIT.fine;
  const end = (result: ExitCode): void => {
    code = result;
  };
  const program = new Command('understudy')
    .description('An LLM gateway whose backup goes on before the audience notices.')
    .exitOverride()
    // What is wrong with the arguments is told below.
    .configureOutput({ writeOut: (text) => terminal.out(text), writeErr: () => {} })
    .hook('preAction', (_, command) => refuseGoneFolder(command.name()))
    .version(readVersion(), '-v, --version', 'print the version');
  for (const add of [
    addServe,
    addFirstSteps,
    addLocalCommands,
    addGatewayCommands,
    addPlan,
    addProbe,
    addSimulate,
    addReplay,
    addSanitize,
  ])
    add(program, { terminal, env, end });
  addRun(program, { terminal, env, argv, parsePort, parseCount: parseWhole('--min-ready', 0) });
  try {
    refuseUnknown(program, argv);
    await program.parseAsync([...argv], { from: 'user' });
    return code;
  } catch (error) {
    if (error instanceof CommanderError && error.exitCode === 0) return EXIT.fine;
    const told = error instanceof CommanderError ? wrongUseOf(error, program, argv) : error;
    if (!(told instanceof CommandError)) throw error;
    terminal.err(proseErr(terminal, `${terminal.paint('red', 'understudy:')} ${told.message}`));
    return told.exitCode;
  }
}

// Each command loads its code when it runs: what a gateway needs is much, what `version` needs is little.

function addServe(program: Command, { terminal, env, end }: Surroundings): void {
  program
    .command('serve', { isDefault: true })
    .description('run the gateway (default); without configuration and keys: a demo')
    .option(...CONFIG)
    .option('-p, --port <port>', 'port to listen on', parsePort)
    .option('--host <host>', 'address to listen on')
    .option('--state-dir <dir>', 'where state is kept')
    .option('--wait-ready [n]', '/readyz says 503 until a model has had so many ready routes (1)', parseWait)
    .action(async (options: ServeOptions) => {
      const { serve } = await import('./command/serve.ts');
      end(await serve(terminal, env, options));
    });
}

/** Commands for those who begin, and for those for whom something does not work. */
function addFirstSteps(program: Command, { terminal, env, end }: Surroundings): void {
  program
    .command('init')
    .description('write a configuration file: asks, or takes the keys of the environment')
    .option('-c, --config <file>', 'file to write (understudy.yaml)')
    .option('-y, --yes', 'ask nothing: every vendor whose key is in the environment')
    .option('--force', 'replace a file that is there')
    .option(...JSON_FLAG)
    .action(async (options: InitOptions) => {
      const { init } = await import('./command/init.ts');
      end(await init(terminal, env, options));
    });
  program
    .command('drill')
    .description('break fake providers in every common way, and show what a client sees')
    .option('--only <words...>', 'faults, protocols or shapes (stream, json) to play')
    .option(...JSON_FLAG)
    .action(async (options: DrillOptions) => {
      const { drill } = await import('./command/drill.ts');
      end(await drill(terminal, options));
    });
  program
    .command('doctor')
    .description('look for what is wrong with this machine, the configuration and the providers')
    .option(...CONFIG)
    .option('-p, --port <port>', 'port that the gateway is to listen on', parsePort)
    .option('--host <host>', 'address that it is to listen on')
    .option('--state-dir <dir>', 'where state is to be kept')
    .option('--offline', 'ask no provider')
    .option(...JSON_FLAG)
    .action(async (options: DoctorOptions) => {
      const { doctor } = await import('./command/doctor.ts');
      end(await doctor(terminal, env, options));
    });
}

/** Asks a running gateway if there is one. */
function addPlan(program: Command, { terminal, env }: Surroundings): void {
  program
    .command('plan')
    .description('what would happen to a request, with the effective settings; nothing is sent')
    .option('-m, --model <name>', 'model that is asked for; else the one of the request, the only one, or the default')
    .option('-r, --request <file>', 'body of a request ("-": standard input); else a short one')
    .option(
      '--protocol <protocol>',
      'protocol of the request: chat, responses, messages or gemini; else guessed from its body',
    )
    .option('--offline', 'from the configuration alone, with everything in good health')
    .option(...ALL_FLAG)
    .option(...URL_FLAG)
    .option(...CONFIG)
    .option(...JSON_FLAG)
    .action(async (options: PlanOptions) => {
      const { showPlan } = await import('./command/plan.ts');
      await showPlan(terminal, env, options);
    });
}

/** Has a running gateway do it if there is one. */
function addProbe(program: Command, { terminal, env, end }: Surroundings): void {
  program
    .command('probe')
    .description('ask every route whether it can serve, with the smallest request there is; exit 5 if a model has none')
    .option('-m, --model <name>', 'only this model; may be given again', addName)
    .option('--offline', 'ask from here, whether a gateway runs or not')
    .option('-a, --all', 'also each route that was not reached')
    .option(...URL_FLAG)
    .option(...CONFIG)
    .option(...JSON_FLAG)
    .action(async (options: ProbeOptions) => {
      const { probe } = await import('./command/probe.ts');
      end(await probe(terminal, env, options));
    });
}

function addSimulate(program: Command, { terminal, env }: Surroundings): void {
  program
    .command('simulate')
    .description('play a script of faults against the configuration, in virtual time; nothing is sent')
    .option('-s, --script <file>', 'who asks, and what providers do ("-": standard input)')
    .option('--compare <file>', 'another configuration, under the same requests, faults and chance')
    .option('-m, --model <name>', 'model of requests that name none; else the only one, or the default')
    .option('--seed <n>', 'of all chance; else that of the script', parseWhole('--seed', 0))
    .option('--show <n>', 'the events of this request; else of the most interesting one', parseWhole('--show', 1))
    .option('--svg <file>', 'draw who answered over time')
    .option(...CONFIG)
    .option(...JSON_FLAG)
    .action(async (options: SimulateOptions) => {
      const { simulate } = await import('./command/simulate.ts');
      await simulate(terminal, env, options);
    });
}

/** Asks a running gateway if there is one. */
function addReplay(program: Command, { terminal, env }: Surroundings): void {
  program
    .command('replay')
    .description('what would have become of recorded requests with a changed configuration; nothing is sent')
    .option(...CONFIG)
    .option('--since <time>', 'only requests since this time (ISO 8601), or so long ago (90s, 15m, 1h, 2d)', '24h')
    .option('--state-dir <dir>', 'read the ledger in it, and ask no gateway')
    .option(...URL_FLAG)
    .option(...JSON_FLAG)
    .action(async (options: ReplayOptions) => {
      const { replay } = await import('./command/replay.ts');
      await replay(terminal, env, options);
    });
}

/** Commands that need no gateway. */
function addLocalCommands(program: Command, { terminal, env, end }: Surroundings): void {
  program
    .command('check')
    .description('validate the configuration')
    .option(...CONFIG)
    .option(...JSON_FLAG)
    .action(async (options: Common) => {
      const { checkConfiguration } = await import('./command/check.ts');
      end(checkConfiguration(terminal, env, options));
    });
  program
    .command('models')
    .description('the models of the configuration, with their targets')
    .option(...CONFIG)
    .option(...JSON_FLAG)
    .addOption(new Option('--url <url>').hideHelp())
    .action(async (options: Common) => {
      if (options.url !== undefined) {
        const message = `models reads the configuration, not a gateway: leave out --url. A gateway tells its models at ${options.url}/v1/models.`;
        throw new CommandError(EXIT.wrongUse, message);
      }
      const { listConfiguredModels } = await import('./command/models.ts');
      listConfiguredModels(terminal, env, options);
    });
  program
    .command('schema')
    .description('print a JSON Schema, for editors')
    .addArgument(
      new Argument('[file]', 'of which file: the configuration, or a script of simulate')
        .choices(['config', 'simulate'] satisfies SchemaName[])
        .default('config'),
    )
    .action(async (file: SchemaName) => {
      const { printSchema } = await import('./command/schema.ts');
      printSchema(terminal, file);
    });
  program
    .command('version')
    .description('print the version')
    .option(...JSON_FLAG)
    .action((options: Common) =>
      terminal.out(options.json ? JSON.stringify({ version: readVersion(), node: process.version }) : readVersion()),
    );
}

function addSanitize(program: Command, { terminal, end }: Surroundings): void {
  program
    .command('sanitize')
    .description('pass on what may leave of a log on standard input: events, and counts of the rest')
    .addOption(new Option('--json').hideHelp())
    .action(async () => {
      const { sanitize } = await import('./command/sanitize.ts');
      end(await sanitize(terminal));
    });
}

/** Commands that talk to a running gateway. */
function addGatewayCommands(program: Command, { terminal, env }: Surroundings): void {
  const gateway = async (options: Common) => {
    const { findGateway } = await import('./find-gateway.ts');
    return findGateway(options, env);
  };
  const command = (name: string): Command =>
    program
      .command(name)
      .option(...URL_FLAG)
      .option(...CONFIG)
      .option(...JSON_FLAG);

  command('targets')
    .description('live health of routes, credentials and endpoints; or change that of one')
    .addArgument(
      new Argument(
        '[action]',
        'reset: forget holds and failures; disable, enable: out of service until a restart, and back',
      ).choices(OPERATOR_ACTIONS),
    )
    .argument('[id]', 'target, route, credential or endpoint, as the list names it')
    .action(async (action: OperatorAction | undefined, id: string | undefined, options: Common) => {
      const { listTargets, operateTarget } = await import('./command/targets.ts');
      const isJson = options.json ?? false;
      if (action === undefined) return listTargets(terminal, await gateway(options), isJson);
      if (id === undefined)
        throw new CommandError(EXIT.wrongUse, `Which one? Name it: ${ownCommand()} targets ${action} provider/model`);
      return operateTarget(terminal, await gateway(options), { action, id, isJson });
    });
  command('requests')
    .description('what was asked, newest first')
    .option('-n, --limit <n>', 'how many (20; at most 500)')
    .option('--model <name>', 'only this model')
    .option('--target <target>', 'only with an attempt on this target')
    .option('--outcome <word>', 'only with this outcome')
    .option('--key <name>', 'only of this client key')
    .option('--kind <word>', 'answer, count or compact; probe: those of the gateway itself; all')
    .option('--since <time>', 'only since this time (ISO 8601), or so long ago (90s, 15m, 1h, 2d)')
    .action(async (options: Common & RequestsOptions) => {
      const { listRequests } = await import('./command/requests.ts');
      await listRequests(terminal, await gateway(options), options);
    });
  command('explain')
    .argument('[id]', 'id of a request or the end of one, or "last"')
    .option(...ALL_FLAG)
    .description('why a request went where it went')
    .action(async (id: string | undefined, options: Common & ExplainOptions) => {
      if (id === undefined) {
        throw new CommandError(
          EXIT.wrongUse,
          `Which request? Name its id, or the newest: ${ownCommand()} explain last`,
        );
      }
      const { explainRequest } = await import('./command/explain.ts');
      await explainRequest(terminal, await gateway(options), id, options);
    });
}

const parseWhole =
  (flag: string, least: number) =>
  (text: string): number => {
    if (/^\d{1,15}$/.test(text) && Number(text) >= least) return Number(text);
    throw new CommandError(EXIT.wrongUse, `${flag} ${text}: it is a whole number from ${least}.`);
  };

const addName = (name: string, before: readonly string[] | undefined): readonly string[] => [...(before ?? []), name];

const parseWait = parseWhole('--wait-ready', 1);

function parsePort(text: string): number {
  const port = Number(text);
  if (/^\d{1,5}$/.test(text) && port <= 65_535) return port;
  throw new CommandError(EXIT.wrongUse, `--port ${text}: a port is a number from 0 to 65535.`);
}
