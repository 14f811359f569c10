import type { RequestText } from '../core/failure/doubt-echo.ts';
import { foldWords } from '../core/redact/index.ts';
import { decodeUtf8 } from '../protocol/json/index.ts';

/** What lies between is images; what people and tools wrote last stands at the end. */
const MAX_READ = 1024 * 1024;

/** What bodies say: their words (`foldWords`), and the bodies themselves. Of a huge one its first and its last megabyte. */
export function readRequestText(...bodies: readonly Uint8Array[]): RequestText {
  const isHuge = (body: Uint8Array): boolean => body.length > 2 * MAX_READ;
  const written = bodies.flatMap((body) =>
    isHuge(body) ? [body.subarray(0, MAX_READ), body.subarray(-MAX_READ)] : [body],
  );
  const text = written.map((part) => foldWords(decodeUtf8(part))).join(' ');
  return { text, written, isWhole: !bodies.some(isHuge) };
}

/** Bytes that it takes beside the body: at most two for each unit of the words. */
export const sizeOfText = (request: RequestText | null): number => (request?.text.length ?? 0) * 2;
