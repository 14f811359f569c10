import { describe, expect, it } from 'vitest';
import { createRecordingHandler } from '../../../test/kit/recording-handler.ts';
import { Exchange } from './exchange.ts';

describe('a library that misbehaves', () => {
  const controller = () => ({
    aborted: 0,
    paused: false,
    reason: null,
    abort() {
      this.aborted += 1;
    },
    pause() {},
    resume() {},
  });
  const start = () => {
    const handler = createRecordingHandler();
    let over = 0;
    const exchange = new Exchange(handler, () => {
      over += 1;
    });
    return { handler, exchange, overs: () => over };
  };
  type Controller = Parameters<Exchange['onRequestStart']>[0];
  const as = (made: ReturnType<typeof controller>) => made as unknown as Controller;

  it('sends twice: the second is stopped, and the exchange fails', () => {
    const { handler, exchange, overs } = start();
    const [first, second] = [controller(), controller()];
    exchange.onRequestStart(as(first));
    exchange.onRequestStart(as(second));
    expect(second.aborted).toBe(1);
    expect(handler.events).toEqual(['sent', 'failure']);
    expect(handler.failure?.error).toBe('closed');
    expect(overs()).toBe(1);
  });

  it('ends, fails and answers twice: each is told once', () => {
    const { handler, exchange, overs } = start();
    const made = as(controller());
    exchange.onRequestStart(made);
    exchange.onResponseStart(made, 200, {});
    exchange.onResponseStart(made, 500, {});
    exchange.onResponseData(made, Buffer.from('a'));
    exchange.onResponseEnd();
    exchange.onResponseEnd();
    exchange.onResponseData(made, Buffer.from('b'));
    exchange.onResponseError(made, new Error('late'));
    expect(handler.events).toEqual(['sent', 'head', 'data', 'end']);
    expect(overs()).toBe(1);
  });

  it('calls behind an abort: nothing is told, and a late start is stopped', () => {
    const { handler, exchange } = start();
    exchange.abort();
    const late = controller();
    exchange.onRequestStart(as(late));
    exchange.onResponseStart(as(late), 200, {});
    exchange.onResponseEnd();
    exchange.onResponseError(null, new Error('aborted'));
    expect(late.aborted).toBe(1);
    expect(handler.events).toEqual([]);
  });
});
