import { describe, expect, it } from 'vitest';
import { createEngineBench } from '../../test/kit/engine-bench.ts';
import { fails } from '../../test/kit/plays.ts';
import { messagesCount } from '../protocol/anthropic-messages/index.ts';

const TARGETS = ['a', 'b'].map((id) => ({ id, protocol: 'anthropic-messages' }) as const);
const SETTINGS = { timeouts: { wholeMs: 10_000, commitMs: 15_000 } };

function count(more: Partial<Parameters<typeof createEngineBench>[0]> = {}) {
  return createEngineBench({ targets: TARGETS, settings: SETTINGS, codec: messagesCount, ...more });
}

describe('an answer of our own', () => {
  it('comes behind the last silent target, or at the limit of the request', async () => {
    const bench = count();
    bench.playEach(() => ({ end: 'hang' }));
    const asked = bench.ask({ stream: false });
    await bench.pass(14_999);
    expect(asked.isDone).toBe(false);
    await bench.pass(2);
    expect(asked.outcomes).toEqual(['timeout_whole', 'timeout_commit']);
    expect(asked.outcome).toBe('ok');
    expect(asked.client.status).toBe(200);
    expect(asked.ledger.ended).toMatchObject({ status: 200, servedBy: null, reason: 'estimated', component: null });
    expect(asked.ledger.committed).toBeNull();
    await bench.quiet();
  });

  it('stands in for nobody whose word is about the request', async () => {
    const bench = count();
    bench.play('a', fails(400, { type: 'invalid_request_error', message: 'no' }));
    const asked = await bench.run({ stream: false });
    expect([asked.client.status, asked.outcome]).toEqual([400, 'bad_request']);
  });

  it('is no part of what comes to a client when the gateway goes down', async () => {
    const bench = count();
    bench.playEach(() => ({ end: 'hang' }));
    const asked = bench.ask({ stream: false });
    await bench.pass(100);
    bench.engine.abandonAll();
    await bench.quiet();
    expect(asked.outcome).toBe('abandoned');
  });
});
