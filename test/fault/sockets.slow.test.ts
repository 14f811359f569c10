import { describe, expect, it } from 'vitest';
import { SPOKEN } from '../kit/wire-scripts.ts';
import { openSocketBench, streamAnswer, WORDS } from './socket-bench.ts';
import { askFate, byteByByte, runCuts } from './socket-faults.ts';

describe.each(SPOKEN)('%s, every byte', (protocol) => {
  it.each(['close', 'reset'] as const)('of a stream can be the last, by %s', async (end) => {
    const { problems, views } = await runCuts(protocol, end, 1);
    console.table(Object.fromEntries(views));
    expect(problems).toEqual([]);
  });

  it('may take 50 ms', async () => {
    const bench = await openSocketBench({ timeouts: { firstOutput: '5m', progress: '5m', idle: '5s' } });
    bench.bad.play(byteByByte(protocol, 50));
    bench.good.play(streamAnswer(protocol, WORDS.good));
    const fate = await askFate(bench, protocol);
    await bench.close();
    expect(fate).toEqual({ view: 'whole, bad', outcome: 'ok', attempts: ['bad ok'], sends: [1, 0] });
  });
});
