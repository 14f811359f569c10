import { undoEscapes } from '../core/redact/index.ts';
import { decodeUtf8 } from '../protocol/json/index.ts';

/** What lies between is images; what people and tools wrote last stands at the end. */
const MAX_READ = 1024 * 1024;

/**
 * A request's body as a person reads it: without escapes, in one line. Of a huge one its first and its last megabyte;
 * empty where the body is gone. It is read when it is first asked for, once.
 */
export function readableBody(body: Uint8Array): () => string {
  let text: string | null = null;
  return () => {
    text ??= readBody(body);
    return text;
  };
}

function readBody(body: Uint8Array): string {
  const isHuge = body.length > 2 * MAX_READ;
  const parts = isHuge ? [body.subarray(0, MAX_READ), body.subarray(-MAX_READ)] : [body];
  return parts.map((part) => undoEscapes(decodeUtf8(part).replace(/\\[nrt]/g, ' ')).replace(/\s+/g, ' ')).join(' ');
}
