import { EventEmitter } from 'node:events';
import { describe, expect, it } from 'vitest';
import type { WebSocket } from 'ws';
import { createVirtualClock } from '../../../test/kit/virtual-clock.ts';
import type { SocketWriter } from './socket-writer.ts';
import { PING_EVERY_MS, watchPeer } from './watch-peer.ts';

function open() {
  const clock = createVirtualClock();
  const state = { isCut: false, pings: 0, taken: 0 };
  const terminate = (): void => {
    state.isCut = true;
  };
  const ws = Object.assign(new EventEmitter(), { terminate });
  const writer = { taken: () => state.taken, ping: () => void state.pings++ } as unknown as SocketWriter;
  const watch = watchPeer(ws as unknown as WebSocket, writer, clock);
  return { clock, ws, state, watch };
}

describe('watchPeer', () => {
  it('cuts a client that is gone without a word', () => {
    const { clock, state } = open();
    clock.advance(2 * PING_EVERY_MS - 1);
    expect(state).toMatchObject({ isCut: false, pings: 1 });
    clock.advance(1);
    expect(state.isCut).toBe(true);
  });

  it.each(['pong', 'ping', 'message'])('leaves one alone that shows life by a %s', (sign) => {
    const { clock, ws, state } = open();
    for (let i = 0; i < 5; i++) {
      clock.advance(PING_EVERY_MS);
      ws.emit(sign);
    }
    expect(state).toMatchObject({ isCut: false, pings: 5 });
  });

  it('leaves one alone that still reads: its answer to the ping comes behind that', () => {
    const { clock, state } = open();
    for (let i = 0; i < 5; i++) {
      state.taken += 1;
      clock.advance(PING_EVERY_MS);
    }
    expect(state.isCut).toBe(false);
  });

  it('asks nobody any more once it is stopped', () => {
    const { clock, state, watch } = open();
    watch.stop();
    clock.advance(5 * PING_EVERY_MS);
    expect(state).toMatchObject({ isCut: false, pings: 0 });
  });
});
