import { afterEach, expect, it } from 'vitest';
import { cleanUp } from '../e2e/gateway-process.ts';
import { takeSeed } from '../kit/seed.ts';
import { runKillRounds } from './kill-rounds.ts';

afterEach(cleanUp);

it('a gateway that is killed ten times under 200 streams has every send on record, with one end', async () => {
  const report = await runKillRounds({ rounds: 10, streams: 200, seed: takeSeed('gateway kill') });
  console.table(report.rounds);
  expect(report.problems).toEqual([]);
  expect(report.rounds.filter(({ failovers, abandoned }) => failovers === 0 || abandoned === 0)).toEqual([]);
});
