export { createSystemClock } from './system-clock.ts';
