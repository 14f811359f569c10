import { once } from 'node:events';
import net from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';
import { requestText } from '../kit/raw-client.ts';
import { type Spoken, WIRE } from '../kit/wire-scripts.ts';
import { openSocketBench, type Recorded } from './socket-bench.ts';

export type Flood = {
  /** Bytes of the answer that the provider could get rid of while its client read next to nothing. */
  readonly taken: number;
  /** Growth of the memory of this process, the provider's own buffers included. */
  readonly grown: number;
  /** The stream was still open when every clock would have run out. */
  readonly isOpen: boolean;
  readonly record: Recorded;
  readonly sends: number;
};

const FLOOD_BYTES = 200 * 1024 * 1024;
const READ_EVERY_MS = 1000;

/** A provider that sends as fast as it can, to a client that reads a byte a second and leaves in the end. */
export async function runFlood(protocol: Spoken, seconds: number): Promise<Flood> {
  const clocks = { headers: '500ms', firstOutput: '500ms', idle: '500ms', progress: '600ms', commit: '700ms' };
  const bench = await openSocketBench({ timeouts: clocks });
  const { path, body, preamble, word } = WIRE[protocol];
  const flood = Buffer.from(word('Bee '.repeat(4096)));
  bench.bad.play({
    headers: { 'content-type': 'text/event-stream' },
    chunks: [preamble, { bytes: flood, times: Math.ceil(FLOOD_BYTES / flood.length) }],
  });
  const before = process.memoryUsage().rss;
  const socket = net.connect(Number(new URL(bench.url).port), '127.0.0.1');
  try {
    socket.write(requestText('POST', path, { headers: { host: '127.0.0.1' }, body: body(protocol, true) }));
    await once(socket, 'readable');
    const head = String(socket.read(1000));
    const id = /^x-request-id: (\S+)/im.exec(head)?.[1] ?? '';
    for (let second = 0; second < seconds; second++) {
      await sleep(READ_EVERY_MS);
      socket.read(1);
    }
    const taken = bench.bad.requests[0]?.answeredBytes ?? 0;
    const grown = process.memoryUsage().rss - before;
    const open = (await (await fetch(`${bench.url}/api/v1/requests/${id}`)).json()) as { outcome: string | null };
    socket.destroy();
    const record = await bench.recordOf(id);
    return { taken, grown, isOpen: open.outcome === null, record, sends: bench.bad.requests.length };
  } finally {
    socket.destroy();
    await bench.close();
  }
}
