/** A fault of our own, as a log may have it: what kind, and where. */
export type FaultFacts = {
  readonly name: string;
  /** Node's own word (`ECONNRESET`, `ERR_…`); null: none, or one that looks like anything else. */
  readonly code: string | null;
  /** Frames of the stack, one a line; empty: none. */
  readonly at: string;
};

const NAME = /^[A-Z][A-Za-z]{0,63}$/;
const CODE = /^E[A-Z0-9]*(?:_[A-Z0-9]+)*$/;
const MAX_CODE_LENGTH = 64;
const FRAME = /^\s+at (?:\S.*)?(?:\(.+:\d+:\d+\)|\S+:\d+:\d+|\(<anonymous>\))$/;
const MAX_FRAMES = 10;
const MAX_FRAME_LENGTH = 200;

/**
 * What is known of anything that was thrown, without its message: that of an unknown fault may hold whatever was at hand,
 * a key or a prompt. Total; getters and proxies of strangers may throw.
 */
export function describeFault(thrown: unknown): FaultFacts {
  const name = read(thrown, 'name');
  const code = read(thrown, 'code');
  return {
    name: name !== null && NAME.test(name) ? name : typeof thrown === 'object' ? 'Error' : typeof thrown,
    code: code !== null && code.length <= MAX_CODE_LENGTH && CODE.test(code) ? code : null,
    at: framesOf(read(thrown, 'stack') ?? '', read(thrown, 'message') ?? ''),
  };
}

/** The same in one line, for those who have no fields. */
export function faultWords(thrown: unknown): string {
  const { name, code } = describeFault(thrown);
  return code === null ? name : `${name} ${code}`;
}

function read(thrown: unknown, field: string): string | null {
  try {
    const value: unknown = (thrown as Readonly<Record<string, unknown>> | null | undefined)?.[field];
    return typeof value === 'string' ? value : null;
  } catch {
    return null;
  }
}

/** A stack begins with the message, which may look like frames itself: it goes first. */
function framesOf(stack: string, message: string): string {
  const start = message === '' ? -1 : stack.indexOf(message);
  const frames = (start < 0 ? stack : stack.slice(start + message.length)).split('\n').slice(1);
  return frames
    .filter((line) => FRAME.test(line))
    .slice(0, MAX_FRAMES)
    .map((line) => line.trim().slice(0, MAX_FRAME_LENGTH))
    .join('\n');
}
