/** What SQLite or the file system said, short enough for one line of a log. */
export type ErrorWords = { readonly code: string; readonly message: string };

export function wordsOf(error: unknown): ErrorWords {
  if (!(error instanceof Error)) return { code: 'unknown', message: String(error) };
  const code = 'code' in error ? String(error.code) : error.name;
  const errcode = sqliteCode(error);
  return { code: errcode === null ? code : (SQLITE_NAMES[errcode] ?? `SQLITE_${errcode}`), message: error.message };
}

const SQLITE_NAMES: Readonly<Record<number, string>> = {
  5: 'SQLITE_BUSY',
  6: 'SQLITE_LOCKED',
  7: 'SQLITE_NOMEM',
  8: 'SQLITE_READONLY',
  10: 'SQLITE_IOERR',
  11: 'SQLITE_CORRUPT',
  13: 'SQLITE_FULL',
  14: 'SQLITE_CANTOPEN',
  15: 'SQLITE_PROTOCOL',
  19: 'SQLITE_CONSTRAINT',
  26: 'SQLITE_NOTADB',
};

/** SQLite's primary result code; null for errors of others. */
function sqliteCode(error: Error): number | null {
  return 'errcode' in error && typeof error.errcode === 'number' ? error.errcode & 0xff : null;
}

export const isLocked = (error: unknown): boolean => error instanceof Error && [5, 6].includes(sqliteCode(error) ?? 0);

/** Constraints, types and sizes: the value is at fault and no other try helps. Everything else is the world's. */
export function isOfValue(error: unknown): boolean {
  if (!(error instanceof Error)) return false;
  const code = sqliteCode(error);
  if (code !== null) return [18, 19, 20, 25].includes(code);
  return error instanceof TypeError || error instanceof RangeError;
}
