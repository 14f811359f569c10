import { describe, expect, it } from 'vitest';
import type { Downstream } from '../port/downstream.ts';
import { encodeUtf8 } from '../protocol/json/index.ts';
import { createRelay } from './relay.ts';

function relayed() {
  const said: string[] = [];
  let events: Parameters<Downstream['listen']>[0] = { onDrain: () => {}, onClose: () => {} };
  const client = { isFull: false };
  const relay = createRelay(
    {
      head: (status) => void said.push(`head ${status}`),
      write(bytes) {
        said.push(`write ${bytes.length}`);
        return !client.isFull;
      },
      end: () => void said.push('end'),
      destroy: () => void said.push('destroy'),
      listen(listener) {
        events = listener;
      },
    },
    () => 7,
    {
      onBlocked: () => void said.push('blocked'),
      onDrain: () => void said.push('drained'),
      onClose: () => void said.push('closed'),
    },
  );
  return { relay, said, client, drain: () => events.onDrain(), close: () => events.onClose() };
}

const X = encodeUtf8('x');

describe('a relay', () => {
  it('tells each time that the client can not keep up, once', () => {
    const { relay, said, client, drain } = relayed();
    relay.open(200, {});
    client.isFull = true;
    relay.write(X);
    relay.write(X);
    drain();
    drain();
    relay.write(X);
    expect(said).toEqual(['head 200', 'write 1', 'blocked', 'write 1', 'drained', 'write 1', 'blocked']);
    expect([relay.isBlocked, relay.lastWriteAt]).toEqual([true, 7]);
  });

  it('has one head and one end, and nothing behind it', () => {
    const { relay, said, drain } = relayed();
    relay.open(200, {});
    relay.open(500, {});
    relay.end();
    for (const late of [() => relay.write(X), () => relay.end(), () => relay.destroy(), drain]) late();
    expect(said).toEqual(['head 200', 'end']);
    expect([relay.status, relay.isEnded]).toEqual([200, true]);
  });

  it('takes nobody for gone who has a whole answer', () => {
    const { relay, said, close } = relayed();
    relay.open(200, {});
    relay.end();
    close();
    expect([said.includes('closed'), relay.isClosed]).toEqual([false, false]);
  });

  it('writes nothing to a client that has left, and tells of it once', () => {
    const { relay, said, close } = relayed();
    close();
    close();
    relay.open(200, {});
    relay.write(X);
    relay.end();
    expect(said).toEqual(['closed']);
  });
});
