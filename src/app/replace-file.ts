import { closeSync, fsyncSync, openSync, realpathSync, renameSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { codeOf } from '../config/error-code.ts';

/**
 * Writes a file whole or not at all, with the rights that it had; a link stays one. A file that is mounted by itself can't
 * be replaced, so it is written in place. Throws what the system says.
 */
export function replaceFile(path: string, text: string): void {
  const file = realpathSync(path);
  const draft = `${file}.new`;
  try {
    const { mode } = statSync(file);
    const handle = openSync(draft, 'w', mode & 0o777);
    try {
      writeFileSync(handle, text);
      fsyncSync(handle);
    } finally {
      closeSync(handle);
    }
    renameSync(draft, file);
  } catch (error) {
    removeDraft(draft);
    if (!IN_PLACE.includes(codeOf(error))) throw error;
    writeFileSync(file, text);
  }
}

/** The file is a mount of its own, or lies in a folder that only others may write. */
const IN_PLACE: readonly string[] = ['EBUSY', 'EXDEV', 'EACCES', 'EPERM'];

function removeDraft(draft: string): void {
  try {
    rmSync(draft, { force: true });
  } catch {
    // Then something else has its name, which is not ours to remove.
  }
}
