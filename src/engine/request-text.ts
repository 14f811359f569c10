import type { RequestText } from '../core/failure/doubt-echo.ts';
import { foldWords } from '../core/redact/index.ts';
import { decodeUtf8 } from '../protocol/json/index.ts';

/** What lies between is images; what people and tools wrote last stands at the end. */
const MAX_READ = 1024 * 1024;

/** What a request's body says, and its words (`foldWords`). Of a huge one its first and its last megabyte. */
export function readRequestText(body: Uint8Array): RequestText {
  const isHuge = body.length > 2 * MAX_READ;
  const parts = isHuge ? [body.subarray(0, MAX_READ), body.subarray(-MAX_READ)] : [body];
  const written = parts.map(decodeUtf8);
  return { text: written.map(foldWords).join(' '), written: written.join(' '), isWhole: !isHuge };
}
