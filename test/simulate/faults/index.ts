import { attemptFaults } from './attempts.ts';
import type { Fault } from './fault.ts';
import { healthFaults } from './health.ts';
import { proberFaults } from './prober.ts';
import { streamFaults } from './streams.ts';
import { timeFaults } from './time.ts';
import { translationFaults } from './translation.ts';

export type { Fault } from './fault.ts';

/** Each breaks something that must hold in every world. */
export const FAULTS: readonly Fault[] = [
  ...attemptFaults,
  ...streamFaults,
  ...timeFaults,
  ...healthFaults,
  ...translationFaults,
  ...proberFaults,
];
