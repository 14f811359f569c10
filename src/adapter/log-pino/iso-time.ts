const SECOND_MS = 1000;

let second = Number.NaN;
/** Of that second, up to the point. */
let text = '';

/** `2026-11-29T12:00:00.000Z` of epoch ms, as `Date` writes it: most lines of a log share their second with the last one. */
export function isoTime(at: number): string {
  const now = Math.floor(at / SECOND_MS);
  if (now !== second) {
    second = now;
    text = new Date(now * SECOND_MS).toISOString().slice(0, -4);
  }
  return `${text}${String(Math.floor(at) - now * SECOND_MS).padStart(3, '0')}Z`;
}
