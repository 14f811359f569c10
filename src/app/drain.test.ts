import { expect, it } from 'vitest';
import { createVirtualClock } from '../../test/kit/virtual-clock.ts';
import { drainGateway } from './drain.ts';

it('waits for what is under way, and for nothing in the background', async () => {
  const clock = createVirtualClock();
  const done: string[] = [];
  let inFlight = 1;
  const note = (what: string) => () => void done.push(what);
  const drained = drainGateway(
    {
      clock,
      server: {
        inFlight: () => inFlight,
        drain: note('drain'),
        close: note('close'),
        destroy: note('destroy'),
      },
      engine: { abandonAll: note('abandon') },
      telemetry: { notice: () => {} },
      endBackground() {
        done.push('end background');
        inFlight = 0;
      },
    } as unknown as Parameters<typeof drainGateway>[0],
    { drainMs: 30_000, isHasty: true },
  );
  await drained;
  expect(clock.now() - createVirtualClock().now()).toBe(0);
  expect(done).toEqual(['drain', 'end background', 'close', 'destroy']);
});
