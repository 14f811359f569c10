import { describe, expect, it } from 'vitest';
import { gatewayNow, noteGatewayTime } from './gateway-clock.ts';
import { gather } from './gather.ts';
import { readEvents } from './read-events.ts';
import { touchedBy } from './touched.ts';

describe('gather', () => {
  const bench = () => {
    const flushed: string[][] = [];
    let now = 0;
    let due: { readonly run: () => void; readonly at: number } | null = null;
    const gathered = gather<string>({
      everyMs: 1000,
      flush: (things) => flushed.push([...things]),
      now: () => now,
      later: (run, ms) => {
        due = { run, at: now + ms };
        return () => {
          due = null;
        };
      },
    });
    const pass = (ms: number): void => {
      now += ms;
      const ripe = due;
      if (ripe === null || ripe.at > now) return;
      due = null;
      ripe.run();
    };
    return { flushed, pass, ...gathered };
  };

  it('passes the first on at once, and the others together a second later', () => {
    const { add, pass, flushed } = bench();
    add(['a']);
    add(['a', 'b']);
    pass(500);
    add(['b', 'c']);
    expect(flushed).toEqual([['a']]);
    pass(500);
    expect(flushed).toEqual([['a'], ['a', 'b', 'c']]);
    pass(1000);
    add(['d']);
    expect(flushed).toHaveLength(3);
  });

  it('passes nothing on that is nothing, nor anything after its end', () => {
    const { add, stop, pass, flushed } = bench();
    add([]);
    add(['a']);
    add(['b']);
    stop();
    pass(2000);
    expect(flushed).toEqual([['a']]);
  });
});

describe('touchedBy', () => {
  it('knows what an event makes old', () => {
    expect(touchedBy({ event: 'request_started' })).toContain('overview');
    expect(touchedBy({ event: 'request_ended', outcome: 'ok' })).not.toContain('failures');
    expect(touchedBy({ event: 'request_ended', outcome: 'overloaded' })).toContain('failures');
    expect(touchedBy({ event: 'of_tomorrow' })).toEqual([]);
  });
});

describe('readEvents', () => {
  it('reads events however they are cut', async () => {
    const text = 'event: a\ndata: {"n":1}\n\n: ping\n\ndata: [DONE\ndata:{"n":"ä"}\n\ndata: {"n":3}';
    const bytes = new TextEncoder().encode(text);
    for (const size of [1, 3, 7, bytes.length]) {
      const body = new ReadableStream<Uint8Array<ArrayBuffer>>({
        start(controller) {
          for (let at = 0; at < bytes.length; at += size) controller.enqueue(bytes.slice(at, at + size));
          controller.close();
        },
      });
      const read: unknown[] = [];
      for await (const event of readEvents<unknown>(body)) read.push(event);
      expect(read).toEqual([{ n: 1 }, { n: 'ä' }, { n: 3 }]);
    }
  });
});

it('goes by the gateway’s clock where the own one is off', () => {
  noteGatewayTime('Mon, 30 Nov 2026 19:00:00 GMT', Date.UTC(2026, 10, 30, 18, 50, 0));
  expect(gatewayNow(0)).toBe(600_000);
  noteGatewayTime('Mon, 30 Nov 2026 19:00:00 GMT', Date.UTC(2026, 10, 30, 19, 0, 1));
  expect(gatewayNow(0)).toBe(0);
  noteGatewayTime(null);
  noteGatewayTime('no time');
  expect(gatewayNow(0)).toBe(0);
});
