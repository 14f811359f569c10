import type { Draw } from './trace.ts';

const WORD_RANGE = 2 ** 32;
const WORD_DIGITS = 8;
const TRACE_WORDS = 4;
const SPAN_WORDS = 2;

export const createTraceId = (draw: Draw): string => createId(draw, TRACE_WORDS);

export const createSpanId = (draw: Draw): string => createId(draw, SPAN_WORDS);

/** Nothing but zeros is no id. */
function createId(draw: Draw, words: number): string {
  let id = '';
  for (let i = 0; i < words; i++) id += digits(Math.floor(draw() * WORD_RANGE));
  return isZero(id) ? `${id.slice(0, -1)}1` : id;
}

const digits = (word: number): string => word.toString(16).padStart(WORD_DIGITS, '0');

export const isZero = (id: string): boolean => /^0+$/.test(id);

/** The same answer everywhere for one trace: its last digits decide, which are made of chance. */
export const isWithin = (traceId: string, ratio: number): boolean =>
  Number.parseInt(traceId.slice(-WORD_DIGITS), 16) / WORD_RANGE < ratio;
