import { get as getHttp } from 'node:http';
import { get as getHttps } from 'node:https';
import { createServer } from 'node:net';
import type { ServerSettings } from '../../config/runtime.ts';
import { broken, type Found, fine, warning } from './finding.ts';

const LIMIT_MS = 2000;
const EVERYWHERE: Readonly<Record<string, string>> = { '0.0.0.0': '127.0.0.1', '::': '::1' };

/** Whether the gateway could listen, or does already. */
export async function checkPort({ host, port, tls }: ServerSettings, version: string): Promise<Found> {
  if (port === 0) return fine('a free one is taken at each start');
  const bare = host.replace(/^\[|\]$/g, '');
  const place = `${host.includes(':') && !host.startsWith('[') ? `[${host}]` : host}:${port}`;
  const trouble = await tryToListen(bare, port);
  if (trouble === null) return fine(`${place} is free`);
  if (trouble !== 'EADDRINUSE') return broken(...(TROUBLES[trouble]?.(place) ?? elsewhere(place, trouble)));
  const running = await askVersion(EVERYWHERE[bare] ?? bare, port, tls !== null);
  if (running === null) {
    return broken(`another program listens on ${place}`, 'end it, or choose another port with server.port or --port');
  }
  if (running === version) return fine(`a gateway of this version (${version}) runs on ${place}`);
  return warning(
    `a gateway of version ${running} runs on ${place}, this is ${version}`,
    'restart it, so that both are the same',
  );
}

type Told = readonly [detail: string, remedy: string];

const TROUBLES: Readonly<Record<string, (place: string) => Told>> = {
  EACCES: (place) => [`this user may not listen on ${place}`, 'choose a port above 1023'],
  EADDRNOTAVAIL: (place) => [`${place} is no address of this machine`, 'choose another one with server.host or --host'],
  ENOTFOUND: (place) => [`${place} is no name that resolves`, 'choose another one with server.host or --host'],
};

const elsewhere = (place: string, code: string): Told => [
  `nothing can listen on ${place} (${code})`,
  'choose another address with server.host and server.port',
];

/** Null: nothing is in the way. */
function tryToListen(host: string, port: number): Promise<string | null> {
  return new Promise((resolve) => {
    const server = createServer();
    server.once('error', (error: NodeJS.ErrnoException) => resolve(error.code ?? error.message));
    server.listen(port, host, () => server.close(() => resolve(null)));
  });
}

/** Version of the gateway that answers there; null: it is none. */
function askVersion(host: string, port: number, isTls: boolean): Promise<string | null> {
  // It is about who is there, not about whether the certificate fits the address.
  const options = { host, port, path: '/livez', timeout: LIMIT_MS, agent: false, rejectUnauthorized: false };
  return new Promise((resolve) => {
    const req = (isTls ? getHttps : getHttp)(options, (res) => {
      let text = '';
      res.setEncoding('utf8').on('data', (chunk: string) => {
        text += chunk;
        if (text.length > 10_000) req.destroy();
      });
      res.on('end', () => resolve(readVersion(text)));
      res.on('error', () => resolve(null));
    });
    req.on('timeout', () => req.destroy());
    req.on('error', () => resolve(null));
    req.on('close', () => resolve(null));
  });
}

function readVersion(text: string): string | null {
  try {
    const { status, version } = JSON.parse(text) as { status?: unknown; version?: unknown };
    return status === 'alive' && typeof version === 'string' ? version : null;
  } catch {
    return null;
  }
}
