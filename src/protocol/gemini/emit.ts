import { concatBytes, encodeUtf8, stringifyExact } from '../json/index.ts';
import { oneLine } from '../shared/nodes.ts';

export { frameOf, leftOut } from '../shared/frame.ts';

/** An event of our own; `value` is of `parseExact` or made here. */
export const dataFrame = (value: unknown): Uint8Array => encodeUtf8(`data: ${stringifyExact(value)}\n\n`);

const DATA = encodeUtf8('data: ');
const END = encodeUtf8('\n\n');

/** An event made of a JSON text as it was written. */
export const textFrame = (json: Uint8Array): Uint8Array => concatBytes([DATA, oneLine(json), END]);
