import type { Clock } from '../../port/clock.ts';
import type { AskRow } from '../scenario/scenario.ts';
import type { Chance } from './chance.ts';

/** Has each row ask at its moments, one timer a row. `ask` is called with the row and its place among its own, from 0. */
export function startTraffic(
  rows: readonly AskRow[],
  forMs: number,
  world: { readonly clock: Clock; readonly chance: Chance; readonly isOver: () => boolean },
  ask: (row: AskRow, n: number) => void,
): void {
  for (const [index, row] of rows.entries()) startRow(row, forMs, world, world.chance.split(`row ${index}`), ask);
}

function startRow(
  row: AskRow,
  forMs: number,
  { clock, isOver }: { readonly clock: Clock; readonly isOver: () => boolean },
  chance: Chance,
  ask: (row: AskRow, n: number) => void,
): void {
  const { perSecond, count, fromMs, untilMs, arrival } = row;
  const startedAt = clock.now();
  const lastAt = startedAt + Math.min(untilMs ?? forMs, forMs);
  const most = count ?? (perSecond === null ? 1 : Number.POSITIVE_INFINITY);
  if (perSecond === null) {
    clock.setTimer(fromMs, () => {
      for (let n = 0; n < most && !isOver(); n++) ask(row, n);
    });
    return;
  }
  const gapMs = 1000 / perSecond;
  let at = startedAt + fromMs;
  const next = (n: number): void => {
    if (n >= most || at >= lastAt) return;
    clock.setTimer(at - clock.now(), () => {
      if (isOver()) return;
      ask(row, n);
      // Even distances are counted from the beginning, so that rounding does not add up.
      at = arrival === 'even' ? startedAt + fromMs + (n + 1) * gapMs : at - Math.log(1 - chance.next()) * gapMs;
      next(n + 1);
    });
  };
  next(0);
}
