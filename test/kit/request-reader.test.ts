import { expect, it } from 'vitest';
import { createRequestReader, type WireRequest } from './request-reader.ts';

const LENGTH = 'POST /a HTTP/1.1\r\nHost: x\r\nContent-Length: 5\r\n\r\nhello';
const CHUNKED = 'POST /b HTTP/1.1\r\nTransfer-Encoding: chunked\r\n\r\n3\r\nabc\r\n2\r\nde\r\n0\r\n\r\n';
const BARE = 'GET /c HTTP/1.1\r\nX-Y:z\r\n\r\n';

it.each([1, 2, 7, 1_000])('cuts requests out of a stream, however it comes (%i)', (size) => {
  const bytes = Buffer.from(LENGTH + CHUNKED + BARE);
  const found: WireRequest[] = [];
  const reader = createRequestReader((request) => found.push(request));
  for (let at = 0; at < bytes.length; at += size) reader.push(bytes.subarray(at, at + size));
  expect(found.map(({ method, path, body }) => [method, path, body.toString()])).toEqual([
    ['POST', '/a', 'hello'],
    ['POST', '/b', 'abcde'],
    ['GET', '/c', ''],
  ]);
  expect(found.map(({ raw }) => raw)).toEqual([LENGTH, CHUNKED, BARE]);
  expect(found[0]?.headers).toEqual({ host: 'x', 'content-length': '5' });
  expect(found[2]?.headerLines).toEqual([['X-Y', 'z']]);
});
