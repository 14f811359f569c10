/** How the command ends, for scripts. */
export const EXIT = {
  fine: 0,
  checkFailed: 1,
  wrongUse: 2,
  configuration: 3,
  unreachable: 4,
  noCapacity: 5,
  noChild: 6,
} as const;

export type ExitCode = (typeof EXIT)[keyof typeof EXIT];

/** An end that the user is told of in one message, without a stack. */
export class CommandError extends Error {
  readonly exitCode: ExitCode;

  constructor(exitCode: ExitCode, message: string) {
    super(message);
    this.name = 'CommandError';
    this.exitCode = exitCode;
  }
}
