import { expect, it } from 'vitest';
import { readKeptListings } from './read-catalogue.ts';

const GOOD = {
  place: 'p',
  at: 5,
  left_out: 1,
  models: [
    { id: 'a/b', price: 'free', capabilities: { tools: true, contextWindow: 8 } },
    { id: 'c', price: 'unknown' },
  ],
};
const READ = { place: 'p', at: 5, leftOut: 1, models: GOOD.models };

it('gives what was written', () => {
  expect(readKeptListings({ x: GOOD }, 9)).toEqual(new Map([['x', READ]]));
  expect(readKeptListings({ x: { ...GOOD, at: 99 } }, 9).get('x')?.at).toBe(9);
});

it.each([
  ['no map', [GOOD]],
  ['no list', { x: 7 }],
  ['no place', { x: { ...GOOD, place: null } }],
  ['no time', { x: { ...GOOD, at: 'now' } }],
  ['a time before all', { x: { ...GOOD, at: -1 } }],
  ['no count', { x: { ...GOOD, left_out: 0.5 } }],
  ['no models', { x: { ...GOOD, models: {} } }],
  ['a model that is none', { x: { ...GOOD, models: [null] } }],
  ['a name that is none', { x: { ...GOOD, models: [{ id: 'a b', price: 'free' }] } }],
  ['a name that may be a secret', { x: { ...GOOD, models: [{ id: 'sk-abcdefghijkl', price: 'free' }] } }],
  ['a price that is none', { x: { ...GOOD, models: [{ id: 'a', price: 'cheap' }] } }],
  ['capabilities that are none', { x: { ...GOOD, models: [{ id: 'a', price: 'free', capabilities: 1 }] } }],
  [
    'a capability that is none',
    { x: { ...GOOD, models: [{ id: 'a', price: 'free', capabilities: { flies: true } }] } },
  ],
  ['a switch that is none', { x: { ...GOOD, models: [{ id: 'a', price: 'free', capabilities: { tools: 'yes' } }] } }],
  [
    'a window that is none',
    { x: { ...GOOD, models: [{ id: 'a', price: 'free', capabilities: { contextWindow: 1.5 } }] } },
  ],
])('leaves out %s', (_, value) => {
  expect(readKeptListings(value, 9)).toEqual(new Map());
});

it('leaves the others', () => {
  expect([...readKeptListings({ x: 7, y: GOOD }, 9).keys()]).toEqual(['y']);
});
