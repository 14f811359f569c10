import { type Dispatcher, errors } from 'undici';
import type { HttpClient, HttpHandler, HttpRequest } from '../../port/http-client.ts';
import { Exchange } from './exchange.ts';
import { CLIENT_SETTINGS, createPools, type Lane, type UndiciClientOptions } from './pools.ts';
import { writeRequest } from './request-body.ts';
import { TrackedClient } from './tracked-client.ts';

/** An exchange and, once it is under way, what it counts for. */
type Ticket = { readonly exchange: Exchange; lane: Lane | null };

/** An `HttpClient` on undici's pools, one per origin and connect timeout. */
export function createUndiciClient(options: UndiciClientOptions = {}): HttpClient {
  const pools = createPools(options);
  const exchanges = new Set<Exchange>();
  let isClosed = false;

  /** Apart from `send`, so that what lives as long as the exchange does not hold the request and its body. */
  const open = (handler: HttpHandler): Ticket => {
    const onOver = () => {
      exchanges.delete(ticket.exchange);
      if (ticket.lane === null) return;
      ticket.lane.active -= 1;
      ticket.lane.usedAt = performance.now();
    };
    const ticket: Ticket = { lane: null, exchange: new Exchange(handler, onOver) };
    exchanges.add(ticket.exchange);
    return ticket;
  };

  const dispatch = (request: HttpRequest, ticket: Ticket) => {
    if (isClosed) throw new errors.ClientClosedError();
    const lane = pools.lane(request.origin, request.connectTimeoutMs);
    lane.active += 1;
    ticket.lane = lane;
    const written: Dispatcher.DispatchOptions = { ...writeRequest(request), origin: request.origin };
    if (!request.freshSocket) {
      lane.pool.dispatch(written, ticket.exchange);
      return;
    }
    const client = new TrackedClient(request.origin, CLIENT_SETTINGS, lane.connect);
    client.dispatch(written, ticket.exchange);
    // Closing waits for the one request.
    void client.close();
  };

  return {
    send(request, handler) {
      const ticket = open(handler);
      // Nothing may be called before the caller has the exchange in hand.
      queueMicrotask(() => {
        if (ticket.exchange.isOver) return;
        try {
          dispatch(request, ticket);
        } catch (error) {
          ticket.exchange.refuse(error);
        }
      });
      return ticket.exchange;
    },
    async close() {
      isClosed = true;
      for (const exchange of exchanges) exchange.refuse(new errors.ClientClosedError());
      await pools.destroy();
    },
  };
}
