import { once } from 'node:events';
import { createServer, type IncomingHttpHeaders, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { type OtlpSpan, readExport } from './otlp-message.ts';

/** What it does with an export: takes it, answers with this status, or says nothing at all. */
export type ReceiverManner = 'take' | 'hang' | number;

export interface OtlpReceiver {
  readonly url: string;
  readonly spans: readonly OtlpSpan[];
  /** Every byte that came, as text, to look for what must not be there. */
  readonly heard: string;
  readonly headers: readonly IncomingHttpHeaders[];
  /** What was not as OTLP over HTTP has to be. */
  readonly problems: readonly string[];
  exports(): number;
  behave(manner: ReceiverManner): void;
  close(): Promise<void>;
}

/** A receiver of OTLP/HTTP in protobuf on a free loopback port. It is strict: see `readExport`. */
export async function createOtlpReceiver(manner: ReceiverManner = 'take', port = 0): Promise<OtlpReceiver> {
  const state = { manner, exports: 0, heard: '' };
  const spans: OtlpSpan[] = [];
  const problems: string[] = [];
  const headers: IncomingHttpHeaders[] = [];
  const take = (req: IncomingMessage, body: Buffer): void => {
    headers.push(req.headers);
    if (req.method !== 'POST' || req.url !== '/v1/traces') problems.push(`${req.method} ${req.url}`);
    const type = req.headers['content-type'];
    if (type !== 'application/x-protobuf') problems.push(`content-type: ${type}`);
    state.heard += body.toString('latin1');
    try {
      spans.push(...readExport(body));
    } catch (error) {
      problems.push(String(error));
    }
  };
  const answer = async (req: IncomingMessage, res: ServerResponse): Promise<void> => {
    const chunks: Buffer[] = [];
    for await (const chunk of req) chunks.push(chunk as Buffer);
    state.exports += 1;
    if (state.manner === 'hang') return;
    if (state.manner === 'take') take(req, Buffer.concat(chunks));
    res.writeHead(state.manner === 'take' ? 200 : state.manner, { 'content-type': 'application/x-protobuf' }).end();
  };
  const server = createServer((req, res) => void answer(req, res).catch(() => res.destroy()));
  server.listen(port, '127.0.0.1');
  await once(server, 'listening');
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    spans,
    headers,
    problems,
    get heard() {
      return state.heard;
    },
    exports: () => state.exports,
    behave: (next) => {
      state.manner = next;
    },
    async close() {
      server.closeAllConnections();
      server.close();
      await once(server, 'close');
    },
  };
}
