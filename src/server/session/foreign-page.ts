import type { Headers } from '../../core/model/protocol.ts';

const SAFE_METHODS: readonly string[] = ['GET', 'HEAD', 'OPTIONS'];
/** `none`: the user typed the address. A browser that does not say is an older one. */
const OWN_SITES: readonly (string | undefined)[] = ['same-origin', 'none', undefined];

/** No page of another origin can send it without asking first, and is not allowed to then. */
export const CSRF_HEADER = 'x-understudy-csrf';

/**
 * A browser adds the cookie by itself, whoever had it ask: what may be another page's doing is refused. A port of its own
 * is another origin and yet the same site, so `SameSite` alone does not tell. Null: it is our own page.
 */
export function findForeignPage(method: string, headers: Headers): string | null {
  if (!OWN_SITES.includes(headers['sec-fetch-site'])) {
    return 'The cookie came with a request of another page (header Sec-Fetch-Site): log in where you want to use it.';
  }
  if (SAFE_METHODS.includes(method) || headers[CSRF_HEADER] !== undefined) return null;
  return `With the cookie a change needs the header ${CSRF_HEADER} (any value), which other pages can not send.`;
}
