// A strict reader of what OTLP exporters send (opentelemetry/proto/collector/trace/v1): whatever the form does not have is
// an error, so that a test sees it.

export type OtlpValue = string | number | boolean | readonly OtlpValue[];

export type OtlpSpan = {
  readonly traceId: string;
  readonly spanId: string;
  /** Empty: it has no parent. */
  readonly parentId: string;
  readonly name: string;
  readonly kind: 'internal' | 'server' | 'client';
  /** Nanoseconds since 1970. */
  readonly start: bigint;
  readonly end: bigint;
  readonly attributes: Readonly<Record<string, OtlpValue>>;
  readonly status: { readonly code: 'unset' | 'ok' | 'error'; readonly message: string };
  /** The parent is of another process; null: nobody says. */
  readonly isParentRemote: boolean | null;
  readonly resource: Readonly<Record<string, OtlpValue>>;
};

type Field =
  | { readonly id: number; readonly wire: 'number'; readonly value: bigint }
  | { readonly id: number; readonly wire: 'bytes'; readonly value: Uint8Array };

const WIDTHS: Readonly<Record<number, number>> = { 1: 8, 5: 4 };

function fieldsOf(bytes: Uint8Array): Field[] {
  const fields: Field[] = [];
  let at = 0;
  const byte = (): number => {
    const value = bytes[at++];
    if (value === undefined) throw new Error('a message ends too soon');
    return value;
  };
  const varint = (): bigint => {
    let value = 0n;
    for (let shift = 0n; shift < 70n; shift += 7n) {
      const next = byte();
      value |= BigInt(next & 0x7f) << shift;
      if (next < 0x80) return value;
    }
    throw new Error('a number has no end');
  };
  while (at < bytes.length) {
    const key = Number(varint());
    const [id, type] = [key >>> 3, key & 7];
    const width = WIDTHS[type];
    if (type === 0) fields.push({ id, wire: 'number', value: varint() });
    else if (width !== undefined) {
      let value = 0n;
      for (let i = 0; i < width; i++) value |= BigInt(byte()) << BigInt(8 * i);
      fields.push({ id, wire: 'number', value });
    } else if (type === 2) {
      const end = Number(varint()) + at;
      if (end > bytes.length) throw new Error('a field ends behind its message');
      fields.push({ id, wire: 'bytes', value: bytes.subarray(at, end) });
      at = end;
    } else throw new Error(`field ${id} has the wire type ${type}`);
  }
  return fields;
}

type Takers = Readonly<Record<number, (value: never) => void>>;

/** `takers`: one for each field that may be there, by its number. */
function take(bytes: Uint8Array, what: string, takers: Takers): void {
  for (const { id, value } of fieldsOf(bytes)) {
    const taker = takers[id];
    if (taker === undefined) throw new Error(`${what} has no field ${id}`);
    taker(value as never);
  }
}

const text = (bytes: Uint8Array): string => new TextDecoder('utf-8', { fatal: true }).decode(bytes);
const hex = (bytes: Uint8Array): string => Buffer.from(bytes).toString('hex');

function double(bits: bigint): number {
  return new DataView(new BigUint64Array([bits]).buffer).getFloat64(0, true);
}

function readValue(bytes: Uint8Array): OtlpValue {
  let value: OtlpValue | null = null;
  take(bytes, 'a value', {
    1: (raw: Uint8Array) => (value = text(raw)),
    2: (raw: bigint) => (value = raw === 1n),
    3: (raw: bigint) => (value = Number(BigInt.asIntN(64, raw))),
    4: (raw: bigint) => (value = double(raw)),
    5: (raw: Uint8Array) => {
      const list: OtlpValue[] = [];
      take(raw, 'a list', { 1: (item: Uint8Array) => list.push(readValue(item)) });
      value = list;
    },
  });
  if (value === null) throw new Error('a value is empty');
  return value;
}

