export { createChance as createSeededRandom } from '../../src/simulate/world/chance.ts';
