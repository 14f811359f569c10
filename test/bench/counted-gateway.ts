// A gateway of its own process, with everything on, that counts what it does: `budget.test.ts` talks to it.
//
//   node counted-gateway.ts FOLDER PROVIDER_ORIGIN     tells { port } to its parent, then answers 'begin' and 'end'
import { Session } from 'node:inspector';
import { createRequire, syncBuiltinESMExports } from 'node:module';
import { Socket } from 'node:net';
import type { Counts } from './counts.ts';

const [folder = '', origin = ''] = process.argv.slice(2);
const providerPort = Number(new URL(origin).port);

let gatewayPort = 0;
const counts = { parses: 0, timers: 0, reads: 0, writes: 0 };

// Before anything of the gateway is loaded, so that nothing has taken the real ones.
const timers = createRequire(import.meta.url)('node:timers') as { setTimeout: typeof setTimeout };
const { parse } = JSON;
JSON.parse = (...args: Parameters<typeof parse>): unknown => {
  counts.parses += 1;
  return parse(...args);
};
const { setTimeout: realTimer } = globalThis;
const countedTimer = Object.assign((...args: Parameters<typeof realTimer>) => {
  counts.timers += 1;
  return realTimer(...args);
}, realTimer);
Object.assign(globalThis, { setTimeout: countedTimer });
Object.assign(timers, { setTimeout: countedTimer });
syncBuiltinESMExports();

type Sending = { _writeGeneric: (this: Socket, ...args: unknown[]) => unknown };
const sockets = Socket.prototype as Socket & Sending;
// oxlint-disable-next-line typescript/unbound-method -- called with its socket below
const { read, _writeGeneric: write } = sockets;
sockets.read = function countedRead(this: Socket, size?: number) {
  const chunk: unknown = read.call(this, size);
  if (chunk !== null && this.remotePort === providerPort) counts.reads += 1;
  return chunk;
};
sockets._writeGeneric = function countedWrite(this: Socket, ...args: unknown[]) {
  if (this.localPort === gatewayPort) counts.writes += 1;
  return write.apply(this, args);
};

const inspector = new Session();
inspector.connect();
const post = <T>(method: string, params: object = {}): Promise<T> =>
  new Promise((resolve, reject) => {
    inspector.post(method, params, (error: Error | null, result?: object) =>
      error === null ? resolve(result as T) : reject(error),
    );
  });

type Node = { readonly selfSize: number; readonly children: readonly Node[] };
const sizeOf = ({ selfSize, children }: Node): number => children.reduce((sum, child) => sum + sizeOf(child), selfSize);

/** Bytes of a sample, on average. */
const SAMPLE_BYTES = 512;

async function begin(): Promise<null> {
  await post('HeapProfiler.startSampling', {
    samplingInterval: SAMPLE_BYTES,
    includeObjectsCollectedByMajorGC: true,
    includeObjectsCollectedByMinorGC: true,
  });
  Object.assign(counts, { parses: 0, timers: 0, reads: 0, writes: 0 });
  return null;
}

async function end(): Promise<Counts> {
  const seen = { ...counts };
  const { profile } = await post<{ profile: { head: Node } }>('HeapProfiler.stopSampling');
  return { ...seen, allocated: sizeOf(profile.head) };
}

const { wireGateway } = await import('../../src/app/wire.ts');
const { configOf } = await import('../kit/config-text.ts');
const config = configOf(`
stateDir: ${folder}
auth: { required: true, keys: [{ name: counted, key: client-counted-1234567890 }] }
telemetry: { log: { level: info, format: json } }
providers:
  first: { protocol: openai-chat, baseUrl: "${origin}/v1", apiKey: sk-fake-first-1234567890 }
  second: { protocol: openai-chat, baseUrl: "${origin}/v1", apiKey: sk-fake-second-1234567890 }
models:
  main: { targets: [first/m, { provider: second, model: m, tier: 1 }] }
`);
const gateway = wireGateway(config, { version: '0.0.0-test' });
({ port: gatewayPort } = await gateway.server.listen('127.0.0.1', 0));
await gateway.warmUp();

process.on('message', (word) => {
  if (word === 'stop') process.exit(0);
  void (word === 'begin' ? begin() : end()).then((answer) => process.send?.(answer ?? {}));
});
process.send?.({ port: gatewayPort });
