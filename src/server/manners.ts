import { createHash } from 'node:crypto';
import type { Headers } from '../core/model/protocol.ts';
import { SESSION_HEADERS } from '../protocol/shared/session.ts';

/**
 * What a client shows of itself.
 *
 * - `codex`: it repeats every status, and needs a total failure in words of its own.
 * - `names_turn`: the header names what the request belongs to; with the same body it is the same turn.
 * - `counts_tries`: a library repeats by itself, and this is a first try or a later one. - `repeats`: a later one.
 * - `reads_anthropic`: what has no protocol of its own is answered in Anthropic's shape.
 */
export type Sign = 'codex' | 'names_turn' | 'counts_tries' | 'repeats' | 'reads_anthropic';

export type MannerRow = {
  /** Its number among the manners of docs/clients.md. */
  readonly manner: number;
  readonly header: string;
  readonly pattern: RegExp;
  readonly sign: Sign;
};

/** Every header by which a client's ways are known. */
export const MANNERS: readonly MannerRow[] = [
  { manner: 4, header: 'originator', pattern: /^codex/i, sign: 'codex' },
  { manner: 6, header: 'x-stainless-retry-count', pattern: /^\s*[1-9]/, sign: 'repeats' },
  { manner: 6, header: 'x-stainless-retry-count', pattern: /^/, sign: 'counts_tries' },
  ...SESSION_HEADERS.map(({ name }): MannerRow => ({ manner: 6, header: name, pattern: /\S/, sign: 'names_turn' })),
  { manner: 8, header: 'anthropic-version', pattern: /^/, sign: 'reads_anthropic' },
];

function rowsOf(headers: Headers, sign: Sign): readonly MannerRow[] {
  return MANNERS.filter(({ sign: shown, header, pattern }) => {
    const value = headers[header];
    return shown === sign && value !== undefined && pattern.test(value);
  });
}

export const showsSign = (headers: Headers, sign: Sign): boolean => rowsOf(headers, sign).length > 0;

export const mannerOf = (headers: Headers): 'codex' | null => (showsSign(headers, 'codex') ? 'codex' : null);

const MAX_TURNS = 4096;
const TURN_AGE_MS = 600_000;

/** `turn` is the id of the turn's first request: the same for all its repeats; null when nothing tells. */
export type Turn = { readonly turn: string | null; readonly isClientRetry: boolean };

/** Nothing tells. */
export const NO_TURN: Turn = { turn: null, isClientRetry: false };

export type TurnClues = {
  readonly id: string;
  readonly now: number;
  readonly key: string | null;
  readonly headers: Headers;
  readonly body: Uint8Array;
};

/**
 * Remembers recent turns, so that a client that repeats one counts once per route in health. A repeat has the same body
 * and, either, names the same conversation, or counts its tries. A session id alone is none: it spans many turns.
 */
export function createTurnMemory(): { recognise(clues: TurnClues): Turn } {
  const turns = new Map<string, { readonly turn: string; readonly at: number }>();
  return {
    recognise({ id, now, key, headers, body }) {
      const names = rowsOf(headers, 'names_turn').map(({ header }) => header);
      if (names.length === 0 && !showsSign(headers, 'counts_tries')) return NO_TURN;
      const print = fingerprint([key ?? '', ...names.flatMap((name) => [name, headers[name] ?? ''])], body);
      const seen = turns.get(print);
      const isRetry =
        seen !== undefined && now - seen.at <= TURN_AGE_MS && (names.length > 0 || showsSign(headers, 'repeats'));
      const turn = isRetry ? seen.turn : id;
      turns.delete(print);
      turns.set(print, { turn, at: now });
      if (turns.size > MAX_TURNS) turns.delete(turns.keys().next().value as string);
      return { turn, isClientRetry: isRetry };
    },
  };
}

function fingerprint(parts: readonly string[], body: Uint8Array): string {
  const hash = createHash('sha256');
  for (const part of parts) hash.update(`${part.length}:${part}`);
  return hash.update(body).digest('base64');
}
