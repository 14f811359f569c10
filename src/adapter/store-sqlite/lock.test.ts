import { spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { chmodSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it, onTestFinished } from 'vitest';
import { makeStateDir } from '../../../test/kit/state-dir.ts';
import { lockStateDir } from './lock.ts';
import { StateDirError } from './state-dir-error.ts';

function refusalOf(stateDir: string): StateDirError {
  try {
    lockStateDir(stateDir).release();
  } catch (error) {
    if (error instanceof StateDirError) return error;
    throw error;
  }
  throw new Error('the lock was given');
}

function isFree(stateDir: string): boolean {
  lockStateDir(stateDir).release();
  return true;
}

/** A process that holds the lock until it is killed. */
async function holdElsewhere(stateDir: string) {
  const script = `const { lockStateDir } = await import(${JSON.stringify(join(import.meta.dirname, 'lock.ts'))});
    lockStateDir(${JSON.stringify(stateDir)}); console.log('held'); setInterval(() => {}, 1000);`;
  const child = spawn(process.execPath, ['--input-type=module', '-e', script], {
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  onTestFinished(() => void child.kill('SIGKILL'));
  await once(child.stdout, 'data');
  return child;
}

describe('lockStateDir', () => {
  it('is given once, and again after it was released', () => {
    const stateDir = makeStateDir();
    const lock = lockStateDir(stateDir);
    expect(refusalOf(stateDir).kind).toBe('locked');
    lock.release();
    lock.release();
    expect(isFree(stateDir)).toBe(true);
  });

  it('sees that its file was taken away, though it still holds it', () => {
    const stateDir = makeStateDir();
    const lock = lockStateDir(stateDir);
    expect(lock.isInPlace()).toBe(true);
    rmSync(join(stateDir, 'lock.db'));
    expect(lock.isInPlace()).toBe(false);
    const second = lockStateDir(stateDir);
    expect([lock.isInPlace(), second.isInPlace()]).toEqual([false, true]);
    second.release();
    lock.release();
  });

  it('makes the directory, but none above it', () => {
    expect(isFree(join(makeStateDir(), 'a'))).toBe(true);
    expect(refusalOf(join(makeStateDir(), 'a', 'b')).kind).toBe('unusable');
  });

  it.skipIf(process.platform !== 'linux')('is refused at once where no folder can be made', () => {
    expect(refusalOf('/proc/nothing')).toMatchObject({ kind: 'unusable', message: expect.stringContaining('ENOENT') });
  });

  it('says who has it and where that listens, as far as that is known', () => {
    const stateDir = makeStateDir();
    const lock = lockStateDir(stateDir);
    expect(refusalOf(stateDir).message).toContain(`Another gateway (process ${process.pid}) runs`);
    lock.announce('http://127.0.0.1:4180');
    expect(refusalOf(stateDir).message).toContain(`(process ${process.pid}, at http://127.0.0.1:4180) runs`);
    writeFileSync(join(stateDir, 'lock.json'), '{"pid":"x","url":7}');
    expect(refusalOf(stateDir).message).toContain('Another gateway runs');
    lock.release();
  });

  it('is refused while another process has it, by name and with what to do', async () => {
    const stateDir = makeStateDir();
    const child = await holdElsewhere(stateDir);
    const { kind, message } = refusalOf(stateDir);
    expect(kind).toBe('locked');
    expect(message).toContain(`process ${child.pid}`);
    expect(message).toContain(stateDir);
    expect(message).toContain('--state-dir');
  });

  it('is free the moment its holder is killed, with nothing to clean up', async () => {
    const stateDir = makeStateDir();
    const child = await holdElsewhere(stateDir);
    child.kill('SIGKILL');
    await once(child, 'exit');
    expect(isFree(stateDir)).toBe(true);
  });

  it('is not kept by a note about a process that lives', () => {
    const stateDir = makeStateDir();
    writeFileSync(join(stateDir, 'lock.json'), JSON.stringify({ pid: process.pid }));
    writeFileSync(join(stateDir, 'lock.db'), '');
    expect(isFree(stateDir)).toBe(true);
  });

  it('tells when nothing can be written there', () => {
    const file = join(makeStateDir(), 'file');
    writeFileSync(file, '');
    const { kind, message } = refusalOf(file);
    expect(kind).toBe('unusable');
    expect(message).toContain(`${file} can't be written (EEXIST)`);
    expect(message).toContain('kind: memory');
  });

  it('tells when it may not write there', (context) => {
    const stateDir = makeStateDir();
    if (!forbidWriting(stateDir)) context.skip('nothing can be mounted here, and root may write anywhere else');
    expect(refusalOf(stateDir).kind).toBe('unusable');
  });
});

/** Root may write anywhere but on a file system that is read-only. */
function forbidWriting(folder: string): boolean {
  if (process.getuid?.() !== 0) {
    chmodSync(folder, 0o500);
    return true;
  }
  onTestFinished(() => void spawnSync('umount', [folder]));
  return spawnSync('mount', ['-t', 'tmpfs', '-o', 'ro,size=1m', 'tmpfs', folder]).status === 0;
}
