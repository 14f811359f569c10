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

  it('answers early, and then for good: the second is the answer', () => {
    const { handler, exchange } = start();
    const made = as(controller());
    exchange.onRequestStart(made);
    exchange.onResponseStart(made, 103, { link: '</x>' });
    exchange.onResponseStart(made, 200, { 'content-length': '0' });
    exchange.onResponseEnd();
    expect([handler.events, handler.status]).toEqual([['sent', 'head', 'end'], 200]);
  });

  const connection = (isReused: boolean, socketError: Error | null) =>
    ({ beginRequest: () => isReused, socketError, cancelConnect() {} }) as unknown as Parameters<
      Exchange['onAssigned']
    >[0];
  const RESET = Object.assign(new Error('reset'), { code: 'ECONNRESET' });

  it.each([
    ['a reset', RESET, {}, 'failure'],
    ['nothing', null, {}, 'end'],
    ['a reset behind a length', RESET, { 'content-length': '1' }, 'end'],
  ] as const)('takes the end of a connection for that of a body: broken by %s', (_name, error, headers, last) => {
    const { handler, exchange } = start();
    const made = as(controller());
    exchange.onAssigned(connection(false, error));
    exchange.onRequestStart(made);
    exchange.onResponseStart(made, 200, headers);
    exchange.onResponseData(made, Buffer.from('a'));
    exchange.onResponseEnd();
    expect(handler.events.at(-1)).toBe(last);
  });

  it.each([true, false])('loses a connection: whether it had served before is told (%s)', (isReused) => {
    const { handler, exchange } = start();
    exchange.onAssigned(connection(isReused, null));
    exchange.onRequestStart(as(controller()));
    exchange.onResponseError(null, RESET);
    expect(handler.failure).toMatchObject({ error: 'reset', reusedSocket: isReused });
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
