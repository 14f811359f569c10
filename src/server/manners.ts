import { createHash } from 'node:crypto';
import type { Headers } from '../core/model/protocol.ts';

/** Headers by which agents name the conversation that a request belongs to. The first one present counts. */
export const SESSION_HEADERS = [
  'x-client-request-id',
  'thread-id',
  'session-id',
  'x-session-id',
  'x-claude-code-session-id',
] as const;

/** Libraries that repeat a request by themselves count here, from 0. */
export const RETRY_COUNT_HEADER = 'x-stainless-retry-count';

/** Clients that need words of their own, by a header that names them (clients.md, manner 4). */
const MANNERS = [{ header: 'originator', pattern: /^codex/i, manner: 'codex' }] as const;

export function mannerOf(headers: Headers): 'codex' | null {
  return MANNERS.find(({ header, pattern }) => pattern.test(headers[header] ?? ''))?.manner ?? null;
}

const MAX_TURNS = 4096;
const TURN_AGE_MS = 600_000;

/** `turn` is the id of the turn's first request: the same for all its repeats; null when nothing tells. */
export type Turn = { readonly turn: string | null; readonly isClientRetry: boolean };

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
      const session = SESSION_HEADERS.find((name) => headers[name] !== undefined);
      const retries = headers[RETRY_COUNT_HEADER];
      if (session === undefined && retries === undefined) return { turn: null, isClientRetry: false };
      const print = fingerprint([key ?? '', session ?? '', session ? (headers[session] ?? '') : ''], body);
      const seen = turns.get(print);
      const isRetry =
        seen !== undefined && now - seen.at <= TURN_AGE_MS && (session !== undefined || Number(retries) > 0);
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
