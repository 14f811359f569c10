import type { Headers } from '../core/model/protocol.ts';
import { corsHeaders } from './cors.ts';
import type { Exchange } from './exchange.ts';

/** What every answer carries: the ledger id under both names, and what a listed web page needs to read it. */
export function ownHeaders(exchange: Pick<Exchange, 'id' | 'headers' | 'config'>): Headers {
  return {
    'x-request-id': exchange.id,
    'request-id': exchange.id,
    ...corsHeaders(exchange.headers['origin'], exchange.config.server),
  };
}
