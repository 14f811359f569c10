/** Epoch milliseconds as the API writes a moment. */
export const formatTime = (epochMs: number): string => new Date(epochMs).toISOString();

export const formatTimeOrNull = (epochMs: number | null): string | null =>
  epochMs === null ? null : formatTime(epochMs);

/** A moment in a query: ISO 8601, or epoch seconds or milliseconds. Undefined when it is none. */
export function parseTime(text: string): number | undefined {
  const number = /^\d{9,13}$/.test(text) ? Number(text) : Number.NaN;
  const epochMs = Number.isNaN(number) ? Date.parse(text) : number < 1e11 ? number * 1000 : number;
  return Number.isNaN(epochMs) ? undefined : epochMs;
}
