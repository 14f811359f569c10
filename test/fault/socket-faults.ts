import { createServer } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';
import { until } from '../e2e/server-kit.ts';
import { createFakeProvider, type FakeProvider, type ScriptedAnswer } from '../kit/fake-provider.ts';
import { type Spoken, WIRE } from '../kit/wire-scripts.ts';
import type { View } from './client-view.ts';
import { viewOf } from './client-view.ts';
import {
  type BenchOptions,
  cutAnswer,
  eventsOf,
  openSocketBench,
  type SocketBench,
  streamAnswer,
  WORDS,
  wireBytes,
} from './socket-bench.ts';

/** What became of one request: what its client saw, what the record says, what the providers counted. */
export type Fate = {
  readonly view: View;
  readonly outcome: string | null;
  readonly attempts: readonly string[];
  /** Requests that arrived at the first and at the second provider. */
  readonly sends: readonly [number, number];
};

/** Asks once, and looks from all three sides. */
export async function askFate(bench: SocketBench, protocol: Spoken, stream = true): Promise<Fate> {
  const before = [bench.bad.requests.length, bench.good.requests.length] as const;
  const answer = await bench.ask(protocol, { stream });
  const { outcome, attempts } = await bench.recordOf(answer.id);
  const sends = [bench.bad.requests.length - before[0], bench.good.requests.length - before[1]] as const;
  return { view: viewOf(protocol, answer), outcome, attempts, sends };
}

/** What may follow from a view, or what is wrong with a fate; null: nothing. Each attempt arrived, and has its one end. */
export function problemOf({ view, outcome, attempts, sends }: Fate, arrives = true): string | null {
  const allowed = LAWS[view];
  const said = `${view}: ${outcome}, [${attempts.join(', ')}], sends ${sends.join('/')}`;
  if (allowed === undefined) return said;
  const isBad = attempts.filter((each) => each.startsWith('bad ')).length;
  const isCounted = sends[0] === (arrives ? isBad : 0) && sends[1] === attempts.length - isBad;
  return outcome === allowed.outcome && allowed.attempts.test(attempts.join(', ')) && isCounted ? null : said;
}

const FAILED = 'bad (?:connect_error|incomplete_stream|empty_stream|protocol_error|timeout_[a-z_]+)';

const LAWS: { readonly [V in View]?: { readonly outcome: string; readonly attempts: RegExp } } = {
  'whole, good': { outcome: 'ok', attempts: new RegExp(`^${FAILED}, good ok$`) },
  'whole, bad': { outcome: 'ok', attempts: /^(?:bad stale_socket, )?bad ok$/ },
  told: { outcome: 'interrupted', attempts: /^bad interrupted$/ },
};

export type Fault = {
  readonly name: string;
  readonly options?: BenchOptions;
  /** Plays the fault; whatever it opens is closed by what it gives. */
  readonly arrange: (bench: SocketBench, protocol: Spoken) => Promise<void | (() => Promise<void>)> | void;
  readonly view: View;
  readonly attempts: readonly string[];
  /** Requests that the first provider counts; 0 where none can arrive. */
  readonly sends: number;
};

const play = (answer: (protocol: Spoken) => ScriptedAnswer): Fault['arrange'] => {
  return (bench, protocol) => bench.bad.play(answer(protocol));
};

const whole = (protocol: Spoken): ScriptedAnswer => streamAnswer(protocol, WORDS.bad);

/** Some events, and then what. The preamble has no output in it, and the first word has. */
const part =
  (words: number, end: ScriptedAnswer['end']): ((protocol: Spoken) => ScriptedAnswer) =>
  (protocol) => ({
    headers: { 'content-type': 'text/event-stream' },
    chunks: [WIRE[protocol].preamble, ...WORDS.bad.slice(0, words).map((word) => WIRE[protocol].word(word))],
    ...(end === undefined ? {} : { end }),
  });

/** `idle` comes well before `firstOutput`: a busy machine must hear them in their order. */
const SHORT: BenchOptions = { timeouts: { headers: '300ms', firstOutput: '900ms', idle: '300ms', progress: '400ms' } };
/** Bytes come one by one for seconds: only silence counts. */
const SLOW: BenchOptions = { timeouts: { idle: '2s', firstOutput: '60s', progress: '60s', headers: '30s' } };

/** A connection that was served once and is idle; what the provider does with the next request on it comes next. */
const warm = async (bench: SocketBench, protocol: Spoken, next: readonly ScriptedAnswer[]): Promise<void> => {
  bench.bad.play(whole(protocol), ...next);
  await bench.recordOf((await bench.ask(protocol)).id);
};

