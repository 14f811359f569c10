import { describe, expect, it } from 'vitest';
import { createVirtualClock } from '../../../test/kit/virtual-clock.ts';
import { followSignals } from './signals.ts';

const SIGNALS = ['SIGTERM', 'SIGHUP'] as const;

describe('the signals of a run', () => {
  it('are passed on from the moment that there is somebody, each word once', () => {
    const clock = createVirtualClock();
    const before = process.listenerCount('SIGTERM');
    const signals = followSignals(clock);
    const sent: string[] = [];
    process.emit('SIGTERM', 'SIGTERM');
    expect([signals.first(), sent]).toEqual(['SIGTERM', []]);
    clock.advance(1000);
    const stop = signals.passOn((signal) => sent.push(signal));
    for (const signal of SIGNALS) process.emit(signal, signal);
    // Who passes on what the whole group was sent.
    clock.advance(100);
    for (const signal of SIGNALS) process.emit(signal, signal);
    expect(sent).toEqual(['SIGTERM', 'SIGHUP']);
    clock.advance(500);
    process.emit('SIGTERM', 'SIGTERM');
    expect(signals.forwarded).toEqual(['SIGTERM', 'SIGHUP', 'SIGTERM']);
    stop();
    clock.advance(1000);
    process.emit('SIGTERM', 'SIGTERM');
    expect(sent).toHaveLength(3);
    signals.release();
    expect(process.listenerCount('SIGTERM')).toBe(before);
  });
});
