import { isUtf8 } from 'node:buffer';
import type { IncomingMessage } from 'node:http';
import type { Clock } from '../port/clock.ts';
import { decodeBody, isKnownCoding } from './decode-body.ts';

export type BodyProblem = 'too_large' | 'unknown_coding' | 'damaged' | 'not_utf8' | 'timeout' | 'closed' | 'full';

export type ReadBody =
  | { readonly ok: true; readonly bytes: Uint8Array }
  | { readonly ok: false; readonly problem: BodyProblem };

export type BodyRules = {
  readonly clock: Clock;
  /** Bytes, before and after decoding. */
  readonly limit: number;
  readonly timeoutMs: number;
  /** Counts bytes held over all requests; false: no more may be held. */
  readonly reserve: (bytes: number) => boolean;
  /** Tells a client that waits with its body (`expect: 100-continue`) to go on. */
  readonly goAhead: () => void;
};

/** Reads a request's body whole and takes off its content coding. What can be refused by the head alone is not read. */
export async function readBody(req: IncomingMessage, rules: BodyRules): Promise<ReadBody> {
  const coding = req.headers['content-encoding'];
  if (!isKnownCoding(coding)) return { ok: false, problem: 'unknown_coding' };
  if (Number(req.headers['content-length'] ?? 0) > rules.limit) return { ok: false, problem: 'too_large' };
  rules.goAhead();
  const raw = await collect(req, rules);
  if (!raw.ok) return raw;
  const decoded = await decodeBody(raw.bytes, coding, rules);
  // What is no UTF-8 is no JSON, and two readers of it would see two different texts.
  return decoded.ok && !isUtf8(decoded.bytes) ? { ok: false, problem: 'not_utf8' } : decoded;
}

function collect(req: IncomingMessage, rules: BodyRules): Promise<ReadBody> {
  return new Promise((resolve) => {
    const chunks: Buffer[] = [];
    let length = 0;
    const timer = rules.clock.setTimer(rules.timeoutMs, () => finish({ ok: false, problem: 'timeout' }));

    const onData = (chunk: Buffer): void => {
      length += chunk.length;
      if (length > rules.limit) finish({ ok: false, problem: 'too_large' });
      else if (!rules.reserve(chunk.length)) finish({ ok: false, problem: 'full' });
      else chunks.push(chunk);
    };
    const onEnd = (): void => {
      const [first] = chunks;
      finish({ ok: true, bytes: chunks.length === 1 && first ? first : Buffer.concat(chunks) });
    };
    const onClose = (): void => finish({ ok: false, problem: 'closed' });
    const finish = (result: ReadBody): void => {
      timer.cancel();
      req.off('data', onData).off('end', onEnd).off('close', onClose);
      resolve(result);
    };

    req.on('data', onData).on('end', onEnd).on('close', onClose);
  });
}

const MAX_DISCARDED_BYTES = 8 << 20;
const MAX_DISCARD_MS = 5000;

/**
 * Reads the rest of a body that nobody wants, for a while: a connection that is closed while its client still writes is
 * reset, and the client never sees why.
 */
export function discardBody(req: IncomingMessage, clock: Clock): void {
  if (req.complete || req.destroyed) return;
  let length = 0;
  const timer = clock.setTimer(MAX_DISCARD_MS, () => req.socket.destroy());
  req.on('data', (chunk: Buffer) => {
    length += chunk.length;
    if (length > MAX_DISCARDED_BYTES) req.socket.destroy();
  });
  req.once('close', () => timer.cancel());
  req.once('end', () => timer.cancel());
  req.resume();
}