const redirect =
  (status: number): Fault['arrange'] =>
  async (bench) => {
    const trap = await createFakeProvider();
    bench.bad.play({ status, headers: { location: `${trap.origin}/v1/elsewhere` }, chunks: ['moved'] });
    return async () => {
      const count = trap.connections;
      await trap.close();
      if (count > 0) throw new Error('the redirect was followed');
    };
  };

/** A server that ends each connection at its first byte, as a broken TLS end does, or says something first. */
export async function createHangUp(words = ''): Promise<{ readonly port: number; close(): Promise<void> }> {
  const server = createServer((socket) => socket.on('error', () => {}).once('data', () => socket.end(words)));
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const address = server.address();
  return {
    port: typeof address === 'object' && address !== null ? address.port : 0,
    close: () => new Promise((resolve) => server.close(() => resolve())),
  };
}

const good = (outcome: string, sends = 1) =>
  ({ view: 'whole, good', attempts: [`bad ${outcome}`, 'good ok'], sends }) as const;
const ok = { view: 'whole, bad', attempts: ['bad ok'], sends: 1 } as const;
const told = { view: 'told', attempts: ['bad interrupted'], sends: 1 } as const;

/** Faults on the wire, one row each, the same for all protocols. */
export const FAULTS: readonly Fault[] = [
  { name: 'no fault', arrange: play(whole), ...ok },
  { name: 'reset at the request', arrange: play(() => ({ status: null, end: 'reset' })), ...good('connect_error') },
  {
    name: 'half-close at the request',
    arrange: play(() => ({ status: null, end: 'close' })),
    ...good('connect_error'),
  },
  {
    name: 'half-close behind a head',
    arrange: play(() => ({ headers: { 'content-type': 'text/event-stream' }, end: 'close' })),
    ...good('incomplete_stream'),
  },
  { name: 'half-close before output', arrange: play(part(0, 'close')), ...good('incomplete_stream') },
  { name: 'half-close behind output', arrange: play(part(1, 'close')), ...told },
  {
    name: 'reset behind output',
    arrange: play((protocol) => ({ ...part(1, 'reset')(protocol), endDelayMs: 50 })),
    ...told,
  },
  {
    name: 'half-close as the end of the body',
    arrange: play((protocol) => ({ ...whole(protocol), framing: 'raw', end: 'close' })),
    ...ok,
  },
  {
    name: 'silence at the request',
    options: SHORT,
    arrange: play(() => ({ status: null, end: 'hang' })),
    ...good('timeout_headers'),
  },
  { name: 'silence before output', options: SHORT, arrange: play(part(0, 'hang')), ...good('timeout_idle') },
  { name: 'silence behind output', options: SHORT, arrange: play(part(1, 'hang')), ...told },
  { name: 'a byte at a time', options: SLOW, arrange: play((protocol) => byteByByte(protocol, 1)), ...ok },
  {
    name: 'restart before a request',
    async arrange(bench, protocol) {
      await warm(bench, protocol, [whole(protocol)]);
      return restart(bench, protocol);
    },
    view: 'whole, bad',
    attempts: ['bad ok'],
    sends: 0,
  },
  {
    name: 'restart in the middle of an answer',
    async arrange(bench, protocol) {
      bench.bad.play(part(1, 'hang')(protocol));
      const isUnderWay = until(() => bench.bad.requests.length > 0).then(() => sleep(200));
      const isOver = isUnderWay.then(() => restart(bench, protocol));
      return async () => {
        await bench.recordOf((await bench.ask(protocol)).id);
        await (await isOver)();
      };
    },
    ...told,
  },
  {
    name: 'idle socket ended as the request comes',
    arrange: (bench, protocol) => warm(bench, protocol, [{ status: null, end: 'close' }, whole(protocol)]),
    view: 'whole, bad',
    attempts: ['bad stale_socket', 'bad ok'],
    sends: 2,
  },
  {
    name: 'idle socket reset as the request comes',
    arrange: (bench, protocol) => warm(bench, protocol, [{ status: null, end: 'reset' }, whole(protocol)]),
    view: 'whole, bad',
    attempts: ['bad stale_socket', 'bad ok'],
    sends: 2,
  },
  {
    name: 'idle socket ended twice: replayed once',
    arrange: (bench, protocol) =>
      warm(bench, protocol, [
        { status: null, end: 'close' },
        { status: null, end: 'close' },
      ]),
    view: 'whole, good',
    attempts: ['bad stale_socket', 'bad connect_error', 'good ok'],
    sends: 2,
  },
  ...[301, 302, 307, 308].map(
    (status): Fault => ({
      name: `redirect ${status} to a private address`,
      arrange: redirect(status),
      ...good('protocol_error'),
    }),
  ),
  {
    name: 'a name that does not resolve',
    options: { badUrl: 'http://nobody.invalid' },
    arrange: () => {},
    ...good('connect_error', 0),
  },
  { name: 'nobody listens', options: { badUrl: 'http://127.0.0.1:1' }, arrange: () => {}, ...good('connect_error', 0) },
];

