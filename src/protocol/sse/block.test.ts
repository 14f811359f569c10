import { expect, it } from 'vitest';
import { decodeUtf8, encodeUtf8 } from '../json/index.ts';
import { readBlock, type Span } from './block.ts';

it.each([
  ['the last of repeated names', 'event: a\ndata: 1\nevent: b\n\n', { event: 'b', data: ['1'] }],
  ['a field without a colon is empty', 'data\ndata: 1\n\n', { event: '', data: ['', '1'] }],
  ['one space behind the colon is none of the value', 'data:  1\n\n', { event: '', data: [' 1'] }],
  ['a longer name is another field', 'database: 1\r\nevents: x\r\rdata:2\n', { event: '', data: ['2'] }],
  ['an error stands for itself', 'error: {"a":1}\nid: 7\n\n', { event: '', data: [], errors: ['{"a":1}'] }],
])('%s', (_name, text, expected) => {
  const bytes = encodeUtf8(text);
  const { event, data, errors } = readBlock(bytes, 0, bytes.length);
  const read = ({ start, end }: Span): string => decodeUtf8(bytes.subarray(start, end));
  expect({ event, data: data.map(read), errors: errors.map(read) }).toEqual({ errors: [], ...expected });
});
