import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import {
  chooseTurn,
  type RotationTable,
  returnTurn,
  type Turn,
  takeTurn,
  type Wheel,
} from '../../src/core/routing/rotation.ts';
import { assertProperty } from '../kit/assert-property.ts';

const KEY = 'model:main';
const WHEELS = fc
  .array(fc.integer({ min: 1, max: 20 }), { minLength: 2, maxLength: 6 })
  .map((weights): readonly Wheel[] => weights.map((weight, index) => ({ id: `p/${index}`, weight })));

function spin(wheels: readonly Wheel[], count: number, sticky: number, start: RotationTable = {}) {
  let table = start;
  const choices: string[] = [];
  for (let n = 0; n < count; n += 1) {
    const turn = chooseTurn(table, KEY, wheels, sticky);
    if (turn === null) break;
    choices.push(turn.choice);
    table = takeTurn(table, turn);
  }
  return { table, choices };
}

const total = (wheels: readonly Wheel[]) => wheels.reduce((sum, { weight }) => sum + weight, 0);
const countOf = (choices: readonly string[], id: string) => choices.filter((choice) => choice === id).length;

describe('rotation', () => {
  it('gives each its exact share in every round, and is back at the start behind it', () => {
    assertProperty(
      fc.property(WHEELS, fc.integer({ min: 1, max: 3 }), fc.integer({ min: 1, max: 4 }), (wheels, rounds, sticky) => {
        const { table, choices } = spin(wheels, total(wheels) * rounds * sticky, sticky);
        for (const { id, weight } of wheels) {
          expect(countOf(choices, id)).toBe(weight * rounds * sticky);
          expect(table[KEY]?.scores[id]).toBe(0);
        }
      }),
    );
  });

  it('at no moment is a share a whole turn per other wheel off; of two wheels not one', () => {
    assertProperty(
      fc.property(WHEELS, (wheels) => {
        const sum = total(wheels);
        const served = new Map<string, number>();
        let worst = 0;
        spin(wheels, sum, 1).choices.forEach((choice, index) => {
          served.set(choice, (served.get(choice) ?? 0) + 1);
          for (const { id, weight } of wheels) {
            worst = Math.max(worst, Math.abs((served.get(id) ?? 0) - ((index + 1) * weight) / sum));
          }
        });
        expect(worst).toBeLessThan(wheels.length - 1);
      }),
    );
  });

  it('is deterministic, and pure', () => {
    assertProperty(
      fc.property(WHEELS, fc.integer({ min: 0, max: 40 }), (wheels, count) => {
        const { table } = spin(wheels, count, 2);
        const copy = JSON.stringify(table);
        expect(spin(wheels, 20, 2, table)).toEqual(spin(wheels, 20, 2, table));
        expect(JSON.stringify(table)).toBe(copy);
      }),
    );
  });

  it('turns that are given back, in any order, leave the wheel where it was', () => {
    assertProperty(
      fc.property(WHEELS, fc.integer({ min: 0, max: 20 }), fc.infiniteStream(fc.nat()), (wheels, count, order) => {
        const before = spin(wheels, count, 1).table;
        let table = before;
        const open: Turn[] = [];
        for (let n = 0; n < 5; n += 1) {
          const turn = chooseTurn(table, KEY, wheels, 1);
          if (turn === null) return;
          open.push(turn);
          table = takeTurn(table, turn);
        }
        while (open.length > 0) {
          const [turn] = open.splice((order.next().value ?? 0) % open.length, 1);
          if (turn !== undefined) table = returnTurn(table, turn);
        }
        const scores = (of: RotationTable) => wheels.map(({ id }) => of[KEY]?.scores[id] ?? 0);
        expect(scores(table)).toEqual(scores(before));
      }),
    );
  });
});
