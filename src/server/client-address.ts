import type { Exchange } from './exchange.ts';
import { forwardedClient, isTrustedProxy } from './trusted-proxies.ts';

/** Whose request it is: that of the peer, or of the client that a trusted proxy speaks for. Null: nobody knows. */
export function clientAddress({ req, headers, config }: Pick<Exchange, 'req' | 'headers' | 'config'>): string | null {
  const peer = req.socket.remoteAddress;
  const { trustedProxies } = config.server;
  const forwarded = isTrustedProxy(peer, trustedProxies) ? forwardedClient(headers, trustedProxies) : null;
  return forwarded ?? peer ?? null;
}
