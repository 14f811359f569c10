/*
 * What is measured, as data. A plan is what the provider is asked for in the path (`native/provider.c`); the clients are
 * `native/load.c`. What a contestant's answers must be is known of each: another one is an error.
 */

/** How the clients ask, and what is measured. */
export type Load =
  /** As fast as it goes, over so many connections. */
  | { readonly kind: 'closed'; readonly connections: number }
  /** So many requests a second. */
  | { readonly kind: 'open'; readonly rate: number }
  /** So many streams are opened, and then looked at while all are open. */
  | { readonly kind: 'held'; readonly streams: number }
  /** From the start of the process to its first 200. */
  | { readonly kind: 'start' };

export type Workload = {
  readonly name: string;
  readonly what: string;
  readonly plan: string;
  readonly load: Load;
  /** Size of the request, bytes. */
  readonly request: number;
  readonly isStream: boolean;
  /** Of a JSON answer, bytes; of a stream, tokens. */
  readonly answer: number;
  /** What the first provider does instead; null: there is one provider, and it is well. */
  readonly fault: Fault | null;
  /** Part of `--quick`. */
  readonly isCheap: boolean;
  /** The clients speak it, and the provider Chat: only a gateway that translates takes part. Absent: Chat. */
  readonly speaks?: 'messages';
};

export type Fault = 'status' | 'error' | 'reset' | 'half';

const KIB = 1024;
const ANSWER = 1024;

const json = (name: string, request: number, connections: number, isCheap: boolean): Workload => ({
  name,
  what: `JSON, request of ${request / KIB} KiB, ${connections} connections`,
  plan: `json-${ANSWER}`,
  load: { kind: 'closed', connections },
  request,
  isStream: false,
  answer: ANSWER,
  fault: null,
  isCheap,
});

const stream = (name: string, what: string, batch: number, isCheap: boolean): Workload => ({
  name,
  what: `streams of 100 tokens at full speed, ${what}`,
  plan: `sse-100-0-${batch}`,
  load: { kind: 'closed', connections: 32 },
  request: KIB,
  isStream: true,
  answer: 100,
  fault: null,
  isCheap,
});

const paced = (streams: number, isCheap = false): Workload => ({
  name: `paced-${streams}`,
  what: `${streams.toLocaleString('en')} open streams, each 30 tokens a second behind a request of 50 KB`,
  plan: 'sse-0-30-1',
  load: { kind: 'held', streams },
  request: 50_000,
  isStream: true,
  answer: 0,
  fault: null,
  isCheap,
});

/** Slow enough that nothing waits for anything else. */
const FAILOVER_RATE = 100;
const FAILOVER_TOKENS = 20;

const failover = (name: string, what: string, fault: Fault, word: string, isCheap: boolean): Workload => ({
  name: `failover-${name}`,
  what: `the first provider ${what}, the second one streams ${FAILOVER_TOKENS} tokens; ${FAILOVER_RATE} requests a second`,
  plan: `sse-${FAILOVER_TOKENS}-0-1-${word}`,
  load: { kind: 'open', rate: FAILOVER_RATE },
  request: KIB,
  isStream: true,
  answer: FAILOVER_TOKENS,
  fault,
  isCheap,
});

export const WORKLOADS: readonly Workload[] = [
  json('json-1k', KIB, 32, true),
  json('json-64k', 64 * KIB, 32, false),
  json('json-1m', KIB * KIB, 8, false),
  stream('stream', 'a frame in each write', 1, true),
  stream('bulk', 'all frames in one write', 100, false),
  {
    ...stream('translated', 'a frame in each write, for clients of Messages', 1, false),
    speaks: 'messages',
  },
  {
    ...stream('translated-bulk', 'all frames in one write, for clients of Messages', 100, false),
    speaks: 'messages',
  },
  paced(150, true),
  paced(1_000),
  paced(5_000),
  paced(8_000),
  {
    ...json('open-200', KIB, 1, true),
    what: 'JSON, request of 1 KiB, 200 requests a second',
    load: { kind: 'open', rate: 200 },
  },
  failover('503', 'answers 503', 'status', '503', true),
  failover('event', 'streams an error event after its 200', 'error', 'error', false),
  failover('reset', 'closes the connection', 'reset', 'reset', false),
  {
    ...json('half', KIB, 32, false),
    what: 'JSON, request of 1 KiB, 32 connections; every second request to the first provider fails with 503',
    plan: `json-${ANSWER}-half`,
    fault: 'half',
  },
  {
    name: 'start',
    what: 'from the start of the process to a 200 of /livez',
    plan: `json-${ANSWER}`,
    load: { kind: 'start' },
    request: KIB,
    isStream: false,
    answer: ANSWER,
    fault: null,
    isCheap: true,
  },
];

/** Open files that a gateway needs for a workload: a client and a provider for each request. */
export const filesOf = ({ load }: Workload): number =>
  500 + 2 * (load.kind === 'held' ? load.streams : load.kind === 'closed' ? load.connections : 100);

const messages = (model: string, content: string, stream: boolean): string =>
  JSON.stringify({
    model,
    max_tokens: 1000,
    stream,
    system: 'You are a measured assistant.',
    messages: [{ role: 'user', content }],
  });

/** A request of exactly so many bytes, as a client would send it. */
export function requestOf({ name, request, isStream, speaks }: Workload): string {
  const asked = (content: string): string =>
    speaks === 'messages'
      ? messages(name, content, isStream)
      : JSON.stringify({
          model: name,
          ...(isStream ? { stream: true, stream_options: { include_usage: true } } : {}),
          messages: [
            { role: 'system', content: 'You are a measured assistant.' },
            { role: 'user', content },
          ],
        });
  const words = 'The quick brown fox jumps over the lazy dog, says "nothing" and\ngoes on. ';
  const escaped = JSON.stringify(words).length - 2;
  const room = request - asked('').length;
  const full = Math.max(0, Math.floor(room / escaped));
  return asked(words.repeat(full) + 'x'.repeat(Math.max(0, room - full * escaped)));
}
