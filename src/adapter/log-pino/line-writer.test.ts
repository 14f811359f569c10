import { spawnSync } from 'node:child_process';
import { closeSync, mkdtempSync, openSync, rmSync, writeSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { createLineWriter } from './line-writer.ts';
import { reopen } from './open-unheld.ts';

beforeEach(() => {
  vi.useFakeTimers();
});
afterEach(() => {
  vi.useRealTimers();
});

/** A place whose reader takes as much as a test says: `room` bytes, then none until there is room again. */
function open({ maxWaiting = 1000, lastWordsMs = 200, room = 1_000_000, roomPerPause = 0 } = {}) {
  const state: { room: number; code: string | null; isMute: boolean } = { room, code: null, isMute: false };
  const calls = { write: 0, pausedMs: 0 };
  const gaps: number[] = [];
  let out = '';
  const fail = (code: string): never => {
    throw Object.assign(new Error('no'), { code });
  };
  const writer = createLineWriter({
    maxWaiting,
    lastWordsMs,
    onGap: (lines) => {
      gaps.push(lines);
      writer.write(`(${lines} lost)\n`);
    },
    pause(ms) {
      calls.pausedMs += ms;
      state.room += roomPerPause;
    },
    write(bytes) {
      calls.write++;
      if (state.code !== null) fail(state.code);
      if (state.room === 0) return state.isMute ? 0 : fail('EAGAIN');
      const taken = bytes.subarray(0, state.room);
      state.room -= taken.length;
      out += taken.toString();
      return taken.length;
    },
  });
  return { writer, state, calls, gaps, out: () => out };
}

describe('createLineWriter', () => {
  it('writes a line at once while the reader takes what comes', () => {
    const { writer, calls, out } = open();
    for (const line of ['a\n', 'b\n']) {
      writer.write(line);
      expect(out().endsWith(line)).toBe(true);
    }
    expect([calls.write, writer.dropped()]).toEqual([2, 0]);
  });

  it.each([false, true])('keeps what a busy reader does not take, in its order (says nothing: %s)', (isMute) => {
    const { writer, state, calls, out } = open({ room: 3 });
    state.isMute = isMute;
    for (const line of ['abcdef\n', 'second\n', 'third\n']) writer.write(line);
    expect(out()).toBe('abc');
    vi.advanceTimersByTime(1000);
    // Nobody spins meanwhile: 1, 2, 4 … 50 ms.
    expect(calls.write).toBeLessThan(35);
    state.room = 8;
    vi.advanceTimersByTime(50);
    expect(out()).toBe('abcdef\nseco');
    state.room = 100;
    vi.advanceTimersByTime(50);
    expect(out()).toBe('abcdef\nsecond\nthird\n');
    writer.write('then\n');
    expect([out().endsWith('then\n'), writer.dropped()]).toEqual([true, 0]);
  });

  it('loses nothing to a reader that takes a pipe’s worth each millisecond', () => {
    const { writer, state, out } = open({ maxWaiting: 1 << 24, room: 0 });
    const line = `${'x'.repeat(199)}\n`;
    for (let n = 0; n < 5_000; n++) writer.write(line);
    vi.advanceTimersByTime(60);
    for (let ms = 0; ms < 50; ms++) {
      state.room = 65_536;
      vi.advanceTimersByTime(1);
    }
    expect(out() === line.repeat(5_000)).toBe(true);
  });

  it('drops what is too much, counts it, and says so once the reader is back', () => {
    const { writer, state, gaps, out } = open({ maxWaiting: 10, room: 0 });
    for (const line of ['first\n', 'too much\n', 'more\n', 'x\n']) writer.write(line);
    expect([writer.dropped(), gaps]).toEqual([2, []]);
    state.room = 100;
    vi.advanceTimersByTime(50);
    writer.write('then\n');
    expect(out()).toBe('first\nx\n(2 lost)\nthen\n');
    expect([writer.dropped(), gaps]).toEqual([2, [2]]);
  });

  it.each(['EIO', 'EPIPE', 'ENOSPC', 'EBADF'])(
    'drops what can not be written (%s), and tries the next line',
    (code) => {
      const { writer, state, calls, out } = open();
      state.code = code;
      for (const line of ['lost\n', 'lost too\n']) writer.write(line);
      expect([calls.write, writer.dropped()]).toEqual([2, 2]);
      state.code = null;
      writer.write('later\n');
      expect(out()).toBe('later\n(2 lost)\n');
    },
  );

  it('ends a line of which the rest can not be written before the next', () => {
    const { writer, state, out } = open({ room: 3 });
    for (const line of ['abcdef\n', 'lost\n']) writer.write(line);
    state.code = 'ENOSPC';
    vi.advanceTimersByTime(50);
    Object.assign(state, { code: null, room: 100 });
    writer.write('whole\n');
    expect(out()).toBe('abc\nwhole\n(2 lost)\n');
  });

  it('gives all that waits at the end, in as many writes as it takes', () => {
    const { writer, state, calls, out } = open({ room: 4 });
    for (const line of ['under way\n', 'a\n', 'b\n', 'c\n']) writer.write(line);
    state.room = 100;
    writer.flush();
    writer.flush();
    expect([out(), calls.pausedMs, writer.dropped()]).toEqual(['under way\na\nb\nc\n', 0, 0]);
  });

  it('waits at the end for a reader that is slow', () => {
    const { writer, out } = open({ room: 0, roomPerPause: 3 });
    for (const line of ['first\n', 'second\n']) writer.write(line);
    writer.flush();
    expect([out(), writer.dropped()]).toEqual(['first\nsecond\n', 0]);
  });

  it.each(['EIO', 'EPIPE', 'ENOSPC', 'EAGAIN', 'nothing'])(
    'is through with the end in a moment, though nobody reads (%s)',
    (code) => {
      const { writer, state, calls } = open({ room: 0 });
      for (const line of ['under way\n', 'a\n']) writer.write(line);
      if (code === 'nothing') state.isMute = true;
      else state.code = code;
      calls.write = 0;
      writer.flush();
      expect(calls.pausedMs).toBeLessThanOrEqual(250);
      expect(calls.write).toBeLessThan(20);
      expect(writer.dropped()).toBeGreaterThanOrEqual(2);
    },
  );
});

describe('reopen', () => {
  const [folder, opened] = [mkdtempSync(join(tmpdir(), 'understudy-pipe-')), [] as number[]];
  afterEach(() => {
    for (const fd of opened.splice(0)) closeSync(fd);
    rmSync(folder, { recursive: true, force: true });
  });

  it.skipIf(process.platform !== 'linux')(
    'gives a pipe on which no write waits; what else there is stays as it is',
    () => {
      const path = join(folder, 'pipe');
      spawnSync('mkfifo', [path]);
      const shared = openSync(path, 'r+');
      opened.push(shared);
      const own = reopen(shared);
      if (own === null) throw new Error('a pipe can be opened anew');
      opened.push(own);
      let taken = 0;
      expect(() => {
        while (taken < 1 << 24) taken += writeSync(own, Buffer.alloc(4096));
      }).toThrow(/EAGAIN/);
      expect(taken).toBeGreaterThan(0);
      const file = openSync(join(folder, 'file'), 'w');
      opened.push(file);
      expect(reopen(file)).toBe(null);
      expect(reopen(9_999)).toBe(null);
    },
  );
});