function readPair(bytes: Uint8Array, into: Record<string, OtlpValue>): void {
  let key = '';
  let value: OtlpValue | null = null;
  take(bytes, 'an attribute', {
    1: (raw: Uint8Array) => (key = text(raw)),
    2: (raw: Uint8Array) => (value = readValue(raw)),
  });
  if (key === '' || value === null) throw new Error(`the attribute ${JSON.stringify(key)} is not whole`);
  if (Object.hasOwn(into, key)) throw new Error(`the attribute ${key} stands there twice`);
  into[key] = value;
}

const CODES = ['unset', 'ok', 'error'] as const;
const KINDS: Readonly<Record<number, OtlpSpan['kind']>> = { 1: 'internal', 2: 'server', 3: 'client' };

function readStatus(bytes: Uint8Array): OtlpSpan['status'] {
  let message = '';
  let code = 0;
  take(bytes, 'a status', {
    2: (raw: Uint8Array) => (message = text(raw)),
    3: (raw: bigint) => (code = Number(raw)),
  });
  const word = CODES[code];
  if (word === undefined) throw new Error(`there is no status ${code}`);
  return { code: word, message };
}

function readSpan(bytes: Uint8Array, resource: OtlpSpan['resource']): OtlpSpan {
  const attributes: Record<string, OtlpValue> = {};
  const ids = { traceId: '', spanId: '', parentId: '' };
  let [name, kind, start, end, flags] = ['', 0, 0n, 0n, 0];
  let status: OtlpSpan['status'] = { code: 'unset', message: '' };
  const nothing = (what: string) => (raw: bigint) => {
    if (raw !== 0n) throw new Error(`${raw} ${what} were dropped`);
  };
  take(bytes, 'a span', {
    1: (raw: Uint8Array) => (ids.traceId = hex(raw)),
    2: (raw: Uint8Array) => (ids.spanId = hex(raw)),
    4: (raw: Uint8Array) => (ids.parentId = hex(raw)),
    5: (raw: Uint8Array) => (name = text(raw)),
    6: (raw: bigint) => (kind = Number(raw)),
    7: (raw: bigint) => (start = raw),
    8: (raw: bigint) => (end = raw),
    9: (raw: Uint8Array) => readPair(raw, attributes),
    10: nothing('attributes'),
    12: nothing('events'),
    14: nothing('links'),
    15: (raw: Uint8Array) => (status = readStatus(raw)),
    16: (raw: bigint) => (flags = Number(raw)),
  });
  const word = KINDS[kind];
  if (word === undefined) throw new Error(`there is no kind ${kind}`);
  if (!/^[0-9a-f]{32}$/.test(ids.traceId) || !/^[0-9a-f]{16}$/.test(ids.spanId)) throw new Error('an id is not whole');
  if (!/^([0-9a-f]{16})?$/.test(ids.parentId)) throw new Error('the id of a parent is not whole');
  if (name === '' || start === 0n || end < start) throw new Error(`the span ${name} has no times`);
  const isParentRemote = (flags & 0x100) === 0 ? null : (flags & 0x200) !== 0;
  return { ...ids, name, kind: word, start, end, attributes, status, isParentRemote, resource };
}

/** All spans of one export. Throws where anything is not as the form wants it. */
export function readExport(bytes: Uint8Array): OtlpSpan[] {
  const spans: OtlpSpan[] = [];
  take(bytes, 'an export', {
    1: (ofResource: Uint8Array) => {
      const resource: Record<string, OtlpValue> = {};
      const scopes: Uint8Array[] = [];
      take(ofResource, 'spans of a resource', {
        1: (raw: Uint8Array) =>
          take(raw, 'a resource', { 1: (pair: Uint8Array) => readPair(pair, resource), 2: () => {} }),
        2: (raw: Uint8Array) => scopes.push(raw),
        3: () => {},
      });
      for (const scope of scopes) {
        take(scope, 'spans of a scope', {
          1: () => {},
          2: (raw: Uint8Array) => spans.push(readSpan(raw, resource)),
          3: () => {},
        });
      }
    },
  });
  return spans;
}
