import { spawnSync } from 'node:child_process';
import { existsSync, mkdirSync, mkdtempSync, rmSync, statSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { makeFolder, wordsOfRefusal } from './make-folder.ts';

let top = '';
beforeAll(() => {
  top = mkdtempSync(join(tmpdir(), 'understudy-folders-'));
});
afterAll(() => rmSync(top, { recursive: true }));

const refusal = (path: string): string => {
  try {
    makeFolder(path);
    return 'made';
  } catch (error) {
    return wordsOfRefusal(error);
  }
};

describe('a folder', () => {
  it('is made with all above it, for its user alone; again is fine', () => {
    const path = join(top, 'a/b/c');
    makeFolder(path, 0o700);
    makeFolder(path, 0o700);
    for (const each of ['a', 'a/b', 'a/b/c']) expect(statSync(join(top, each)).mode & 0o777).toBe(0o700);
  });

  it('is refused in words where something else has its name', () => {
    writeFileSync(join(top, 'file'), '');
    symlinkSync(join(top, 'nowhere'), join(top, 'link'));
    expect(refusal(join(top, 'file'))).toBe('a file stands in the way');
    expect(refusal(join(top, 'file/x'))).toBe('a file stands in the way');
    for (const path of ['link', 'link/x', 'link/x/y'])
      expect(refusal(join(top, path))).toBe('a link stands in the way that leads nowhere');
    symlinkSync(join(top, 'file'), join(top, 'link-to-file'));
    expect(refusal(join(top, 'link-to-file'))).toBe('a file stands in the way');
    mkdirSync(join(top, 'folder'));
    symlinkSync(join(top, 'folder'), join(top, 'link-to-folder'));
    expect(refusal(join(top, 'link-to-folder/x'))).toBe('made');
  });

  // In a process of its own, which can be ended: it would not return.
  it.skipIf(!existsSync('/proc/self'))(
    'is refused where no folder can be made, and at once',
    { timeout: 20_000 },
    () => {
      const file = fileURLToPath(new URL('make-folder.ts', import.meta.url));
      const program = `import { makeFolder } from ${JSON.stringify(file)}; makeFolder('/proc/nothing/x')`;
      const ended = spawnSync(process.execPath, ['--input-type=module', '-e', program], { timeout: 10_000 });
      expect(ended.signal).toBe(null);
      expect(String(ended.stderr)).toContain('ENOENT');
    },
  );
});
