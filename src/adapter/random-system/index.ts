export { createSystemRandom } from './system-random.ts';
