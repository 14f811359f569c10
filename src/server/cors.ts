import type { ServerSettings } from '../config/runtime.ts';
import type { Headers } from '../core/model/protocol.ts';

const EXPOSED = [
  'x-request-id',
  'request-id',
  'x-understudy-target',
  'x-understudy-attempts',
  'x-understudy-model',
  'x-understudy-estimated',
  'retry-after',
  'retry-after-ms',
  'x-should-retry',
].join(', ');

const PREFLIGHT_AGE_SECONDS = '600';

/** What an answer to a page of a listed origin carries; nothing for anybody else. */
export function corsHeaders(origin: string | undefined, server: Pick<ServerSettings, 'cors'>): Headers {
  if (server.cors.length === 0) return {};
  if (origin === undefined || !server.cors.includes(origin)) return { vary: 'origin' };
  return { 'access-control-allow-origin': origin, 'access-control-expose-headers': EXPOSED, vary: 'origin' };
}

/** The answer to a browser that asks whether it may ask; null when its page may not. */
export function preflightHeaders(
  headers: Headers,
  methods: readonly string[],
  server: Pick<ServerSettings, 'cors'>,
): Headers | null {
  const origin = headers['origin'];
  if (origin === undefined || !server.cors.includes(origin)) return null;
  const asked = headers['access-control-request-headers'];
  return {
    'access-control-allow-methods': methods.join(', '),
    'access-control-allow-headers': asked !== undefined && /^[\w\-, ]{1,2000}$/.test(asked) ? asked : 'authorization',
    'access-control-max-age': PREFLIGHT_AGE_SECONDS,
    ...(headers['access-control-request-private-network'] === 'true'
      ? { 'access-control-allow-private-network': 'true' }
      : {}),
  };
}
