import type { CanonicalRequest } from '../core/model/request.ts';

const NOTHING = new Uint8Array(0);

/**
 * Lets go of a request's bytes and of what the codec keeps of them. Behind the commit nobody sends them again, and a
 * stream may run for an hour. The one place where a request is changed.
 */
export function freeBody(request: CanonicalRequest): void {
  const writable = request as { original: Uint8Array; extensions: CanonicalRequest['extensions'] };
  writable.original = NOTHING;
  writable.extensions = {};
}
