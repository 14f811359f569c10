import type { Timer } from '../port/clock.ts';
import type { FeedReader } from '../port/event-feed.ts';
import { answerHead } from './answer.ts';
import type { ServerContext } from './context.ts';
import type { Exchange } from './exchange.ts';
import { refuseFull } from './hand-over.ts';
import type { Entered, Outcome } from './handlers.ts';
import { refuse } from './refusal.ts';

/** Something between here and the client ends a connection on which nothing comes, some after half a minute. */
const PING_MS = 10_000;
const PING = ': nothing new\n\n';
/** Whoever watches a busy gateway must not slow it: a piece each time, of some 250 events, and the rest is missed. */
const PACE_MS = 100;

/** `GET /api/v1/events`: what happens, until the client leaves or the gateway does. */
export function answerEvents(exchange: Exchange, _entered: Entered, context: ServerContext): Outcome {
  const { feed, watchers } = context;
  const { headers, query, res } = exchange;
  if (feed === undefined) return refuse('not_found', 'Nothing is told here of what happens.');
  if (context.phase() !== 'open') return refuseFull('The gateway is shutting down: ask again or ask another instance.');
  const types = readTypes(query, feed.names);
  if (types instanceof Error) return refuse('invalid_request_error', types.message);
  const end = (): void => void res.end();
  if (!watchers.enter(end)) return refuseFull('As many watch as may: close another page.');
  res.once('close', () => watchers.leave(end));
  answerHead(
    exchange,
    200,
    { 'content-type': 'text/event-stream', 'cache-control': 'no-store', 'x-accel-buffering': 'no' },
    false,
  );
  const after = headers['last-event-id'] ?? query.get('last_event_id');
  passOn(exchange, context, (onNews) => feed.open({ after: after === '' ? null : after, types, onNews }));
  keepAlive(exchange, context);
  return null;
}

/** What a client does not take stays in the ring: there is no queue for it here. */
function passOn({ res }: Exchange, { clock }: ServerContext, open: (onNews: () => void) => FeedReader): void {
  let pause: Timer | null = null;
  const pump = (): void => {
    if (pause !== null || res.writableEnded || res.destroyed || res.writableNeedDrain) return;
    const piece = reader.take();
    if (piece === null) return;
    res.write(piece);
    pause = clock.setTimer(PACE_MS, () => {
      pause = null;
      pump();
    });
  };
  const reader = open(pump);
  res.on('drain', pump);
  res.once('close', () => {
    pause?.cancel();
    reader.close();
  });
  pump();
}

/** A comment now and then; a client that takes nothing for too long is cut. */
function keepAlive({ res, config }: Exchange, { clock }: ServerContext): void {
  let stuckSince: number | null = null;
  const beat = (): void => {
    timer = clock.setTimer(PING_MS, beat);
    if (!res.writableNeedDrain) {
      stuckSince = null;
      res.write(PING);
      return;
    }
    stuckSince ??= clock.now();
    if (clock.now() - stuckSince >= config.server.clientStallMs) res.destroy();
  };
  let timer = clock.setTimer(PING_MS, beat);
  res.once('close', () => timer.cancel());
}

/** Null: all of them. An error names what is none. */
function readTypes(query: URLSearchParams, names: readonly string[]): ReadonlySet<string> | null | Error {
  const asked = query
    .getAll('types')
    .flatMap((text) => text.split(','))
    .map((name) => name.trim())
    .filter((name) => name !== '');
  const unknown = asked.find((name) => !names.includes(name));
  if (unknown !== undefined)
    return new Error(`There is no event ${JSON.stringify(unknown.slice(0, 64))}: types are ${names.join(', ')}.`);
  return asked.length === 0 ? null : new Set(asked);
}
