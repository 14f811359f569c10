import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { createSeededRandom } from '../kit/seeded-random.ts';
import { SPOKEN, WIRE, type WireScript } from '../kit/wire-scripts.ts';

/** By this header a client's request is known again at the provider: it is passed on as it is. */
export const TAG_HEADER = 'idempotency-key';

/** A provider that counts what physically arrives, and answers at the speed of talk. */
export interface CountingProvider {
  readonly origin: string;
  /** By the tag of the client's request, how many sends of it have arrived. */
  readonly sends: ReadonlyMap<string, number>;
  /** Streams that it is giving now. */
  open(): number;
  /** Sends that it has failed by intent. */
  failed(): number;
  /** Resolves at the very moment at which one more send arrives. */
  nextSend(): Promise<void>;
  /** No connection is open, so that nothing can still arrive. */
  isQuiet(): Promise<boolean>;
  close(): Promise<void>;
}

const WORD_EVERY_MS = 200;
/** Of the answers of `/flaky`, how many fail; of all streams, how many end by themselves. */
const FAILING_SHARE = 0.4;
const SHORT_SHARE = 0.4;

type Answer = (res: ServerResponse, script: WireScript) => void;

const SSE = { 'content-type': 'text/event-stream' };

/** Failures before output: none of them may be seen by a client while another target is there. */
const FAILURES: readonly Answer[] = [
  (res) => void res.writeHead(500, { 'content-type': 'application/json' }).end('{"error":{"message":"boom"}}'),
  (res, { preamble, failure }) => void res.writeHead(200, SSE).end(preamble + failure),
  (res, { preamble }) => void res.writeHead(200, SSE).write(preamble, () => res.destroy()),
];

/** Paths that begin with `/flaky` fail for some; who fails, and whose stream is short, follows from the seed. */
export async function createCountingProvider(seed: number): Promise<CountingProvider> {
  const random = createSeededRandom(seed);
  const sends = new Map<string, number>();
  const state = { open: 0, failed: 0 };
  let tellSend = (): void => {};
  const serve = (req: IncomingMessage, res: ServerResponse): void => {
    const tag = String(req.headers[TAG_HEADER]);
    sends.set(tag, (sends.get(tag) ?? 0) + 1);
    tellSend();
    req.resume();
    const script = scriptOf(req.url ?? '');
    if (req.url?.startsWith('/flaky') && random.next() < FAILING_SHARE) {
      state.failed += 1;
      FAILURES[Math.floor(random.next() * FAILURES.length)]?.(res, script);
      return;
    }
    const words = random.next() < SHORT_SHARE ? 1 + Math.floor(random.next() * 15) : Number.POSITIVE_INFINITY;
    state.open += 1;
    talk(res, script, words);
    res.on('close', () => {
      state.open -= 1;
    });
  };
  const server = createServer({ keepAliveTimeout: 0, requestTimeout: 0 }, serve);
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', 1024, resolve));
  const { port } = server.address() as AddressInfo;
  return {
    origin: `http://127.0.0.1:${port}`,
    sends,
    open: () => state.open,
    failed: () => state.failed,
    nextSend: () =>
      new Promise((resolve) => {
        tellSend = resolve;
      }),
    isQuiet: () =>
      new Promise((resolve) => server.getConnections((error, count) => resolve(error === null && count === 0))),
    close() {
      server.closeAllConnections();
      return new Promise((resolve) => server.close(() => resolve()));
    },
  };
}

function scriptOf(url: string): WireScript {
  const protocol = SPOKEN.find((each) => url.endsWith(WIRE[each].path));
  if (protocol === undefined) throw new Error(`nobody asks for ${url}`);
  return WIRE[protocol];
}

function talk(res: ServerResponse, script: WireScript, count: number): void {
  res.writeHead(200, SSE).write(script.preamble);
  const said: string[] = [];
  const timer = setInterval(() => {
    if (said.length === count) {
      clearInterval(timer);
      res.end(script.end(said));
      return;
    }
    const word = `word ${said.length} `;
    said.push(word);
    res.write(script.word(word));
  }, WORD_EVERY_MS);
  res.on('close', () => clearInterval(timer));
}
