import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { expect, it } from 'vitest';
import { foldFacts, wholeRequest } from '../../test/kit/facts.ts';
import { viewRequest } from '../management/request-view.ts';
import { askRecords } from './ask-records.ts';

const AT = 1_700_000_000_000;

/** A gateway with so many requests on record, which gives them out in pages of two. */
async function countOf(total: number, most: number): Promise<[number, boolean]> {
  const views = Array.from({ length: total }, (_, n) => viewRequest(foldFacts(wholeRequest(`r${n}`, AT + n))));
  const server = createServer(({ url = '' }, response) => {
    const from = Number(new URL(url, 'http://x').searchParams.get('cursor') ?? 0);
    const next = from + 2 < total ? String(from + 2) : null;
    response.setHeader('content-type', 'application/json');
    response.end(JSON.stringify({ data: views.slice(from, from + 2), next }));
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as AddressInfo;
  try {
    const gateway = { url: `http://127.0.0.1:${port}`, token: null, tokenFrom: '', isNamed: true };
    const { requests, hasMore } = await askRecords(gateway, AT, most);
    return [requests.length, hasMore];
  } finally {
    server.close();
  }
}

it('says whether something was left, and never of what it has all of', async () => {
  expect(await countOf(3, 4)).toEqual([3, false]);
  expect(await countOf(4, 4)).toEqual([4, false]);
  expect(await countOf(5, 4)).toEqual([4, true]);
  expect(await countOf(4, 3)).toEqual([3, true]);
});
