import { createHmac, randomBytes } from 'node:crypto';
import {
  chmodSync,
  closeSync,
  constants,
  existsSync,
  fstatSync,
  linkSync,
  mkdirSync,
  openSync,
  readFileSync,
  readSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import { join } from 'node:path';
import { Secret } from '../../core/redact/secret.ts';
import type { Secrets } from '../../port/secrets.ts';

export type EnvironmentSecretsOptions = {
  readonly env: Readonly<Record<string, string | undefined>>;
  /** Where the key of fingerprints is kept; null: nowhere, it lives as long as the process. */
  readonly stateDir: string | null;
  /** Makes the state directory where there is none; absent: those above it are there. Throws where it can't. */
  readonly makeFolder?: MakeFolder;
};

type MakeFolder = (path: string, mode: number) => void;

const makeOne: MakeFolder = (path, mode) => {
  if (!existsSync(path)) mkdirSync(path, { mode });
};

const KEY_FILE = 'fingerprint.key';
const KEY_BYTES = 32;

/**
 * Secrets from the environment and from files. The key of fingerprints is made at the first use, so that a command that
 * needs none leaves no trace.
 */
export function createEnvironmentSecrets({ env, stateDir, makeFolder = makeOne }: EnvironmentSecretsOptions): Secrets {
  let key: Buffer | null = null;
  return {
    variable: (name) => (Object.hasOwn(env, name) ? env[name] : undefined),
    file: (path) => new Secret(withoutLastLineEnd(readSmallFile(path))),
    fingerprint: (parts) => {
      key ??= (stateDir === null ? null : keptKey(stateDir, makeFolder)) ?? randomBytes(KEY_BYTES);
      const hmac = createHmac('sha256', key);
      // Lengths keep ["ab", "c"] and ["a", "bc"] apart.
      for (const part of parts) hmac.update(`${Buffer.byteLength(part)}:`).update(part);
      return hmac.digest('hex');
    },
  };
}

/** More than any key or chain of certificates. */
const MAX_BYTES = 64 * 1024;

/**
 * A regular file of at most 64 KiB. Anything else would hang (a pipe that nobody writes, a device without an end): it
 * throws with the code `EISDIR`, `not_regular` or `too_large`.
 */
function readSmallFile(path: string): string {
  // A pipe that nobody writes must not hold up its opening either.
  const fd = openSync(path, constants.O_RDONLY | constants.O_NONBLOCK);
  try {
    const stat = fstatSync(fd);
    if (stat.isDirectory()) throw fileError('EISDIR', 'is a folder');
    if (!stat.isFile()) throw fileError('not_regular', 'is no regular file');
    const bytes = Buffer.alloc(MAX_BYTES + 1);
    let length = 0;
    for (let read = -1; read !== 0 && length < bytes.length; length += read) {
      read = readSync(fd, bytes, length, bytes.length - length, null);
    }
    if (length > MAX_BYTES) throw fileError('too_large', 'is larger than 64 KiB');
    return bytes.toString('utf8', 0, length);
  } finally {
    closeSync(fd);
  }
}

const fileError = (code: string, what: string): Error => Object.assign(new Error(`the file ${what}`), { code });

const withoutLastLineEnd = (text: string): string => text.replace(/\r?\n$/, '');

/** The key of a state directory, made if it has none; null where it can neither be read nor written. */
function keptKey(stateDir: string, makeFolder: MakeFolder): Buffer | null {
  const file = join(stateDir, KEY_FILE);
  return readKey(file) ?? makeKey(stateDir, file, makeFolder) ?? readKey(file);
}

function readKey(file: string): Buffer | null {
  try {
    const text = readFileSync(file, 'utf8').trim();
    return /^[0-9a-f]{64}$/.test(text) ? Buffer.from(text, 'hex') : null;
  } catch {
    return null;
  }
}

/** Written beside and linked into place: two processes that start at once agree on one key. */
function makeKey(stateDir: string, file: string, makeFolder: MakeFolder): Buffer | null {
  const draft = `${file}.${randomBytes(6).toString('hex')}`;
  const key = randomBytes(KEY_BYTES);
  try {
    makeFolder(stateDir, 0o700);
    writeFileSync(draft, `${key.toString('hex')}\n`, { mode: 0o600, flag: 'wx' });
    chmodSync(draft, 0o600);
    if (isDamaged(file)) rmSync(file, { force: true });
    linkSync(draft, file);
    return key;
  } catch {
    return null;
  } finally {
    removeDraft(draft);
  }
}

function removeDraft(draft: string): void {
  try {
    rmSync(draft, { force: true });
  } catch {
    // A folder that can't be written holds no draft.
  }
}

/** There, readable, and no key. */
function isDamaged(file: string): boolean {
  try {
    readFileSync(file);
    return readKey(file) === null;
  } catch {
    return false;
  }
}