/** A stream whose every byte is a write of its own. */
export function byteByByte(protocol: Spoken, everyMs: number): ScriptedAnswer {
  const text = eventsOf(protocol, WORDS.bad).join('');
  return {
    headers: { 'content-type': 'text/event-stream' },
    framing: 'raw',
    chunks: [...text].map((bytes) => ({ bytes, delayMs: everyMs })),
    end: 'close',
  };
}

/** The provider goes down, its idle sockets with it, and comes up again where it was. */
async function restart({ bad }: SocketBench, protocol: Spoken): Promise<() => Promise<void>> {
  const { port } = bad;
  await bad.close();
  const next: FakeProvider = await createFakeProvider({ port });
  next.play(whole(protocol));
  return async () => {
    const { length } = next.requests;
    await next.close();
    if (length !== 1) throw new Error(`the provider that came back was asked ${length} times`);
  };
}

/** One row against one protocol, in a world of its own. */
export async function runFault(
  { options, arrange }: Fault,
  protocol: Spoken,
): Promise<Fate & { readonly reconcile: unknown }> {
  const bench = await openSocketBench(options);
  try {
    bench.good.play(streamAnswer(protocol, WORDS.good));
    const close = await arrange(bench, protocol);
    const fate = await askFate(bench, protocol);
    await close?.();
    return { ...fate, reconcile: await bench.reconcile() };
  } finally {
    await bench.close();
  }
}

/** Cuts a stream at some of its bytes. `step`: every so many; the borders of all events are always among them. */
export async function runCuts(
  protocol: Spoken,
  end: 'close' | 'reset',
  step: number,
): Promise<{ readonly problems: readonly string[]; readonly views: ReadonlyMap<View, number> }> {
  const bench = await openSocketBench();
  const bytes = wireBytes(protocol, WORDS.bad);
  const problems: string[] = [];
  const views = new Map<View, number>();
  const order: View[] = [];
  try {
    bench.good.play(streamAnswer(protocol, WORDS.good));
    for (const length of cutsOf(bytes, step)) {
      bench.bad.play(cutAnswer(bytes, length, end));
      const fate = await askFate(bench, protocol);
      const problem = problemOf(fate);
      if (problem !== null) problems.push(`${length} of ${bytes.length} bytes: ${problem}`);
      views.set(fate.view, (views.get(fate.view) ?? 0) + 1);
      if (order.at(-1) !== fate.view) order.push(fate.view);
    }
    // What was sent before a clean end arrives: more bytes can only bring the client further. A reset may overtake them.
    if (end === 'close' && order.join('; ') !== 'whole, good; told; whole, bad')
      problems.push(`order: ${order.join('; ')}`);
    const { ok: isSound } = (await bench.reconcile()) as { ok: boolean };
    if (!isSound) problems.push('reconcile finds breaches');
  } finally {
    await bench.close();
  }
  return { problems, views };
}

function cutsOf(bytes: Buffer, step: number): number[] {
  const borders: number[] = [];
  for (let at = bytes.indexOf('\n\n'); at >= 0; at = bytes.indexOf('\n\n', at + 1)) borders.push(at + 2);
  const steps = Array.from({ length: Math.ceil(bytes.length / step) }, (_, n) => n * step);
  return [...new Set([...steps, ...borders, bytes.length - 1, bytes.length])].sort((a, b) => a - b);
}

/** Silence behind each event of a stream; every one of them takes as long as the clock, so they run side by side. */
export async function runStalls(
  protocol: Spoken,
): Promise<{ readonly problems: readonly string[]; readonly views: readonly View[] }> {
  const events = eventsOf(protocol, WORDS.bad);
  const fates = await Promise.all(
    [...events, ''].map(async (_, count) => {
      const bench = await openSocketBench(SHORT);
      try {
        bench.good.play(streamAnswer(protocol, WORDS.good));
        bench.bad.play({
          headers: { 'content-type': 'text/event-stream' },
          chunks: events.slice(0, count),
          end: 'hang',
        });
        return await askFate(bench, protocol);
      } finally {
        await bench.close();
      }
    }),
  );
  const problems = fates.flatMap((fate, count) => {
    const problem = problemOf(fate);
    return problem === null ? [] : [`behind event ${count}: ${problem}`];
  });
  return { problems, views: fates.map(({ view }) => view) };
}
