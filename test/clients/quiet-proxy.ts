import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';

export interface QuietProxy {
  readonly url: string;
  /** Whom somebody wanted to reach, each once. */
  readonly wanted: ReadonlySet<string>;
  close(): Promise<void>;
}

/** A proxy that lets nobody out: whatever a client wants of the world beside the gateway ends here, and is written down. */
export async function createQuietProxy(): Promise<QuietProxy> {
  const wanted = new Set<string>();
  const server = createServer((req, res) => {
    wanted.add(req.url ?? '');
    res.writeHead(403).end();
  });
  server.on('connect', (req, socket) => {
    wanted.add(req.url ?? '');
    socket.on('error', () => {}).end('HTTP/1.1 403 Forbidden\r\nConnection: close\r\n\r\n');
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    wanted,
    async close() {
      server.closeAllConnections();
      server.close();
      await once(server, 'close');
    },
  };
}
