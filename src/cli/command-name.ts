import { basename, delimiter, dirname, relative } from 'node:path';

/** How the user of this process would call it again. */
export function ownCommand(): string {
  const script = process.argv[1];
  // Anything else runs the sources for purposes of its own.
  const isOurs = script !== undefined && basename(script) === 'understudy';
  return commandName(isOurs ? script : undefined, workingFolder() ?? '/', process.env['PATH']);
}

/** Null: it was removed, and nothing can be looked for there. */
export function workingFolder(): string | null {
  try {
    return process.cwd();
  } catch {
    return null;
  }
}

/** How the user would call this command again from here: its name where the shell finds it, else its path. */
export function commandName(script: string | undefined, cwd: string, path: string | undefined): string {
  if (script === undefined || (path ?? '').split(delimiter).includes(dirname(script))) return 'understudy';
  const near = relative(cwd, script);
  if (near.startsWith('..')) return script;
  return near.includes('/') ? near : `./${near}`;
}
