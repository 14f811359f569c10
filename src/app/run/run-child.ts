import { type ChildProcess, spawn } from 'node:child_process';
import { constants } from 'node:os';
import { basename } from 'node:path';
import { codeOf } from '../../config/error-code.ts';
import type { RunCourse } from '../../core/readiness/run-verdict.ts';
import type { RunSignals } from './signals.ts';

export type ChildEnd = Extract<RunCourse, { type: 'ended' | 'no_child' }>;

const REASONS: Readonly<Record<string, string>> = {
  ENOENT: 'there is no such command',
  EACCES: 'it may not be executed',
  ENOEXEC: 'it is no program',
  E2BIG: 'its arguments are too long',
  ENOMEM: 'there is no memory left',
  EAGAIN: 'there may be no more processes',
};

/** How a shell tells that a signal ended a command: 128 and its number. */
const codeOfSignal = (signal: NodeJS.Signals): number => 128 + (constants.signals[signal] ?? 0);

/** Name of a command as it may be told: its folder is nobody's business, and its arguments may hold anything. */
export const nameOf = ([program = '']: readonly string[]): string => basename(program).slice(0, 100);

/** Runs a command on this process's own input and outputs to its end, and passes signals on to it. Never rejects. */
export function runChild(
  command: readonly string[],
  env: Readonly<Record<string, string>>,
  signals: Pick<RunSignals, 'passOn'>,
): Promise<ChildEnd> {
  const [program = '', ...args] = command;
  return new Promise((resolve) => {
    const refuse = (error: unknown): void => {
      const code = codeOf(error);
      resolve({ type: 'no_child', why: `${nameOf(command)} can't be started: ${REASONS[code] ?? code}` });
    };
    let child: ChildProcess;
    try {
      child = spawn(program, args, { env, stdio: 'inherit' });
    } catch (error) {
      refuse(error);
      return;
    }
    const stop = signals.passOn((signal) => void child.kill(signal));
    child.once('error', (error) => {
      // Later ones are of signals that did not reach it.
      if (child.pid === undefined) refuse(error);
    });
    child.once('exit', (code, signal) => {
      stop();
      resolve({ type: 'ended', code: signal === null ? (code ?? 0) : codeOfSignal(signal), signal });
    });
  });
}
