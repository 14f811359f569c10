import { afterEach, describe, expect, it, vi } from 'vitest';
import { createLineWriter } from './line-writer.ts';

afterEach(() => {
  vi.useRealTimers();
});

type Done = (code: string | null, taken: number) => void;

/** A descriptor whose writes end when and how a test says. */
function open({ maxWaiting = 1000, lastWordsMs = 200 } = {}) {
  const asked: { text: string; done: Done }[] = [];
  const sync: string[] = [];
  const state: { code: string | null; take: number } = { code: null, take: 1000 };
  const writer = createLineWriter({
    fd: 1,
    maxWaiting,
    lastWordsMs,
    io: {
      write: (_fd, bytes, done) => void asked.push({ text: bytes.toString(), done }),
      writeSync: (_fd, bytes) => {
        if (state.code !== null) throw Object.assign(new Error('no'), { code: state.code });
        const taken = bytes.subarray(0, state.take);
        sync.push(taken.toString());
        return taken.length;
      },
    },
  });
  return { writer, asked, sync, state };
}

describe('createLineWriter', () => {
  it('has one write under way, and puts together what came meanwhile', () => {
    const { writer, asked } = open();
    for (const line of ['a\n', 'b\n', 'c\n']) writer.write(line);
    expect(asked.map(({ text }) => text)).toEqual(['a\n']);
    asked[0]?.done(null, 2);
    expect(asked.map(({ text }) => text)).toEqual(['a\n', 'b\nc\n']);
  });

  it('goes on where a write took a part', () => {
    const { writer, asked } = open();
    writer.write('abcdef\n');
    asked[0]?.done(null, 3);
    expect(asked[1]?.text).toBe('def\n');
  });

  it('waits for a reader that is busy, and drops what is too much for it', () => {
    vi.useFakeTimers();
    const { writer, asked } = open({ maxWaiting: 8 });
    writer.write('first\n');
    asked[0]?.done('EAGAIN', 0);
    writer.write('too much\n');
    expect(asked).toHaveLength(1);
    vi.advanceTimersByTime(50);
    expect(asked.map(({ text }) => text)).toEqual(['first\n', 'first\n']);
    asked[1]?.done(null, 6);
    writer.write('then\n');
    expect(asked[2]?.text).toBe('then\n');
  });

  it.each(['EIO', 'EPIPE', 'ENOSPC', 'EBADF'])(
    'drops what can not be written (%s), and tries the next line',
    (code) => {
      const { writer, asked } = open();
      writer.write('lost\n');
      asked[0]?.done(code, 0);
      writer.write('later\n');
      expect(asked.map(({ text }) => text)).toEqual(['lost\n', 'later\n']);
    },
  );

  it('flushes what waits at the end, in as many writes as it takes', () => {
    const { writer, sync, state } = open();
    state.take = 4;
    for (const line of ['under way\n', 'a\n', 'b\n', 'c\n']) writer.write(line);
    writer.flush();
    expect(sync.join('')).toBe('a\nb\nc\n');
    writer.flush();
    expect(sync.join('')).toBe('a\nb\nc\n');
  });

  it.each(['EIO', 'EPIPE', 'ENOSPC', 'EAGAIN'])(
    'is through with the end in a moment, though nobody reads (%s)',
    (code) => {
      const { writer, state } = open();
      state.code = code;
      for (const line of ['under way\n', 'a\n']) writer.write(line);
      const before = performance.now();
      writer.flush();
      expect(performance.now() - before).toBeLessThan(2000);
    },
  );
});
