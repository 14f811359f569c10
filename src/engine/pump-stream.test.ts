import { describe, expect, it } from 'vitest';
import type { CanonicalEvent, Frame } from '../core/model/event.ts';
import type { StreamPolicy } from '../core/stream/phase.ts';
import { decodeUtf8, encodeUtf8 } from '../protocol/json/index.ts';
import type { StreamDecoder } from '../protocol/types.ts';
import { StreamPump } from './pump-stream.ts';

const POLICY: StreamPolicy = {
  commitOn: 'output',
  onContentPolicy: 'stop',
  holdToolEnd: true,
  preflight: { maxBytes: 1000, maxEvents: 100, maxJson: 1000 },
  acceptEmpty: false,
};

const frame = (bytes: string, ...events: readonly CanonicalEvent[]): Frame => ({
  bytes: encodeUtf8(bytes),
  events,
  edits: [],
  count: 1,
});

const TEXT: CanonicalEvent = { type: 'text' };
const FINISH: CanonicalEvent = { type: 'finish', reason: 'stop', raw: 'stop' };
const TOOL_END: CanonicalEvent = { type: 'tool_end', terminal: false };

/** A decoder whose frames are given; each push takes as many as the chunk has bytes. */
function pumpOf(frames: readonly Frame[], policy: Partial<StreamPolicy> = {}) {
  const left = [...frames];
  const said: string[] = [];
  const ends: boolean[] = [];
  const decoder: StreamDecoder = {
    relax: () => void said.push('relax'),
    push(chunk, onFrame) {
      const read = left.splice(0, chunk.length);
      for (const each of read) if (onFrame?.(each) === false) break;
      return read;
    },
    end(clean) {
      ends.push(clean);
      return clean ? [frame('<done>', { type: 'done' })] : [];
    },
    usage: () => null,
    heldBytes: 0,
  };
  const pump = new StreamPump(
    decoder,
    { ...POLICY, ...policy },
    {
      onCommit: () => void said.push('commit'),
      onWrite: (written) => void said.push(written.map(({ bytes }) => decodeUtf8(bytes)).join('')),
    },
  );
  return { pump, said, ends, read: (count: number) => pump.push(new Uint8Array(count)) };
}

