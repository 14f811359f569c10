import { afterEach, describe, expect, it } from 'vitest';
import type { BenchOptions } from '../../test/kit/bench-call.ts';
import { type Asked, createEngineBench, type EngineBench } from '../../test/kit/engine-bench.ts';
import { STOP, said, start, stop } from '../../test/kit/messages-stream.ts';
import { fails, says } from '../../test/kit/plays.ts';
import { anthropicMessages } from '../protocol/anthropic-messages/index.ts';
import { concatBytes, decodeUtf8 } from '../protocol/json/index.ts';

const SECOND = 1000;

let bench: EngineBench;
const open = (options?: BenchOptions): EngineBench => {
  bench = createEngineBench(options);
  return bench;
};
afterEach(() => bench.quiet());

/** Runs `run` behind so many microtasks. */
function behind(ticks: number, run: () => void): void {
  if (ticks === 0) run();
  else queueMicrotask(() => behind(ticks - 1, run));
}

describe('a claim', () => {
  it.each(Array.from({ length: 12 }, (_, ticks) => [ticks]))(
    'is nobody’s whose client leaves %i moments behind it',
    async (ticks) => {
      let first: Asked | null = null;
      open({
        ports: ({ health }) => ({
          health: {
            snapshot: () => health.snapshot(),
            observe: (observation) => health.observe(observation),
            claimTrial(route, now) {
              const granted = health.claimTrial(route, now);
              behind(ticks, () => first?.client.close());
              return Promise.resolve(granted);
            },
          },
        }),
      });
      bench.play('a', fails(500));
      for (let n = 0; n < 3; n++) await bench.run();
      await bench.pass(11 * SECOND);
      bench.play('a', says('back'));
      first = bench.ask();
      await bench.pass(SECOND);
      expect(first.isDone).toBe(true);
      first = null;
      expect((await bench.run()).attempts).toMatchObject([{ target: 'a/m', outcome: 'ok' }]);
    },
  );
});

it('a trial that is refused is told as what it is', async () => {
  open({
    ports: ({ health }) => ({
      health: {
        snapshot: () => health.snapshot(),
        observe: (observation) => health.observe(observation),
        claimTrial: () => false,
      },
    }),
  });
  bench.play('a', fails(500));
  for (let n = 0; n < 3; n++) await bench.run();
  await bench.pass(11 * SECOND);
  const asked = await bench.run();
  expect(asked.attempts).toMatchObject([{ target: 'b/m' }]);
  expect(asked.ledger.ended?.skipped).toMatchObject([{ target: 'a/m', outcome: 'skipped_circuit' }]);
});

it('what the configuration leaves out stays out when the target refuses something else', async () => {
  const protocol = 'anthropic-messages' as const;
  open({ codec: anthropicMessages, targets: [{ id: 'a', protocol, capabilities: { leaveOut: ['metadata'] } }] });
  const message = 'context_management: Extra inputs are not permitted';
  const refusal = JSON.stringify({ type: 'error', error: { type: 'invalid_request_error', message } });
  bench.play(
    'a',
    { status: 400, headers: { 'content-type': 'application/json' }, body: [refusal] },
    { body: [start() + said('x'), stop() + STOP] },
  );
  const body = { max_tokens: 9, metadata: { user_id: 'u' }, context_management: { edits: [] } };
  expect((await bench.run({ body })).outcomes).toEqual(['unsupported_capability', 'ok']);
  const members = bench.http.sends.map(({ request }) => Object.keys(JSON.parse(decodeUtf8(concatBytes(request.body)))));
  expect(members[0]).toContain('context_management');
  expect(members.map((names) => names.includes('metadata'))).toEqual([false, false]);
  expect(members[1]).not.toContain('context_management');
});
