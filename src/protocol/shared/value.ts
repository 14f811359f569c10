/** A JSON object, of which the caller names the members that it looks at. */
// oxlint-disable-next-line typescript/no-unnecessary-type-parameters -- the members that a caller names are all `unknown`
export const isObject = <T extends object = Record<string, unknown>>(value: unknown): value is T =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

/** The text, or null for everything that is no text or an empty one. */
export const nonEmpty = (value: unknown): string | null => (typeof value === 'string' && value !== '' ? value : null);

/** Something that a reader of the answer could miss: no null, no number, nothing empty or blank. */
export function hasSubstance(value: unknown): boolean {
  if (typeof value === 'string') return value.trim() !== '';
  if (Array.isArray(value)) return value.length > 0;
  return isObject(value) && Object.keys(value).length > 0;
}

/** A number of tokens; null for everything that is none. */
export const tokenCount = (value: unknown): number | null =>
  typeof value === 'number' && Number.isFinite(value) && value >= 0 ? value : null;

/** The last second that a date can be. */
const MAX_SECONDS = 8.64e12;

/** Epoch milliseconds of a stranger's epoch seconds; null for what is no time. */
export const timeOf = (seconds: unknown): number | null =>
  typeof seconds === 'number' && seconds > 0 && seconds <= MAX_SECONDS ? seconds * 1000 : null;

/** The row of a table for a stranger's word; never what the table inherits (`constructor`, `__proto__`). */
export const own = <T>(table: Readonly<Record<string, T>>, word: unknown): T | undefined =>
  typeof word === 'string' && Object.hasOwn(table, word) ? table[word] : undefined;
