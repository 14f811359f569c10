import type { Secret } from '../core/redact/secret.ts';

/** Where credentials come from, and what may be derived from them. */
export interface Secrets {
  /** The value of `${VAR}`; undefined when it is not set. */
  variable(name: string): string | undefined;
  /** The contents of a secret file without its last line end. Throws when it can't be read. */
  file(path: string): Secret;
  /** A keyed hash (hex), stable for the life of the state directory, that tells nothing of its parts. */
  fingerprint(parts: readonly string[]): string;
}
