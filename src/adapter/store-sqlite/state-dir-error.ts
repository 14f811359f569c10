/**
 * Why a gateway may not start on a state directory. `locked`: another one runs on it. `unusable`: nothing can be
 * written there. The message is for the operator, and says what to do.
 */
export class StateDirError extends Error {
  override readonly name = 'StateDirError';
  readonly kind: 'locked' | 'unusable';

  constructor(kind: StateDirError['kind'], message: string, cause?: unknown) {
    super(message, cause === undefined ? {} : { cause });
    this.kind = kind;
  }
}
