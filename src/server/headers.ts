import type { IncomingHttpHeaders } from 'node:http';
import type { Headers } from '../core/model/protocol.ts';

/**
 * Client headers that go on to a provider. Whatever is not named here stays: cookies, proxies' traces, the client's
 * key.
 */
export const FORWARDED_HEADERS = [
  'anthropic-beta',
  'openai-beta',
  'idempotency-key',
  'traceparent',
  'tracestate',
] as const;

const MAX_FORWARDED_LENGTH = 8192;
const PRINTABLE = /^[\t\x20-\x7e]*$/;

/**
 * Node's headers as the rest of the gateway reads them: lower case, repeated ones joined, `host` as `hostOf` found it.
 */
export function readHeaders(headers: IncomingHttpHeaders, host: string | null): Headers {
  const out: Record<string, string> = Object.create(null);
  for (const [name, value] of Object.entries(headers)) {
    if (value !== undefined) out[name] = typeof value === 'string' ? value : value.join(', ');
  }
  if (host === null) delete out['host'];
  else out['host'] = host;
  return out;
}

/**
 * The allow-listed headers. A value with anything but printable ASCII is left out, as is one of unreasonable length.
 */
export function forwardedHeaders(headers: Headers): Headers {
  const out: Record<string, string> = {};
  for (const name of FORWARDED_HEADERS) {
    const value = headers[name];
    if (value !== undefined && value.length <= MAX_FORWARDED_LENGTH && PRINTABLE.test(value)) out[name] = value;
  }
  return out;
}

const MAX_RECORDED_LENGTH = 200;

/** A client's own id of a request, fit for a record: printable, short, without secrets, or null. */
export function clientRequestId(headers: Headers, clean: (text: string) => string): string | null {
  const value = headers['x-request-id'] ?? headers['x-client-request-id'];
  if (value === undefined || value === '' || !PRINTABLE.test(value)) return null;
  return clean(value).slice(0, MAX_RECORDED_LENGTH);
}
