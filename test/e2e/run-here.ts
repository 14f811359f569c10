import { chdir, cwd } from 'node:process';
import { runCommandLine } from '../../src/cli/command-line.ts';
import { createTerminal } from '../../src/cli/terminal.ts';
import type { Ended } from './gateway-process.ts';

let last: Promise<unknown> = Promise.resolve();

/**
 * Runs a command as `runCommand` does, but in this process: for what it says, where how it ends is seen elsewhere
 * (`start-page.test.ts` runs each command as a program). One after the other, since a process has one folder.
 */
export function runHere(
  args: readonly string[],
  options: { readonly home: string; readonly env?: Readonly<Record<string, string>> },
): Promise<Ended> {
  const run = last.then(() => runInFolder(args, options.home, options.env));
  last = run.catch(() => {});
  return run;
}

async function runInFolder(args: readonly string[], home: string, env?: Readonly<Record<string, string>>) {
  const before = cwd();
  const given = { PATH: process.env['PATH'], HOME: home, ...env };
  const [out, err]: [string[], string[]] = [[], []];
  const terminal = createTerminal({ write: (text) => out.push(text) }, { write: (text) => err.push(text) }, given);
  chdir(home);
  try {
    const code = await runCommandLine(args, terminal, given);
    return { code, out: out.join(''), err: err.join('') };
  } finally {
    chdir(before);
  }
}
