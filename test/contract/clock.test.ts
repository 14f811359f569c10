import { setTimeout as sleep } from 'node:timers/promises';
import { createSystemClock } from '../../src/adapter/clock-system/index.ts';
import { createVirtualClock } from '../kit/virtual-clock.ts';
import { clockContract } from './clock.ts';

clockContract('the machine', () => ({ clock: createSystemClock(), pass: (ms) => sleep(ms) }));
clockContract('virtual', () => {
  const clock = createVirtualClock();
  return { clock, pass: (ms) => clock.advanceAsync(ms) };
});
