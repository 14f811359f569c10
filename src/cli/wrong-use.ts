import type { Command, CommanderError } from 'commander';
import { didYouMean } from '../config/nearest.ts';
import { ownCommand, workingFolder } from './command-name.ts';
import { CommandError, EXIT } from './exit-code.ts';

/**
 * Without this a mistyped command would be taken for an argument of `serve`, the default, or `help` would tell of
 * something else.
 */
export function refuseUnknown(program: Command, [first = '', second]: readonly string[]): void {
  const asked = first === 'help' ? (second ?? '') : first;
  const names = [...program.commands.map((command) => command.name()), 'help'];
  if (asked === '' || asked.startsWith('-') || names.includes(asked)) return;
  const guess = isFileLike(asked) && first !== 'help' ? `did you mean --config ${shorten(asked)}?` : null;
  const told = guess ?? didYouMean(asked, names) ?? `commands: ${names.join(', ')}`;
  throw new CommandError(EXIT.wrongUse, `unknown command ${quote(asked)}: ${told}`);
}

/** Commands that look at no file. */
const NEEDS_NO_FOLDER = ['version', 'schema'];

/** Where the shell stands in a folder that was removed, no file can be looked for. */
export function refuseGoneFolder(command: string): void {
  if (workingFolder() !== null || NEEDS_NO_FOLDER.includes(command)) return;
  throw new CommandError(EXIT.wrongUse, 'this folder is gone: cd into one that exists');
}

/** What the parser of arguments found wrong, in our words and with what to do. */
export function wrongUseOf(error: CommanderError, program: Command, [first = '']: readonly string[]): CommandError {
  const command = program.commands.find((each) => each.name() === first);
  const said = error.message
    .replace(/^error: /, '')
    .replace(/\n\(Did you mean (.*)\?\)$/s, (_, guess: string) => `: did you mean ${guess}?`);
  const words = error.code === 'commander.excessArguments' && command !== undefined ? tellExcess(command) : said;
  const help = command === undefined ? '--help' : `help ${first}`;
  return new CommandError(EXIT.wrongUse, `${words}\nTry: ${ownCommand()} ${help}`);
}

/** A file or a model that was named without its flag is what it mostly is. */
function tellExcess(command: Command): string {
  const excess = command.args[command.registeredArguments.length] ?? '';
  const meant = isFileLike(excess) ? ['--script', '--config'] : ['--model'];
  const flags = meant.filter((flag) => command.options.some(({ long }) => long === flag));
  const known = `unknown argument ${quote(excess)}`;
  if (flags.length === 0) return known;
  return `${known}: did you mean ${flags.map((flag) => `${flag} ${shorten(excess)}`).join(', or ')}?`;
}

const isFileLike = (word: string): boolean => /[./]/.test(word);
const shorten = (word: string): string => word.slice(0, 200);
const quote = (word: string): string => JSON.stringify(word.slice(0, 80));
