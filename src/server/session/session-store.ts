import { hash, randomBytes, timingSafeEqual } from 'node:crypto';
import type { RuntimeConfig } from '../../config/runtime.ts';
import type { Headers } from '../../core/model/protocol.ts';
import type { Clock } from '../../port/clock.ts';

export const SESSION_COOKIE = 'understudy_session';

/** A day at a desk; then the token is asked for again. */
const LIFE_MS = 12 * 60 * 60 * 1000;
/** More browsers than one gateway has operators; the one that logged in first makes room. */
const MAX_SESSIONS = 100;
const ID_BYTES = 32;

export type Session = {
  /** Epoch ms. */
  readonly expiresAt: number;
};

/** Browsers that have logged in. Gone with the process, and with the admin token that opened them. */
export interface SessionStore {
  /** The value of a new session's cookie. */
  open(config: RuntimeConfig): { readonly id: string; readonly session: Session };
  /** Of the request's cookie, while its token is the configuration's. */
  find(headers: Headers, config: RuntimeConfig): Session | null;
  /** False: there was none. */
  close(headers: Headers): boolean;
}

type Entry = Session & { readonly token: string };

const sha256 = (text: string): string => hash('sha256', text, 'hex');
const tokenOf = ({ auth }: RuntimeConfig): string => sha256(auth.adminToken?.reveal() ?? '');

export function createSessionStore(clock: Clock): SessionStore {
  /** By the hash of their ids, in the order in which they were opened: none of them can be read out of memory. */
  const entries = new Map<string, Entry>();
  return {
    open(config) {
      const id = randomBytes(ID_BYTES).toString('base64url');
      const session = { expiresAt: clock.now() + LIFE_MS };
      for (const oldest of entries.keys()) {
        if (entries.size < MAX_SESSIONS) break;
        entries.delete(oldest);
      }
      entries.set(sha256(id), { ...session, token: tokenOf(config) });
      return { id, session };
    },
    find(headers, config) {
      const id = sessionId(headers);
      if (id === null || config.auth.adminToken === null) return null;
      const key = sha256(id);
      const entry = entries.get(key);
      if (entry === undefined) return null;
      if (entry.expiresAt > clock.now() && isSame(entry.token, tokenOf(config))) return { expiresAt: entry.expiresAt };
      entries.delete(key);
      return null;
    },
    close(headers) {
      const id = sessionId(headers);
      return id !== null && entries.delete(sha256(id));
    },
  };
}

const isSame = (one: string, other: string): boolean => timingSafeEqual(Buffer.from(one), Buffer.from(other));

const COOKIE = new RegExp(`(?:^|;)[ \\t]*${SESSION_COOKIE}=([\\w-]{1,128})[ \\t]*(?:;|$)`);

const sessionId = (headers: Headers): string | null => COOKIE.exec(headers['cookie'] ?? '')?.[1] ?? null;

/** `Set-Cookie` of a session; with an empty id, of its end. */
export function sessionCookie(id: string, { isSecure }: { readonly isSecure: boolean }): string {
  const age = id === '' ? 0 : LIFE_MS / 1000;
  const parts = [`${SESSION_COOKIE}=${id}`, 'Path=/', 'HttpOnly', 'SameSite=Strict', `Max-Age=${age}`];
  return [...parts, ...(isSecure ? ['Secure'] : [])].join('; ');
}
