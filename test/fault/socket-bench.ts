import { once } from 'node:events';
import { type IncomingMessage, request } from 'node:http';
import { wireGateway } from '../../src/app/wire.ts';
import { reconciliationView, requestView } from '../../src/management/contract.ts';
import { configOf } from '../kit/config-text.ts';
import { createFakeProvider, type FakeProvider, type ScriptedAnswer } from '../kit/fake-provider.ts';
import { SPOKEN, type Spoken, WIRE } from '../kit/wire-scripts.ts';

/** What each of the two providers says when all goes well: who spoke can be told by the words. */
export const WORDS = { bad: ['Bee ', 'bat '], good: ['Gold ', 'gnu '] } as const;

export type Clocks = Readonly<Record<string, string>>;

export type SocketBench = {
  readonly url: string;
  readonly bad: FakeProvider;
  readonly good: FakeProvider;
  ask(protocol: Spoken, options?: { readonly stream?: boolean; readonly model?: string }): Promise<ClientAnswer>;
  /** What the record says of a request, as soon as it has its end. */
  recordOf(id: string): Promise<Recorded>;
  reconcile(): Promise<unknown>;
  close(): Promise<void>;
};

export type ClientAnswer = {
  readonly id: string;
  readonly status: number;
  readonly body: string;
  /** The body ended as HTTP wants it to end. */
  readonly isClean: boolean;
};

export type Recorded = { readonly outcome: string | null; readonly attempts: readonly string[] };

export type BenchOptions = {
  readonly timeouts?: Clocks;
  /** Another address of the first provider, with the rest of its keys. */
  readonly badUrl?: string;
  readonly badKeys?: string;
  readonly tls?: { readonly key: string; readonly cert: string };
};

const CLOCKS: Clocks = { connect: '2s', headers: '5s', firstOutput: '10s', idle: '5s', progress: '20s', whole: '10s' };

const configText = (bad: string, good: string, { timeouts = {}, badKeys = '' }: BenchOptions): string => `
auth: { required: false }
health: { breaker: { failures: 1000 } }
modelDefaults:
  keepalive: off
  affinity: off
  retry: { sameTarget: 0 }
  timeouts: ${JSON.stringify({ ...CLOCKS, ...timeouts })}
providers:
${SPOKEN.map(
  (protocol) => `  bad-${protocol}: { protocol: ${protocol}, baseUrl: "${bad}/v1", apiKey: sk-fake-bad-12345${badKeys} }
  good-${protocol}: { protocol: ${protocol}, baseUrl: "${good}/v1", apiKey: sk-fake-good-12345 }`,
).join('\n')}
models:
${SPOKEN.map((protocol) => `  ${protocol}: { targets: [bad-${protocol}/m, good-${protocol}/m] }`).join('\n')}
`;

/** A gateway in this process between a client and two providers, the first of which a test breaks. */
export async function openSocketBench(options: BenchOptions = {}): Promise<SocketBench> {
  const bad = await createFakeProvider(options.tls === undefined ? {} : { tls: options.tls });
  const good = await createFakeProvider();
  const config = configOf(configText(options.badUrl ?? bad.origin, good.origin, options));
  const gateway = wireGateway(
    { ...config, store: { ...config.store, kind: 'memory' } },
    { version: '0.0.0-test', log: { level: 'silent' } },
  );
  const { port } = await gateway.server.listen('127.0.0.1', 0);
  const url = `http://127.0.0.1:${port}`;
  const get = async (path: string): Promise<unknown> => (await fetch(`${url}/api/v1${path}`)).json();
  return {
    url,
    bad,
    good,
    ask: (protocol, { stream = true, model = protocol } = {}) =>
      askOnce(port, WIRE[protocol].path, WIRE[protocol].body(model, stream)),
    async recordOf(id) {
      for (let tries = 0; ; tries++) {
        const view = requestView.safeParse(await get(`/requests/${id}`));
        const isOver = view.success && view.data.outcome !== null;
        if (isOver) return { outcome: view.data.outcome, attempts: view.data.attempts.map(tellAttempt) };
        if (tries > 400) throw new Error('the request has no end on record');
        await new Promise((resolve) => setTimeout(resolve, 5));
      }
    },
    reconcile: async () => reconciliationView.parse(await get('/reconcile')),
    async close() {
      gateway.server.close();
      gateway.server.destroy();
      await Promise.all([gateway.close(), bad.close(), good.close()]);
    },
  };
}

const tellAttempt = ({ target, outcome }: { readonly target: string; readonly outcome: string | null }): string =>
  `${target.split('-')[0]} ${outcome ?? 'open'}`;

/** On a connection of its own. Resolves however the answer ends. */
async function askOnce(port: number, path: string, body: string): Promise<ClientAnswer> {
  const headers = { 'content-type': 'application/json' };
  const req = request({ agent: false, host: '127.0.0.1', port, path, method: 'POST', headers });
  req.end(body);
  const [res] = (await once(req, 'response')) as [IncomingMessage];
  let text = '';
  res.setEncoding('utf8').on('data', (part: string) => {
    text += part;
  });
  res.on('error', () => {});
  await new Promise((resolve) => res.on('close', resolve));
  return { id: String(res.headers['x-request-id']), status: res.statusCode ?? 0, body: text, isClean: res.complete };
}

/** The events of a whole answer, each as it stands on the wire. */
export function eventsOf(protocol: Spoken, words: readonly string[]): readonly string[] {
  const { preamble, word, end } = WIRE[protocol];
  const text = preamble + words.map((each) => word(each)).join('') + end(words);
  return text.split(/(?<=\n\n)/);
}

/** A whole stream. */
export const streamAnswer = (protocol: Spoken, words: readonly string[]): ScriptedAnswer => ({
  headers: { 'content-type': 'text/event-stream' },
  chunks: eventsOf(protocol, words),
});

/** Every byte that a provider writes for it, head and chunk borders too. */
export function wireBytes(protocol: Spoken, words: readonly string[]): Buffer {
  const head = 'HTTP/1.1 200 OK\r\ncontent-type: text/event-stream\r\ntransfer-encoding: chunked\r\n\r\n';
  const chunks = eventsOf(protocol, words).map((text) => `${Buffer.byteLength(text).toString(16)}\r\n${text}\r\n`);
  return Buffer.from(`${head}${chunks.join('')}0\r\n\r\n`);
}

/** The first bytes of a stream, and then nothing, an end, or a reset. */
export const cutAnswer = (bytes: Buffer, length: number, end: 'close' | 'reset' | 'hang'): ScriptedAnswer =>
  length === 0 ? { status: null, end } : { rawHead: bytes.subarray(0, length).toString('latin1'), end };
