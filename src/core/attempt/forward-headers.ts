import type { Headers } from '../model/protocol.ts';
import { TRACE_HEADERS } from '../trace/trace-headers.ts';
import type { AttemptRecord } from './ledger.ts';
import { providerOf } from './pick.ts';

/** A provider answers a key that it knows with what it answered before, and that was a failure. */
const ONCE: ReadonlySet<string> = new Set(['idempotency-key']);

/** What of a client's headers goes on to a provider, behind the attempts so far. */
export function forwardHeaders(headers: Headers, attempts: readonly AttemptRecord[], provider: string): Headers {
  const isRepeat = attempts.some(({ route }) => providerOf(route) === provider);
  const names = Object.keys(headers);
  if (!isRepeat || !names.some((name) => ONCE.has(name))) return headers;
  return Object.fromEntries(Object.entries(headers).filter(([name]) => !ONCE.has(name)));
}

/** The client's headers without its place in a trace: the attempt has one of its own. */
export const withoutTrace = (headers: Headers): Headers =>
  Object.fromEntries(Object.entries(headers).filter(([name]) => !TRACE_HEADERS.some((header) => header === name)));

/** Switches of one vendor's API, which mean nothing to another. */
const VENDOR_SWITCH = /-beta$/;

/** What of a client's headers means something to a provider of another protocol. */
export const withoutVendors = (headers: Headers): Headers =>
  Object.fromEntries(Object.entries(headers).filter(([name]) => !VENDOR_SWITCH.test(name)));
