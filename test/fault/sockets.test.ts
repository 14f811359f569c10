import dns from 'node:dns';
import { syncBuiltinESMExports } from 'node:module';
import tls from 'node:tls';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { createSelfSigned } from '../kit/self-signed.ts';
import { SPOKEN } from '../kit/wire-scripts.ts';
import type { BenchOptions } from './socket-bench.ts';
import { openSocketBench, streamAnswer, WORDS } from './socket-bench.ts';
import { askFate, createHangUp, FAULTS, runCuts, runFault, runStalls } from './socket-faults.ts';
import { runFlood } from './socket-flood.ts';

const SOUND = expect.objectContaining({ ok: true, breaches: [] });

describe.each(SPOKEN)('%s, with a fault on the wire', (protocol) => {
  it.concurrent.each(FAULTS)('$name: $view', async (fault) => {
    const { view, attempts, sends, outcome, reconcile } = await runFault(fault, protocol);
    const isTold = fault.view === 'told';
    expect({ view, attempts, outcome, sends: sends[0] }).toEqual({
      view: fault.view,
      attempts: fault.attempts,
      outcome: isTold ? 'interrupted' : 'ok',
      sends: fault.sends,
    });
    expect(sends[1]).toBe(fault.view === 'whole, good' ? 1 : 0);
    expect(reconcile).toEqual(SOUND);
  });

  it.each(['close', 'reset'] as const)('cut at every event and at bytes between them, by %s', async (end) => {
    const { problems, views } = await runCuts(protocol, end, 67);
    expect(problems).toEqual([]);
    expect(views.get('whole, good')).toBeGreaterThan(3);
    expect([...views.values()].reduce((sum, count) => sum + count)).toBeGreaterThan(15);
  });

  it('silence behind every event', async () => {
    const { problems, views } = await runStalls(protocol);
    expect(problems).toEqual([]);
    expect(views[0]).toBe('whole, good');
    expect(views).toContain('told');
    expect(views.at(-1)).toBe('whole, bad');
  });
});

const MIB = 1024 * 1024;

describe.each(SPOKEN)('%s, flooded', (protocol) => {
  it.concurrent('waits for a client that reads a byte a second: bounded, and no clock runs', async () => {
    const { taken, grown, isOpen, record, sends } = await runFlood(protocol, 2);
    // What the kernel keeps for both connections, and a megabyte of ours.
    expect(taken).toBeLessThan(24 * MIB);
    expect(grown).toBeLessThan(128 * MIB);
    expect(isOpen).toBe(true);
    expect({ record, sends }).toEqual({
      record: { outcome: 'client_closed', attempts: ['bad client_closed'] },
      sends: 1,
    });
  });
});

const lookup = dns.lookup;

/** Names of this test lead to this machine, as an attacker's name server would have it. */
beforeAll(() => {
  const told = (name: string, ...rest: unknown[]): void => {
    const done = rest.at(-1) as (error: null, found: unknown, family?: number) => void;
    if (!name.endsWith('.test')) Reflect.apply(lookup, dns, [name, ...rest]);
    else if ((rest[0] as { all?: boolean }).all) done(null, [{ address: '127.0.0.1', family: 4 }]);
    else done(null, '127.0.0.1', 4);
  };
  Object.assign(dns, { lookup: told });
  syncBuiltinESMExports();
});

afterAll(() => {
  Object.assign(dns, { lookup });
  syncBuiltinESMExports();
});

/** A provider that is there, under an address that makes the difference. */
async function askUnder(addressOf: (port: number) => string, options: BenchOptions & { readonly port?: number } = {}) {
  const first = await openSocketBench(options);
  const bench = await openSocketBench({ ...options, badUrl: addressOf(options.port ?? first.bad.port) });
  try {
    const fates = [];
    for (const protocol of SPOKEN) {
      first.bad.play(streamAnswer(protocol, WORDS.bad));
      bench.good.play(streamAnswer(protocol, WORDS.good));
      const { view, attempts } = await askFate(bench, protocol);
      fates.push(`${view}: ${attempts.join(', ')}`);
    }
    return { fates: [...new Set(fates)], arrived: first.bad.requests.length };
  } finally {
    await Promise.all([first.close(), bench.close()]);
  }
}

const ELSEWHERE = { fates: ['whole, good: bad connect_error, good ok'], arrived: 0 };

describe('a name that leads to a private address', () => {
  it('is not asked', async () => {
    expect(await askUnder((port) => `http://inside.test:${port}`)).toEqual(ELSEWHERE);
  });

  it('is asked where the provider says that this is meant', async () => {
    const asked = await askUnder((port) => `http://inside.test:${port}`, { badKeys: ', allowPrivateNetwork: true' });
    expect(asked).toEqual({ fates: ['whole, bad: bad ok'], arrived: SPOKEN.length });
  });
});

describe('TLS', () => {
  const cert = createSelfSigned();

  it.skipIf(cert === null)('a certificate that nobody has signed', async () => {
    const certified = { tls: cert as NonNullable<typeof cert> };
    expect(await askUnder((port) => `https://127.0.0.1:${port}`, certified)).toEqual(ELSEWHERE);
  });

  it.skipIf(cert === null)('one of another host, and the right one', async () => {
    const certified = { tls: cert as NonNullable<typeof cert>, badKeys: ', allowPrivateNetwork: true' };
    const before = tls.getCACertificates('default');
    tls.setDefaultCACertificates([...before, certified.tls.cert]);
    try {
      expect(await askUnder((port) => `https://inside.test:${port}`, certified)).toEqual(ELSEWHERE);
      const right = await askUnder((port) => `https://localhost:${port}`, certified);
      expect(right).toEqual({ fates: ['whole, bad: bad ok'], arrived: SPOKEN.length });
    } finally {
      tls.setDefaultCACertificates(before);
    }
  });

  it('plain HTTP where TLS is wanted', async () => {
    const plain = await createHangUp('HTTP/1.1 400 Bad Request\r\nconnection: close\r\n\r\n');
    expect(await askUnder((port) => `https://127.0.0.1:${port}`, { port: plain.port })).toEqual(ELSEWHERE);
    await plain.close();
  });

  it.skipIf(cert === null)('TLS where plain HTTP is wanted', async () => {
    const certified = { tls: cert as NonNullable<typeof cert> };
    const asked = await askUnder((port) => `http://127.0.0.1:${port}`, certified);
    expect(asked).toEqual({ fates: [expect.stringMatching(/^whole, good: bad \w+, good ok$/)], arrived: 0 });
  });

  it('a handshake that is cut', async () => {
    const hangUp = await createHangUp();
    expect(await askUnder((port) => `https://127.0.0.1:${port}`, { port: hangUp.port })).toEqual(ELSEWHERE);
    await hangUp.close();
  });
});
