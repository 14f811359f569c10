import { describe, expect, it } from 'vitest';
import { createVirtualClock } from '../../../test/kit/virtual-clock.ts';
import type { HttpHandler, HttpRequest } from '../../port/http-client.ts';
import { createNetwork, type Play } from './network.ts';

const REQUEST: HttpRequest = {
  origin: 'https://a.test:443',
  path: '/v1',
  method: 'POST',
  headers: {},
  body: [new TextEncoder().encode('{"a":'), new TextEncoder().encode('1}')],
  connectTimeoutMs: 1000,
  freshSocket: false,
};

function open(play: Play, change: Partial<HttpRequest> = {}, react: (event: string) => void = () => {}) {
  const clock = createVirtualClock(0);
  const client = createNetwork(clock, () => play);
  const events: string[] = [];
  const note = (event: string): void => {
    events.push(`${clock.now()} ${event}`);
    react(event);
  };
  const handler: HttpHandler = {
    onSent: () => note('sent'),
    onHead: (status) => note(`head ${status}`),
    onData: (chunk) => note(new TextDecoder().decode(chunk)),
    onEnd: () => note('end'),
    onFailure: ({ error, reusedSocket }) => note(`${error}${reusedSocket ? ' reused' : ''}`),
  };
  const exchange = client.send({ ...REQUEST, ...change }, handler);
  return { clock, client, events, exchange };
}

// The sentences of the port's contract that need no socket.
describe('createNetwork', () => {
  it('plays an exchange in order, each step at its moment', () => {
    const { clock, events, client } = open({
      connectMs: 1,
      headMs: 2,
      body: ['a', { bytes: 'b', ms: 3, times: 2 }],
      endMs: 4,
    });
    expect(events).toEqual([]);
    clock.advance(100);
    expect(events).toEqual(['1 sent', '3 head 200', '3 a', '6 b', '9 b', '13 end']);
    expect(client.sends[0]).toMatchObject({ body: '{"a":1}', abortedAt: null, isOver: true, delivered: 3 });
    expect(client.open()).toBe(0);
    expect(clock.pending).toBe(0);
  });

  it.each<[Play, readonly string[]]>([
    [{ refuse: 'dns' }, ['0 dns']],
    [{ status: null, end: 'reset' }, ['0 sent', '0 reset']],
    [{ status: null, end: 'reset', reused: true }, ['0 sent', '0 reset reused']],
    [{ body: ['a'], end: 'closed' }, ['0 sent', '0 head 200', '0 a', '0 closed']],
    [{ connectMs: null }, []],
    [{ headMs: null }, ['0 sent']],
    [{ end: 'hang' }, ['0 sent', '0 head 200']],
  ])('%j', (play, expected) => {
    const { clock, events } = open(play);
    clock.advance(1000);
    expect(events).toEqual(expected);
  });

  it('a request for a fresh socket gets none that was used', () => {
    const { clock, events } = open({ status: null, end: 'reset', reused: true }, { freshSocket: true });
    clock.advance(0);
    expect(events.at(-1)).toBe('0 reset');
  });

  it('nothing comes behind an abort, from outside or from inside a call', () => {
    const outside = open({ body: [{ bytes: 'a', ms: 10, times: 5 }] });
    outside.clock.advance(25);
    outside.exchange.abort();
    outside.exchange.abort();
    outside.clock.advance(100);
    expect(outside.events).toEqual(['0 sent', '0 head 200', '10 a', '20 a']);
    expect(outside.client.sends[0]?.abortedAt).toBe(25);
    expect(outside.clock.pending).toBe(0);
    const inside = open({ body: ['a', 'b'] }, {}, (event) => event === 'a' && inside.exchange.abort());
    inside.clock.advance(10);
    expect(inside.events.at(-1)).toBe('0 a');
  });

  it('a pause holds the provider up; resume loses nothing', async () => {
    const { clock, events, exchange } = open({
      body: ['a', { bytes: 'b', ms: 10 }, { bytes: 'c', ms: 10 }],
      end: 'reset',
    });
    await clock.advanceAsync(0);
    exchange.pause();
    await clock.advanceAsync(100);
    expect(events.at(-1)).toBe('0 a');
    exchange.resume();
    await clock.advanceAsync(100);
    expect(events.slice(3)).toEqual(['100 b', '110 c', '110 reset']);
  });

  it('what was read already still comes', async () => {
    const { clock, events, exchange } = open(
      { body: ['a', 'b', 'c'], readAhead: 1 },
      {},
      (event) => event === 'a' && exchange.pause(),
    );
    await clock.advanceAsync(10);
    expect(events.at(-1)).toBe('0 b');
    exchange.resume();
    await clock.advanceAsync(0);
    expect(events.at(-1)).toBe('10 end');
  });

  it('a pause and a resume in one breath change nothing', async () => {
    const { clock, events, exchange } = open({ body: ['a'] });
    exchange.pause();
    exchange.resume();
    exchange.pause();
    exchange.resume();
    await clock.advanceAsync(0);
    expect(events).toEqual(['0 sent', '0 head 200', '0 a', '0 end']);
  });

  it('notes what a handler throws', () => {
    const { clock, client } = open({}, {}, () => {
      throw new Error('x');
    });
    clock.advance(0);
    expect(client.thrown).toHaveLength(3);
  });
});
