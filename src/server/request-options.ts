import { parseDuration } from '../config/units.ts';
import type { Headers } from '../core/model/protocol.ts';

/** What a client asks of the gateway itself, by header. */
export type RequestOptions = { readonly failover: boolean; readonly timeoutMs: number | null };

export type ParsedOptions =
  | { readonly ok: true; readonly options: RequestOptions }
  | { readonly ok: false; readonly header: string; readonly message: string };

/**
 * Reads the `x-understudy-…` headers of a request. A header that can't be read is refused by name, never guessed at.
 */
export function parseRequestOptions(headers: Headers): ParsedOptions {
  const failover = headers['x-understudy-failover'];
  if (failover !== undefined && failover !== 'off' && failover !== 'on') {
    return bad('x-understudy-failover', 'is "off" (one attempt) or left out');
  }
  const midStream = headers['x-understudy-mid-stream'];
  if (midStream === 'continue') return bad('x-understudy-mid-stream', '"continue" is not available in this version');
  if (midStream !== undefined && midStream !== 'off') return bad('x-understudy-mid-stream', 'is "off" or left out');
  const timeout = headers['x-understudy-timeout'];
  const timeoutMs = timeout === undefined ? null : durationMs(timeout);
  if (timeoutMs === undefined) return bad('x-understudy-timeout', 'is a duration with a unit, such as 30s or 1500ms');
  return { ok: true, options: { failover: failover !== 'off', timeoutMs } };
}

const bad = (header: string, message: string): ParsedOptions => ({
  ok: false,
  header,
  message: `${header} ${message}.`,
});

function durationMs(text: string): number | undefined {
  const parsed = parseDuration(text);
  return parsed.ok && parsed.value > 0 ? parsed.value : undefined;
}
