/** A request as it came over the wire. */
export type WireRequest = {
  /** Every byte of it, as latin-1. */
  readonly raw: string;
  readonly method: string;
  readonly path: string;
  /** In order of arrival, names as sent. */
  readonly headerLines: readonly (readonly [string, string])[];
  /** Names in lower case; the last of a repeated one. */
  readonly headers: Readonly<Record<string, string>>;
  readonly body: Buffer;
};

/** Cuts a byte stream into HTTP/1.1 requests (`content-length` or chunked), however the bytes come. */
export function createRequestReader(onRequest: (request: WireRequest) => void): { push(bytes: Buffer): void } {
  let held: Buffer[] = [];
  let size = 0;
  /** Fewer bytes than these can't be a whole request. */
  let needed = 0;
  return {
    push(bytes) {
      held.push(bytes);
      size += bytes.length;
      while (size > 0 && size >= needed) {
        const all = Buffer.concat(held, size);
        const found = readOne(all);
        needed = found.request ? 0 : Math.max(found.size, size + 1);
        const rest = found.request ? all.subarray(found.size) : all;
        held = rest.length > 0 ? [rest] : [];
        size = rest.length;
        if (found.request) onRequest(found.request);
      }
    },
  };
}

/** A request and its size, or how many bytes are needed at least. */
function readOne(bytes: Buffer): { readonly request: WireRequest | null; readonly size: number } {
  const headEnd = bytes.indexOf('\r\n\r\n');
  if (headEnd < 0) return { request: null, size: 0 };
  const [start = '', ...lines] = bytes.subarray(0, headEnd).toString('latin1').split('\r\n');
  const headerLines = lines.map((line): readonly [string, string] => {
    const colon = line.indexOf(':');
    return [line.slice(0, colon), line.slice(colon + 1).trim()];
  });
  const headers = Object.fromEntries(headerLines.map(([name, value]) => [name.toLowerCase(), value]));
  const rest = bytes.subarray(headEnd + 4);
  const isChunked = headers['transfer-encoding']?.toLowerCase() === 'chunked';
  const length = Number(headers['content-length'] ?? 0);
  const found = isChunked ? readChunks(rest) : readLength(rest, length);
  if (found === null) return { request: null, size: isChunked ? 0 : headEnd + 4 + length };
  const [method = '', path = ''] = start.split(' ');
  const size = headEnd + 4 + found.size;
  const raw = bytes.subarray(0, size).toString('latin1');
  return { request: { raw, method, path, headerLines, headers, body: found.body }, size };
}

function readLength(bytes: Buffer, length: number): { body: Buffer; size: number } | null {
  return bytes.length < length ? null : { body: Buffer.from(bytes.subarray(0, length)), size: length };
}

function readChunks(bytes: Buffer): { body: Buffer; size: number } | null {
  const parts: Buffer[] = [];
  for (let at = 0; ; ) {
    const lineEnd = bytes.indexOf('\r\n', at);
    if (lineEnd < 0) return null;
    const size = Number.parseInt(bytes.subarray(at, lineEnd).toString('latin1'), 16);
    const next = lineEnd + 2 + size + 2;
    if (bytes.length < next) return null;
    if (size === 0) return { body: Buffer.concat(parts), size: next };
    parts.push(bytes.subarray(lineEnd + 2, lineEnd + 2 + size));
    at = next;
  }
}
