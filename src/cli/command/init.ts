import { existsSync, writeFileSync } from 'node:fs';
import { dirname, relative, resolve } from 'node:path';
import type { Env } from '../../app/configuration.ts';
import { makeFolder, wordsOfRefusal } from '../../app/make-folder.ts';
import { createStarter, listVendors, type Starter, suggestAccess, type Vendor } from '../../app/starter.ts';
import { codeOf } from '../../config/error-code.ts';
import { ownCommand } from '../command-name.ts';
import { CommandError, EXIT, type ExitCode } from '../exit-code.ts';
import { renderOrder } from '../order-lines.ts';
import { proseOut } from '../prose.ts';
import { renderSteps } from '../step-lines.ts';
import type { Terminal } from '../terminal.ts';
import type { Answers } from './init-questions.ts';

export type InitOptions = {
  readonly config?: string;
  readonly yes?: boolean;
  readonly force?: boolean;
  readonly json?: boolean;
};

const DEFAULT_FILE = 'understudy.yaml';

/** Writes a configuration file to begin with, after asking, or as the environment's keys suggest. */
export async function init(terminal: Terminal, env: Env, options: InitOptions): Promise<ExitCode> {
  const file = resolve(process.cwd(), options.config ?? DEFAULT_FILE);
  const shown = relative(process.cwd(), file).startsWith('..') ? file : relative(process.cwd(), file);
  // Before anything is asked.
  if (!options.force && existsSync(file)) refuseToReplace(shown);
  const answers = options.yes ? answersFrom(env) : await ask(terminal, env, options);
  if (answers === null) return EXIT.checkFailed;
  const starter = createStarter(answers, env);
  write(file, shown, starter.text, options.force ?? false);
  if (options.json) terminal.out(JSON.stringify({ file, ...namesOf(starter) }, null, 2));
  else terminal.out(renderNext(terminal, shown, starter, answers));
  return EXIT.fine;
}

function refuseToReplace(file: string): never {
  throw new CommandError(
    EXIT.wrongUse,
    `${file} is there already: replace it with --force, or name another one with --config.`,
  );
}

/** Every vendor whose key is there, each with its best model. */
function answersFrom(env: Env): Answers {
  const ready = listVendors(env).filter((vendor) => vendor.isReady);
  if (ready.length === 0) {
    const names = listVendors(env).flatMap(({ keyVariable }) => keyVariable ?? []);
    throw new CommandError(
      EXIT.wrongUse,
      `There is no provider's key in the environment. Set one or more and try again, or leave out --yes to be asked:\n${names.join(', ')}`,
    );
  }
  return { ...suggestAccess(env), vendors: ready.map((preset) => ({ preset, model: bestOf(preset) })) };
}

const bestOf = ({ models }: Vendor): string => models[0] ?? '';

async function ask(terminal: Terminal, env: Env, options: InitOptions): Promise<Answers | null> {
  if (options.json || !terminal.isInteractive || !process.stdin.isTTY) {
    throw new CommandError(EXIT.wrongUse, 'Questions need a terminal: with --yes nothing is asked.');
  }
  const { askForChoice } = await import('./init-questions.ts');
  return askForChoice(listVendors(env), suggestAccess(env));
}

function write(file: string, shown: string, text: string, force: boolean): void {
  try {
    makeFolder(dirname(file));
    writeFileSync(file, text, { flag: force ? 'w' : 'wx' });
  } catch (error) {
    if (codeOf(error) === 'EEXIST') refuseToReplace(shown);
    throw new CommandError(EXIT.configuration, `${shown} can't be written (${wordsOfRefusal(error)}).`);
  }
}

const namesOf = ({ targets, variables, missing }: Starter) => ({ targets, variables, missing });

const FROM_HERE = 'then ask http://127.0.0.1:4180/v1 for the model main';
const FROM_ELSEWHERE =
  'The gateway listens on 127.0.0.1 alone. For clients on other machines set "server.host" in the file (such as 0.0.0.0), or put a proxy on this machine in front.';

function renderNext(terminal: Terminal, file: string, starter: Starter, { needsKey }: Answers): string {
  const { order, variables, missing } = starter;
  const command = ownCommand();
  const at = file === DEFAULT_FILE ? '' : ` --config ${file}`;
  const steps: readonly (readonly [string, string])[] = [
    ...variables.map((name) => {
      const isSet = !missing.includes(name);
      return [`export ${name}=…`, isSet ? 'is set here; needed wherever it runs' : 'is not set yet'] as const;
    }),
    [`${command} doctor${at}`, 'are keys, addresses, machine as they should be?'],
    [`${command} serve${at}`, needsKey ? `${FROM_HERE}, with your UNDERSTUDY_KEY` : FROM_HERE],
  ];
  const lines = renderSteps(steps, {
    indent: '   ',
    columns: terminal.isInteractive ? terminal.columns : null,
    paint: { typed: (text) => terminal.paint('cyan', text), note: (text) => terminal.paint('dim', text) },
  }).map((line) => proseOut(terminal, line, 5));
  return [
    proseOut(
      terminal,
      `${terminal.paint('green', '✓')} ${terminal.paint('bold', file)} is written. Who answers for the model ${terminal.paint('bold', 'main')}:`,
    ),
    '',
    ...renderOrder(order).map((line) => proseOut(terminal, `   ${line}`, 14)),
    '',
    'What next:',
    '',
    ...lines,
    ...(needsKey ? ['', proseOut(terminal, FROM_ELSEWHERE)] : []),
  ].join('\n');
}
