import type { Headers } from '../core/model/protocol.ts';

/** What every event stream says of itself, so that no proxy changes or keeps back events. */
export const STREAM_HEADERS: Headers = {
  'content-type': 'text/event-stream; charset=utf-8',
  'cache-control': 'no-cache, no-transform',
  'x-accel-buffering': 'no',
};

export const JSON_HEADERS: Headers = { 'content-type': 'application/json' };

/** Response headers of a provider that may reach a client, each under `x-upstream-`. Everything else stays here. */
const UPSTREAM_NAMES: readonly string[] = [
  'x-request-id',
  'request-id',
  'openai-processing-ms',
  'cf-ray',
  'retry-after',
];
const UPSTREAM_PREFIXES: readonly string[] = ['x-ratelimit-', 'ratelimit-', 'anthropic-ratelimit-'];
const MAX_VALUE_LENGTH = 256;
const PRINTABLE = /^[\x20-\x7e]*$/;
/** Words with hyphens; a long one with a digit in it is none. */
const NAME = /^(?![a-z0-9-]*?(?=[a-z]*\d)[a-z0-9]{12})[a-z0-9-]{1,64}$/;

/**
 * The provider's rate-limit and request-id headers, renamed; anything unprintable or long, and names that hold a
 * secret, are left out.
 */
export function upstreamHeaders(headers: Headers, clean: (text: string) => string): Headers {
  const out: Record<string, string> = {};
  for (const [name, value] of Object.entries(headers)) {
    const isNamed = UPSTREAM_NAMES.includes(name);
    if (!isNamed && !UPSTREAM_PREFIXES.some((prefix) => name.startsWith(prefix))) continue;
    if (value.length > MAX_VALUE_LENGTH || !PRINTABLE.test(value)) continue;
    // A name that only begins as a listed one can hold a key as well as a value can.
    if (!isNamed && (!NAME.test(name) || clean(name) !== name)) continue;
    out[`x-upstream-${name.startsWith('x-') ? name.slice(2) : name}`] = clean(value);
  }
  return out;
}
