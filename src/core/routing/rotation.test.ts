import { describe, expect, it } from 'vitest';
import { chooseTurn, orderByScore, type RotationTable, returnTurn, takeTurn, type Wheel } from './rotation.ts';

const KEY = 'model:main';
const wheels = (weights: Readonly<Record<string, number>>): readonly Wheel[] =>
  Object.entries(weights).map(([id, weight]) => ({ id, weight }));

function spin(weights: Readonly<Record<string, number>>, count: number, sticky = 1): string {
  let table: RotationTable = {};
  let out = '';
  for (let n = 0; n < count; n += 1) {
    const turn = chooseTurn(table, KEY, wheels(weights), sticky);
    if (turn === null) return out;
    out += turn.choice;
    table = takeTurn(table, turn);
  }
  return out;
}

describe('smooth weighted round-robin', () => {
  it.each([
    [{ A: 2, B: 1 }, 1, 'ABAABA'],
    [{ A: 5, B: 1, C: 1 }, 1, 'AABACAA'],
    [{ A: 2, B: 1 }, 2, 'AABBAA'],
    [{ A: 1, B: 1, C: 1 }, 1, 'ABCABC'],
  ] as const)('%j, sticky %i: %s', (weights, sticky, expected) => {
    expect(spin(weights, expected.length, sticky)).toBe(expected);
  });

  it('choosing changes nothing; a turn that is given back never was', () => {
    const table = takeTurn({}, { key: KEY, choice: 'A', weights: { A: 2, B: 1 } });
    const turn = chooseTurn(table, KEY, wheels({ A: 2, B: 1 }), 1);
    expect(turn?.choice).toBe('B');
    expect(chooseTurn(table, KEY, wheels({ A: 2, B: 1 }), 1)).toEqual(turn);
    if (turn === null) throw new Error('no turn');
    const back = returnTurn(takeTurn(table, turn), turn);
    expect(back[KEY]?.scores).toEqual(table[KEY]?.scores);
    expect(chooseTurn(back, KEY, wheels({ A: 2, B: 1 }), 1)?.choice).toBe('B');
  });

  it('turns of requests at the same time add up in any order', () => {
    const first = chooseTurn({}, KEY, wheels({ A: 2, B: 1 }), 1);
    if (first === null) throw new Error('no turn');
    const second = chooseTurn(takeTurn({}, first), KEY, wheels({ A: 2, B: 1 }), 1);
    if (second === null) throw new Error('no turn');
    const one = returnTurn(takeTurn(takeTurn({}, first), second), first);
    expect(one[KEY]?.scores).toEqual(takeTurn({}, second)[KEY]?.scores);
  });

  it('a repeat within sticky is given back as one', () => {
    const weights = { A: 1, B: 1 };
    const first = chooseTurn({}, KEY, wheels(weights), 2);
    if (first === null) throw new Error('no turn');
    const once = takeTurn({}, first);
    const repeat = chooseTurn(once, KEY, wheels(weights), 2);
    if (repeat === null) throw new Error('no turn');
    expect(repeat).toMatchObject({ choice: 'A', weights: null });
    expect(returnTurn(takeTurn(once, repeat), repeat)).toEqual(once);
  });

  it('goes on over those that are left, and needs two to choose between', () => {
    const table = takeTurn({}, { key: KEY, choice: 'A', weights: { A: 1, B: 1, C: 1 } });
    expect(chooseTurn(table, KEY, wheels({ A: 1, C: 1 }), 1)?.choice).toBe('C');
    expect(chooseTurn(table, KEY, wheels({ A: 1 }), 1)).toBeNull();
    expect(chooseTurn(table, KEY, [], 1)).toBeNull();
  });

  it('names that objects have of their own are names like others', () => {
    expect(orderByScore({}, '__proto__', wheels({ constructor: 1, B: 2 }))).toEqual(['B', 'constructor']);
  });
});
