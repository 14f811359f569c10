import type { AttemptRecord } from '../../core/attempt/ledger.ts';
import { createScrubber } from '../../core/redact/index.ts';
import type { Run } from '../world/run.ts';
import { readFrames } from './read-frames.ts';
import type { ReadRequest } from './read-outcomes.ts';
import type { Seen, ShownEvent, ShownRequest } from './report.ts';

/** What is shown where nobody says which: the first of the first kind that there is. */
const INTERESTING: readonly { readonly why: string; readonly is: (each: ReadRequest, most: number) => boolean }[] = [
  { why: 'the first that ended in the middle of its answer', is: ({ seen }) => seen === 'half' || seen === 'cut' },
  { why: 'the first that failed', is: ({ seen }) => seen === 'error' || seen === 'nothing' },
  {
    why: 'the first with the most sends',
    is: ({ request }, most) => most > 1 && request.ledger.attempts.length === most,
  },
  { why: 'the first', is: () => true },
];

/** The sequence of events of one request: `n` from 1, or the most interesting one. Null: there is no such request. */
export function showRequest(run: Run, read: readonly ReadRequest[], n: number | null): ShownRequest | null {
  const chosen = n === null ? chooseRequest(read) : { each: read[n - 1], why: 'as asked' };
  if (chosen?.each === undefined) return null;
  const { request } = chosen.each;
  const { ledger, ask, client } = request;
  const scrub = createScrubber(run.secrets);
  const events = [...attemptEvents(ledger.attempts, request.at), ...clientEvents(chosen.each)];
  return {
    n: read.indexOf(chosen.each) + 1,
    id: request.id,
    why: chosen.why,
    at_ms: request.at - run.startedAt,
    model: ask.model,
    protocol: ask.protocol,
    stream: ask.stream,
    status: client.status,
    outcome: ledger.ended?.outcome ?? null,
    served_by: ledger.ended?.servedBy ?? null,
    events: inOrder(events).map((event) => ({ ...event, text: scrub(event.text) })),
  };
}

function chooseRequest(read: readonly ReadRequest[]): { readonly each: ReadRequest; readonly why: string } | null {
  const most = Math.max(0, ...read.map(({ request }) => request.ledger.attempts.length));
  for (const { why, is } of INTERESTING) {
    const each = read.find((candidate) => is(candidate, most));
    if (each !== undefined) return { each, why };
  }
  return null;
}

type Plain = Pick<ShownEvent, 'side' | 'what' | 'text'>;

const once = (ms: number, event: Plain): ShownEvent => ({ ms, ...event, frames: 1, last_ms: ms });

const attemptEvents = (attempts: readonly AttemptRecord[], startedAt: number): readonly ShownEvent[] =>
  attempts.flatMap(({ n, route, why, startedAt: at, headAt, status, endedAt, outcome, reason }) => {
    const side = 'provider' as const;
    return [
      once(at - startedAt, { side, what: `send ${n}`, text: `${route}: ${why}` }),
      ...(headAt === null ? [] : [once(headAt - startedAt, { side, what: `head ${n}`, text: String(status) })]),
      ...(endedAt === null
        ? []
        : [
            once(endedAt - startedAt, {
              side,
              what: `end ${n}`,
              text: reason === null ? `${outcome}` : `${outcome}: ${reason}`,
            }),
          ]),
    ];
  });

function clientEvents({ request, seen }: ReadRequest): readonly ShownEvent[] {
  const { client, ask, at } = request;
  const side = 'client' as const;
  const retryAfter = client.headers['retry-after'];
  const head = `${client.status}${retryAfter === undefined ? '' : `, retry-after ${retryAfter}`}`;
  const isStream = ask.stream && (client.headers['content-type'] ?? '').startsWith('text/event-stream');
  const lastMs = (client.endedAt ?? client.writes.at(-1)?.at ?? at) - at;
  return [
    once(0, { side, what: 'request', text: `${ask.model}, ${ask.stream ? 'stream' : 'JSON'}` }),
    ...(client.headAt === null ? [] : [once(client.headAt - at, { side, what: 'head', text: head })]),
    ...readFrames(client.writes, isStream, at),
    once(lastMs, { side, what: 'end', text: END_WORDS[seen] }),
  ];
}

const END_WORDS: Readonly<Record<Seen, string>> = {
  whole: 'the whole answer',
  error: 'an error',
  half: 'half an answer, and an error',
  cut: 'an answer without an end',
  nothing: 'no answer',
  left: 'the client had left',
};

/** By time; at one moment what providers did stands before what the client saw of it, but for its own request. */
function inOrder(events: readonly ShownEvent[]): readonly ShownEvent[] {
  const place = ({ what, side }: ShownEvent): number => (what === 'request' ? 0 : side === 'provider' ? 1 : 2);
  return events
    .map((event, i) => ({ event, i }))
    .sort((a, b) => a.event.ms - b.event.ms || place(a.event) - place(b.event) || a.i - b.i)
    .map(({ event }) => event);
}
