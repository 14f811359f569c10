import { runCommandLine } from './command-line.ts';
import { createTerminal } from './terminal.ts';

// A reader that has seen enough (head, a pager) is no fault.
process.stdout.on('error', (error: NodeJS.ErrnoException) => {
  if (error.code === 'EPIPE') process.exit(0);
});

process.exitCode = await runCommandLine(
  process.argv.slice(2),
  createTerminal(process.stdout, process.stderr, process.env),
  process.env,
);
