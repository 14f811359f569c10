import net from 'node:net';

export type RawAnswer = {
  readonly status: number;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string;
};

export interface RawConnection {
  write(bytes: string | Uint8Array): void;
  /** The next whole answer (1xx are answers of their own). Rejects when the connection ends before it. */
  answer(options?: { readonly bodiless?: boolean }): Promise<RawAnswer>;
  /** Everything that came, so far or, after `closed`, at all. */
  readonly received: string;
  readonly closed: Promise<void>;
  /** Reads nothing until it goes on. */
  pause(): void;
  resume(): void;
  end(): void;
  destroy(): void;
}

/** A client on a bare socket, for what HTTP libraries do not let a test do. */
export async function connectRaw(port: number): Promise<RawConnection> {
  const socket = net.connect({ port, host: '127.0.0.1', noDelay: true });
  let received = '';
  let taken = 0;
  let isClosed = false;
  let wake: () => void = () => {};
  const closed = new Promise<void>((resolve) => {
    socket.on('close', () => {
      isClosed = true;
      wake();
      resolve();
    });
  });
  socket.on('error', () => {});
  socket.on('data', (bytes) => {
    received += bytes.toString('latin1');
    wake();
  });
  await new Promise<void>((resolve, reject) => {
    socket.once('connect', resolve);
    socket.once('error', reject);
  });
  return {
    write: (bytes) => void socket.write(bytes),
    async answer({ bodiless = false } = {}) {
      for (;;) {
        const found = parseAnswer(received.slice(taken), bodiless, isClosed);
        if (found !== null) {
          taken += found.length;
          return found.answer;
        }
        if (isClosed)
          throw new Error(`the connection ended inside an answer: ${JSON.stringify(received.slice(taken))}`);
        await new Promise<void>((resolve) => {
          wake = resolve;
        });
      }
    },
    get received() {
      return received;
    },
    closed,
    pause: () => void socket.pause(),
    resume: () => void socket.resume(),
    end: () => socket.end(),
    destroy: () => socket.destroy(),
  };
}

type Found = { readonly answer: RawAnswer; readonly length: number };

function parseAnswer(text: string, bodiless: boolean, isClosed: boolean): Found | null {
  const headEnd = text.indexOf('\r\n\r\n');
  if (headEnd < 0) return null;
  const [start = '', ...lines] = text.slice(0, headEnd).split('\r\n');
  const status = Number(start.split(' ')[1]);
  const headers = Object.fromEntries(
    lines.map((line) => [line.slice(0, line.indexOf(':')).toLowerCase(), line.slice(line.indexOf(':') + 1).trim()]),
  );
  const rest = text.slice(headEnd + 4);
  const found = (body: string, length: number): Found => ({
    answer: { status, headers, body: Buffer.from(body, 'latin1').toString() },
    length: headEnd + 4 + length,
  });
  if (bodiless || status < 200 || status === 204) return found('', 0);
  if (headers['transfer-encoding'] === 'chunked') return parseChunks(rest, found);
  if (headers['content-length'] === undefined) return isClosed ? found(rest, rest.length) : null;
  const length = Number(headers['content-length']);
  return rest.length >= length ? found(rest.slice(0, length), length) : null;
}

function parseChunks(rest: string, found: (body: string, length: number) => Found): Found | null {
  let at = 0;
  let body = '';
  for (;;) {
    const lineEnd = rest.indexOf('\r\n', at);
    if (lineEnd < 0) return null;
    const size = Number.parseInt(rest.slice(at, lineEnd), 16);
    if (Number.isNaN(size)) throw new Error(`no chunk size: ${JSON.stringify(rest.slice(at, lineEnd))}`);
    if (rest.length < lineEnd + 2 + size + 2) return null;
    body += rest.slice(lineEnd + 2, lineEnd + 2 + size);
    at = lineEnd + 2 + size + 2;
    if (size === 0) return found(body, at);
  }
}

/** The head of a request and its body, as text. */
export function requestText(
  method: string,
  path: string,
  options: { readonly headers?: Readonly<Record<string, string | null>>; readonly body?: string } = {},
): string {
  const { body } = options;
  const all: Record<string, string | null> = {
    host: '127.0.0.1',
    ...(body === undefined
      ? {}
      : { 'content-type': 'application/json', 'content-length': String(Buffer.byteLength(body)) }),
    ...options.headers,
  };
  const lines = Object.entries(all).flatMap(([name, value]) => (value === null ? [] : [`${name}: ${value}`]));
  return `${[`${method} ${path} HTTP/1.1`, ...lines].join('\r\n')}\r\n\r\n${body ?? ''}`;
}
