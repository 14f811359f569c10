import { writeDuration } from '../../config/units.ts';
import { parseTime, RATE_SECONDS, type RateUnit, rateOf, type Sends } from './scalars.ts';

/** Milliseconds as a script has them: what is read back is the same. */
export function writeTime(ms: number): string {
  if (!Number.isInteger(ms)) return `${ms}ms`;
  const words = writeDuration(ms);
  const read = parseTime(words);
  return read.ok && read.value === ms ? words : `${ms}ms`;
}

/** So many in `perSeconds`, in the unit that needs no fraction; else to the last digit. */
export function writeRate(count: number, perSeconds: number): string {
  const units: readonly RateUnit[] = ['s', 'm', 'h'];
  for (const unit of units) {
    const whole = Math.round((count * RATE_SECONDS[unit]) / perSeconds);
    if (whole > 0 && rateOf(whole, unit, perSeconds) === count) return `${whole}/${unit}`;
  }
  return perSeconds === 60 ? `${count}/m` : `${count}/s`;
}

export function writeShare(share: number): string | number {
  const percent = Math.round(share * 100);
  return percent / 100 === share ? `${percent}%` : share;
}

export function writeSends({ from, to }: Sends): string | number {
  if (to !== null && to <= from) return 'none';
  if (to === null) return `${from + 1}-`;
  return to === from + 1 ? to : `${from + 1}-${to}`;
}
