import { closeSync, openSync, readSync } from 'node:fs';
import { codeOf } from '../config/error-code.ts';
import { ownCommand } from './command-name.ts';
import { CommandError, EXIT } from './exit-code.ts';

const STDIN = 0;
const CHUNK = 64 * 1024;

/**
 * The text of a script: a file, or standard input ("-"). Ends the command where there is none, or where it is longer
 * than `most` bytes; of an endless one no more than that is read.
 */
export function readScriptFile(
  script: string | undefined,
  most: number,
): { readonly file: string; readonly text: string } {
  if (script === undefined) {
    throw new CommandError(
      EXIT.wrongUse,
      `Which script? Name it: ${ownCommand()} simulate --script FILE ("-": standard input). docs/simulate.md has ten to begin with.`,
    );
  }
  const bytes = readBounded(script, most);
  if (bytes.length > most)
    throw new CommandError(
      EXIT.wrongUse,
      `${script} is longer than a script may be (${most / 1024} KiB): rows with a rate or a count stand for many.`,
    );
  try {
    return { file: script, text: new TextDecoder('utf-8', { fatal: true }).decode(bytes) };
  } catch {
    throw new CommandError(EXIT.wrongUse, `${script} is no text in UTF-8.`);
  }
}

/** At most one byte more than `most`. */
function readBounded(script: string, most: number): Uint8Array {
  try {
    const fd = script === '-' ? STDIN : openSync(script, 'r');
    try {
      return readAll(fd, most + 1);
    } finally {
      if (fd !== STDIN) closeSync(fd);
    }
  } catch (error) {
    throw new CommandError(EXIT.wrongUse, `${script} can't be read (${codeOf(error)}).`);
  }
}

function readAll(fd: number, most: number): Uint8Array {
  const parts: Uint8Array[] = [];
  let size = 0;
  for (let more = true; more && size < most; ) {
    const part = new Uint8Array(Math.min(CHUNK, most - size));
    const read = readSync(fd, part);
    parts.push(part.subarray(0, read));
    size += read;
    more = read > 0;
  }
  return Buffer.concat(parts);
}
