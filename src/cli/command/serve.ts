import { isatty } from 'node:tty';
import { type Running, startGateway, type Waiting } from '../../app/lifecycle.ts';
import { openStandardWriter } from '../../app/standard-writer.ts';
import { renderBanner } from '../banner.ts';
import { ownCommand } from '../command-name.ts';
import { CommandError, EXIT, type ExitCode } from '../exit-code.ts';
import { openOrEnd } from '../open-configuration.ts';
import { proseErr } from '../prose.ts';
import { createTerminal, type Terminal } from '../terminal.ts';
import { readVersion } from '../version.ts';
import { countOf } from '../words.ts';

export type ServeOptions = {
  readonly config?: string;
  readonly host?: string;
  readonly port?: number;
  readonly stateDir?: string;
  /** `true`: one. */
  readonly waitReady?: number | true;
};

/** Runs the gateway until it is told to end. */
export async function serve(terminal: Terminal, env: NodeJS.ProcessEnv, options: ServeOptions): Promise<ExitCode> {
  const configuration = openOrEnd(options, env, EXIT.configuration);
  // Where the configuration does not say how the log is to look: at a terminal it is read by people.
  const logFormat = terminal.isInteractive ? 'pretty' : 'json';
  const waitReady = options.waitReady === true ? 1 : (options.waitReady ?? null);
  const started = await startGateway(configuration, { version: readVersion(), logFormat, waitReady });
  if (!started.ok) throw new CommandError(EXIT.configuration, started.message);
  // Before anything says that it runs: whoever reads that may send a signal at once.
  const { isTTY, columns } = process.stderr;
  // Nobody may hold what serves, were it only that its terminal is stopped (Ctrl-S).
  const shown = createTerminal(process.stdout, { ...openStandardWriter(2), isTTY, columns }, env);
  followSignals(started, (waiting) => tellWaiting(shown, waiting));
  shown.err(renderBanner(shown, configuration.source, { ...started, command: ownCommand(), waitReady }));
  const code = await started.ended;
  // Whatever still holds the process: its work is done.
  process.exit(code);
}

/** Who has pressed Ctrl-C at a terminal wants to know why the prompt does not come, and what would bring it. */
export function tellWaiting(terminal: Terminal, waiting: Waiting | null): void {
  if (waiting === null || terminal.errColumns === null) return;
  const { inFlight, drainMs } = waiting;
  const most = drainMs < 1000 ? `${drainMs} ms` : `${Math.round(drainMs / 1000)} s`;
  const text = `waiting for ${countOf(inFlight, 'request')}, ${most} at most; Ctrl-C again ends it at once`;
  terminal.err(proseErr(terminal, `  ${terminal.paint('yellow', '!')} ${text}`));
}

function followSignals(running: Running, onWait: (waiting: Waiting | null) => void): void {
  takeOver('SIGTERM', () => running.stop(false));
  takeOver('SIGINT', () => onWait(running.stop(true)));
  process.on('SIGHUP', hangUpOf(running));
  // One request's fault must not take the answers of all others with it.
  process.on('uncaughtException', (error) => running.reportFault(error));
  process.on('unhandledRejection', (error) => running.reportFault(error));
  // A terminal that is gone is no reason to stop serving.
  for (const stream of [process.stdout, process.stderr]) stream.removeAllListeners('error').on('error', () => {});
}

/** From whoever ended the process by it up to here (`bin/understudy`). One that is on its way must find somebody. */
function takeOver(signal: 'SIGTERM' | 'SIGINT', act: () => void): void {
  const before = process.listeners(signal);
  process.on(signal, act);
  for (const listener of before) process.removeListener(signal, listener);
}

/**
 * The signal means what it means to servers, unless the terminal that the gateway was started on is gone: then nobody
 * could see or end it any more. The shell, the system and the launcher may each send it, and mean it once.
 */
function hangUpOf(running: Running): () => void {
  const terminals = [0, 1].filter((fd) => isatty(fd));
  const isGone = (): boolean => terminals.length > 0 && !terminals.some((fd) => isatty(fd));
  let isStopping = false;
  return () => {
    if (!isGone()) running.reload();
    else if (!isStopping) running.stop(true);
    isStopping ||= isGone();
  };
}
