import { expect, it } from 'vitest';
import { createSystemRandom } from '../../src/adapter/random-system/index.ts';
import { createSeededRandom } from '../kit/seeded-random.ts';
import { randomContract } from './random.ts';

randomContract('the machine', createSystemRandom);
randomContract('seeded', () => createSeededRandom(7));

it('the same seed gives the same numbers, another one others', () => {
  const draw = (seed: number) => {
    const random = createSeededRandom(seed);
    return [random.next(), random.next(), random.next()];
  };
  expect(draw(1)).toEqual(draw(1));
  expect(draw(1)).not.toEqual(draw(2));
});
