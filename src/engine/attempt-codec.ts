import type { Protocol } from '../core/model/protocol.ts';
import type { CanonicalRequest } from '../core/model/request.ts';
import type { Random } from '../port/random.ts';
import { translatorOf } from '../protocol/translate/index.ts';
import type { Egress, ProtocolCodec } from '../protocol/types.ts';
import { isStoredHere } from './keep-turn.ts';
import { awaitUntil, type RequestContext } from './request-context.ts';
import { isLarge } from './translations.ts';

const LETTERS = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789';
const ID_LENGTH = 24;

/**
 * What an attempt is written and read with: the client's own codec, or a translation to the target's protocol. That of a
 * large request takes its time; null: there is none, or the request was stopped meanwhile.
 */
export function attemptCodec(
  context: RequestContext,
  request: CanonicalRequest,
  protocol: Protocol,
  egress: Egress,
): ProtocolCodec | Promise<ProtocolCodec | null> {
  const { call, ports, translations } = context;
  if (protocol === request.protocol) return call.codec;
  const { random, clock } = ports;
  const createId = (prefix: string): string => prefix + randomLetters(random);
  const scribe = { now: clock.now(), createId, isStored: isStoredHere(context) };
  if (!isLarge(request)) return translatorOf(request).codec(protocol, scribe);
  return awaitUntil(context, Number.POSITIVE_INFINITY, translations.write(request, protocol, egress, scribe));
}

const randomLetters = (random: Random): string =>
  Array.from({ length: ID_LENGTH }, () => LETTERS[Math.floor(random.next() * LETTERS.length)]).join('');
