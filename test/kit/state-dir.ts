import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { onTestFinished } from 'vitest';

/** A state directory that is gone after the test. */
export function makeStateDir(): string {
  const folder = mkdtempSync(join(tmpdir(), 'understudy-state-'));
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
  return folder;
}
