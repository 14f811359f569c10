import { CODECS } from '../../protocol/index.ts';
import type { Decoded } from '../../protocol/types.ts';
import type { Ask } from './ask.ts';

const known = new WeakMap<Ask, Decoded>();

/** What the codec of its protocol reads in a request, as the server does. Read once: whoever checks a run asks again. */
export function decodeAsk(ask: Ask): Decoded {
  const decoded = known.get(ask);
  if (decoded !== undefined) return decoded;
  const codec = CODECS.get(ask.protocol);
  if (codec === undefined) throw new Error(`no codec speaks ${ask.protocol}`);
  const fresh = codec.decodeRequest(ask.body, ask.headers);
  known.set(ask, fresh);
  return fresh;
}