describe('StreamPump', () => {
  it('commits once, before the first write, and relaxes the decoder', () => {
    const { read, said } = pumpOf([frame('a', { type: 'role' }), frame('b', TEXT), frame('c', TEXT)]);
    read(1);
    expect(said).toEqual([]);
    read(2);
    expect(said).toEqual(['relax', 'commit', 'abc']);
  });

  it('relaxes the decoder for what stands behind the first output in the same read', () => {
    const said: string[] = [];
    const frames = [frame('a', TEXT), frame('b', TEXT)];
    const decoder: StreamDecoder = {
      relax: () => void said.push('relax'),
      push(_chunk, onFrame) {
        for (const each of frames) {
          said.push('read');
          onFrame?.(each);
        }
        return frames;
      },
      end: () => [],
      usage: () => null,
      heldBytes: 0,
    };
    new StreamPump(decoder, POLICY, { onCommit: () => {}, onWrite: () => {} }).push(new Uint8Array(1));
    expect(said).toEqual(['read', 'relax', 'read']);
  });

  it.each([
    ['a failure', [frame('a', TEXT), frame('', { type: 'malformed' }), frame('c', TEXT)]],
    ['the end mark', [frame('a', TEXT, FINISH), frame('b', { type: 'done' }), frame('c', TEXT)]],
  ])('reads nothing behind %s', (_what, frames) => {
    let reads = 0;
    const decoder: StreamDecoder = {
      relax: () => {},
      push(_chunk, onFrame) {
        for (const each of frames) {
          reads += 1;
          if (onFrame?.(each) === false) break;
        }
        return frames;
      },
      end: () => [],
      usage: () => null,
      heldBytes: 0,
    };
    new StreamPump(decoder, POLICY, { onCommit: () => {}, onWrite: () => {} }).push(new Uint8Array(1));
    expect(reads).toBe(2);
  });

  it('one write a read, in order', () => {
    const { read, said } = pumpOf([frame('a', TEXT), frame('b', TEXT), frame('c', TEXT), frame('d', TEXT)]);
    read(1);
    read(3);
    expect(said.slice(2)).toEqual(['a', 'bcd']);
  });

  it('frames without bytes are not written, their edits are named', () => {
    const left: Frame = { ...frame('', { type: 'usage', usage: {} as never }), edits: ['usage_chunk_left_out'] };
    const { read, said, pump } = pumpOf([frame('a', TEXT), left]);
    read(1);
    read(1);
    expect(said).toEqual(['relax', 'commit', 'a']);
    expect([...pump.edits]).toEqual(['usage_chunk_left_out']);
  });

  it('nothing is looked at behind an end', () => {
    const { read, said, pump } = pumpOf([frame('a', TEXT), frame('', { type: 'malformed' }), frame('b', TEXT)]);
    expect(read(3)).toMatchObject({ type: 'interrupted', cause: { kind: 'fault', fault: 'malformed' } });
    expect(said.at(-1)).toBe('a');
    expect(pump.end(true)).toMatchObject({ type: 'interrupted' });
    expect(pump.clock()).toMatchObject({ type: 'interrupted' });
    expect(said.at(-1)).toBe('a');
  });

  it('a cut or a clock behind the terminal closes the answer as a clean end does', () => {
    for (const close of ['end', 'clock'] as const) {
      const { read, said, ends, pump } = pumpOf([frame('a', TEXT), frame('b', FINISH)]);
      read(2);
      expect(close === 'end' ? pump.end(false) : pump.clock()).toEqual({ type: 'complete' });
      expect(ends).toEqual([true]);
      expect(said.at(-1)).toBe('<done>');
    }
  });

  it('so does a failure behind it, and the end mark waits for nothing', () => {
    const broken = pumpOf([frame('a', TEXT), frame('b', FINISH), frame('', { type: 'malformed' })]);
    expect(broken.read(3)).toEqual({ type: 'complete' });
    expect(broken.said).toEqual(['relax', 'commit', 'ab<done>']);
    // The same, whether or not the mark came in the read that failed: nothing behind the failure is read.
    const done = frame('d', { type: 'done' });
    const both = pumpOf([frame('a', TEXT), frame('b', FINISH), frame('', { type: 'malformed' }), frame('c'), done]);
    expect(both.read(5)).toEqual({ type: 'complete' });
    expect(both.said).toEqual(['relax', 'commit', 'ab<done>']);
    expect(both.ends).toEqual([true]);
    const whole = pumpOf([frame('a', TEXT), frame('b', FINISH), frame('c', { type: 'done' })]);
    expect(whole.read(2)).toBeNull();
    expect(whole.read(1)).toEqual({ type: 'complete' });
    expect(whole.said.at(-1)).toBe('c');
  });

  it('a tool end in front of a failure is given to nobody', () => {
    const { read, said } = pumpOf([frame('a', TEXT), frame('b', TOOL_END), frame('', { type: 'malformed' })]);
    expect(read(3)).toMatchObject({ type: 'interrupted' });
    expect(said).toEqual(['relax', 'commit', 'a']);
  });

  it('a cut or a clock before it does not', () => {
    const cut = pumpOf([frame('a', TEXT)]);
    cut.read(1);
    expect(cut.pump.end(false)).toEqual({ type: 'interrupted', cause: { kind: 'outside' } });
    expect(cut.ends).toEqual([false]);
    const clock = pumpOf([frame('a', TEXT)]);
    clock.read(1);
    expect(clock.pump.clock()).toEqual({ type: 'interrupted', cause: { kind: 'outside' } });
    expect(clock.ends).toEqual([]);
  });

  it('before output they are failures that another target may cure', () => {
    expect(pumpOf([]).pump.end(false)).toMatchObject({ type: 'failed' });
    expect(pumpOf([]).pump.clock()).toEqual({ type: 'failed', cause: { kind: 'outside' } });
  });

  it('output that waits behind the end of a tool call is progress; pings and noise are none', () => {
    const { read, said, pump } = pumpOf(
      [
        frame('a', TEXT),
        frame('b', TOOL_END),
        frame('c', TEXT),
        frame(':', { type: 'comment' }),
        frame('', { type: 'noise' }),
        frame('q'),
      ],
      { holdToolEnd: 'all' },
    );
    const grown: number[] = [];
    for (let n = 0; n < 6; n++) {
      read(1);
      grown.push(pump.outputs);
    }
    expect(grown).toEqual([1, 2, 3, 3, 3, 4]);
    expect(said).toEqual(['relax', 'commit', 'a']);
    expect(pump.heldBytes).toBe(4);
  });

  it('what waits is counted, and nothing is held behind the end', () => {
    const { read, pump } = pumpOf([frame('aa', { type: 'role' }), frame('b', TEXT), frame('ccc', TOOL_END)]);
    read(1);
    expect(pump.heldBytes).toBe(2);
    read(1);
    expect(pump.heldBytes).toBe(0);
    read(1);
    expect(pump.heldBytes).toBe(3);
    pump.end(false);
    expect(pump.heldBytes).toBe(0);
  });

  it('the bound is asked for once a read, so that a failed terminal in it still wins', () => {
    const frames = [
      ...Array.from({ length: 5 }, () => frame('x'.repeat(400), { type: 'role' })),
      frame('', { type: 'malformed' }),
    ];
    expect(pumpOf(frames).read(6)).toMatchObject({ type: 'failed' });
    const { read, said } = pumpOf(frames.slice(0, 5));
    expect(read(5)).toBeNull();
    expect(said[1]).toBe('commit');
  });
});
