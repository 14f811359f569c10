import type { Protocol } from '../core/model/protocol.ts';
import type { CanonicalRequest } from '../core/model/request.ts';
import type { Random } from '../port/random.ts';
import { translatorOf } from '../protocol/translate/index.ts';
import type { ProtocolCodec } from '../protocol/types.ts';
import type { RequestContext } from './request-context.ts';

const LETTERS = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789';
const ID_LENGTH = 24;

/** What an attempt is written and read with: the client's own codec, or a translation to the target's protocol. */
export function attemptCodec(
  { call, ports }: RequestContext,
  request: CanonicalRequest,
  protocol: Protocol,
): ProtocolCodec {
  if (protocol === request.protocol) return call.codec;
  const { random, clock } = ports;
  return translatorOf(request).codec(protocol, {
    now: clock.now(),
    createId: (prefix) => prefix + randomLetters(random),
  });
}

const randomLetters = (random: Random): string =>
  Array.from({ length: ID_LENGTH }, () => LETTERS[Math.floor(random.next() * LETTERS.length)]).join('');
