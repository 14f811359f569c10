import {
  mkdirSync,
  mkdtempSync,
  realpathSync,
  renameSync,
  rmSync,
  symlinkSync,
  unlinkSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { createVirtualClock, type VirtualClock } from '../../test/kit/virtual-clock.ts';
import { type ConfigWatcher, watchConfig } from './watch.ts';

let folder: string;
let file: string;
let clock: VirtualClock;
let seen: string[];
let unreadable: string[];
let returned: number;
let watcher: ConfigWatcher | null = null;

beforeEach(() => {
  folder = realpathSync(mkdtempSync(join(tmpdir(), 'understudy-watch-')));
  file = join(folder, 'understudy.yaml');
  clock = createVirtualClock();
  seen = [];
  unreadable = [];
  returned = 0;
});

afterEach(() => {
  watcher?.close();
  watcher = null;
  rmSync(folder, { recursive: true });
});

/** So long that only events of the file system can tell. */
const NO_POLL = 1e9;

function start(text: string, pollMs = 5000): void {
  watcher = watchConfig({
    file,
    text,
    clock,
    pollMs,
    onChange: (changed) => seen.push(changed),
    onUnreadable: (reason) => unreadable.push(reason),
    onReturn: () => {
      returned += 1;
    },
  });
}

/** Lets the file system tell what it has to tell, then lets the silence pass. */
async function settle(until: () => boolean): Promise<void> {
  for (let turn = 0; turn < 500 && !until(); turn++) {
    await new Promise((resolve) => setTimeout(resolve, 4));
    clock.advance(200);
  }
}

describe('the file is watched', () => {
  it('when it is written, in as many steps as it takes', async () => {
    writeFileSync(file, 'a');
    start('a', NO_POLL);
    writeFileSync(file, 'b');
    writeFileSync(file, 'bc');
    await settle(() => seen.length > 0);
    expect(seen).toEqual(['bc']);
  });

  it('when an editor puts another in its place', async () => {
    writeFileSync(file, 'a');
    start('a', NO_POLL);
    for (const text of ['b', 'c']) {
      writeFileSync(`${file}.tmp`, text);
      renameSync(`${file}.tmp`, file);
      await settle(() => seen.at(-1) === text);
    }
    expect(seen).toEqual(['b', 'c']);
  });

  it('when a link to its folder is swapped', async () => {
    for (const name of ['one', 'two', 'three']) {
      mkdirSync(join(folder, name));
      writeFileSync(join(folder, name, 'understudy.yaml'), name);
    }
    const data = join(folder, '..data');
    symlinkSync('one', data);
    symlinkSync(join('..data', 'understudy.yaml'), file);
    start('one', NO_POLL);
    for (const name of ['two', 'three']) {
      symlinkSync(name, `${data}_tmp`);
      renameSync(`${data}_tmp`, data);
      await settle(() => seen.at(-1) === name);
    }
    expect(seen).toEqual(['two', 'three']);
  });

  it('by looking now and then, should nothing be told', () => {
    writeFileSync(file, 'a');
    start('a');
    writeFileSync(file, 'b');
    clock.advance(4900);
    expect(seen).toEqual([]);
    clock.advance(200);
    expect(seen).toEqual(['b']);
  });

  it('while it is away, told once', () => {
    writeFileSync(file, 'a');
    start('a');
    unlinkSync(file);
    clock.advance(30_000);
    expect([seen, unreadable]).toEqual([[], ['ENOENT']]);
    writeFileSync(file, 'b');
    clock.advance(6000);
    expect([seen, returned]).toEqual([['b'], 0]);
  });

  it('until it is back as it was, told once for each time that it was away', () => {
    writeFileSync(file, 'a');
    start('a');
    for (const times of [1, 2]) {
      unlinkSync(file);
      clock.advance(6000);
      writeFileSync(file, 'a');
      clock.advance(30_000);
      expect([seen, unreadable.length, returned]).toEqual([[], times, times]);
    }
  });

  it('but not told when it is the same, unless it is asked for', () => {
    writeFileSync(file, 'a');
    start('a');
    clock.advance(60_000);
    expect(seen).toEqual([]);
    watcher?.reload();
    expect(seen).toEqual(['a']);
  });

  it('until it is closed', () => {
    writeFileSync(file, 'a');
    start('a');
    watcher?.close();
    writeFileSync(file, 'b');
    clock.advance(60_000);
    expect(seen).toEqual([]);
    expect(clock.pending).toBe(0);
  });
});
