import type { CanonicalEvent } from '../../core/model/event.ts';
import type { StreamDecoder } from '../types.ts';
import { frameOf } from './frame.ts';

const MALFORMED: readonly CanonicalEvent[] = [{ type: 'malformed' }];

/** Where no answer is a stream: whatever comes as one is a failure. */
export const createNoStreamDecoder = (): StreamDecoder => ({
  relax() {},
  push: (chunk) => [frameOf(chunk, MALFORMED)],
  end: () => [],
  usage: () => null,
  heldBytes: 0,
});

/** An answer that nobody can read, since it can be of any kind and size. */
export const ANSWERED: readonly CanonicalEvent[] = [
  { type: 'unknown_content' },
  { type: 'finish', reason: 'stop', raw: null },
];

/**
 * A good JSON object that is no answer to what was asked: a server that reads only a part of the path. It is told as what
 * such a server should have said.
 */
export const anotherService = (message: string): CanonicalEvent => ({
  type: 'error',
  error: { status: 501, code: null, type: null, param: null, message },
});
