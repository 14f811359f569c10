import { ASKED_KINDS, type RequestKind } from '../core/attempt/ledger.ts';
import { parseTime } from './time.ts';

const DEFAULT_LIMIT = 50;
const MAX_LIMIT = 500;

/** Epoch ms, undefined where none is asked for, or what is wrong with it. */
export function readSince(query: URLSearchParams): number | undefined | string {
  const text = query.get('since');
  const since = text === null ? undefined : parseTime(text);
  return text !== null && since === undefined ? 'since is a time, such as 2026-01-31T12:00:00Z.' : since;
}

/** Entries of a page, or what is wrong with the number. */
export function readLimit(query: URLSearchParams): number | string {
  const limit = Number(query.get('limit') ?? DEFAULT_LIMIT);
  return Number.isInteger(limit) && limit >= 1 ? Math.min(limit, MAX_LIMIT) : 'limit is a whole number from 1.';
}

const KINDS: readonly RequestKind[] = [...ASKED_KINDS, 'probe'];

/** Kinds of requests, null for all of them, `otherwise` where none is named; or what is wrong with the word. */
export function readKinds(
  query: URLSearchParams,
  otherwise: readonly RequestKind[] | null,
): readonly RequestKind[] | null | string {
  const word = query.get('kind');
  if (word === null || word === '') return otherwise;
  if (word === 'all') return null;
  const found = KINDS.filter((kind) => kind === word);
  return found.length > 0 ? found : `kind is one of ${KINDS.join(', ')}, all.`;
}
