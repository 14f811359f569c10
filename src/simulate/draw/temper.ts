import type { Chance } from '../world/chance.ts';
import { type Weighted, weigh } from './dice.ts';

/** What kind of world it is: how much goes wrong, and how long it lasts. Nothing of it stands in the scenario. */
export type Temper = {
  readonly pace: Pace;
  /** Rows of faults, at least and at most. */
  readonly faults: readonly [least: number, most: number];
  /** Of the rows, those that strike whatever comes while they last; the others strike some requests. */
  readonly isTotal: number;
  /** A row may strike everywhere at once for as long as it likes. */
  readonly isHopeless: boolean;
  /** It begins with everything down, and is about what comes behind that, under a steady load. */
  readonly isReturn: boolean;
};

/** How long requests come (ms, least and most) and how many rows of them there are. */
export type Pace = {
  readonly name: 'burst' | 'minutes' | 'hours' | 'single';
  readonly forMs: readonly [least: number, most: number];
};

const SECOND = 1000;
const MINUTE = 60 * SECOND;
const HOUR = 60 * MINUTE;

const PACES: Weighted<Pace> = [
  [2, { name: 'single', forMs: [SECOND, MINUTE] }],
  [3, { name: 'burst', forMs: [5 * SECOND, 2 * MINUTE] }],
  [4, { name: 'minutes', forMs: [MINUTE, 30 * MINUTE] }],
  [3, { name: 'hours', forMs: [30 * MINUTE, 30 * HOUR] }],
];

type Trouble = Pick<Temper, 'faults' | 'isTotal' | 'isHopeless'>;

const TROUBLES: Weighted<Trouble> = [
  [2, { faults: [0, 2], isTotal: 0.2, isHopeless: false }],
  [4, { faults: [1, 4], isTotal: 0.8, isHopeless: false }],
  [4, { faults: [2, 7], isTotal: 0.3, isHopeless: false }],
  [1, { faults: [2, 5], isTotal: 0.9, isHopeless: true }],
];

const CALM: Trouble = { faults: [0, 1], isTotal: 0.2, isHopeless: false };

export function drawTemper(chance: Chance): Temper {
  const pace = weigh(chance, PACES);
  const trouble = weigh(chance, TROUBLES);
  const isReturn = (pace.name === 'burst' || pace.name === 'minutes') && chance.happens(0.15);
  return { pace, isReturn, ...(isReturn ? CALM : trouble) };
}
