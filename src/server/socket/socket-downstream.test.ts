import { describe, expect, it } from 'vitest';
import { decodeUtf8, encodeUtf8 } from '../../protocol/json/index.ts';
import { createSocketDownstream } from './socket-downstream.ts';
import type { SocketWriter } from './socket-writer.ts';

function open(streamId: string | null = null) {
  const sent: string[] = [];
  const told: string[] = [];
  const state = { isFull: false, isOpen: true, isCut: false };
  const writer: SocketWriter = {
    send: (message) => void sent.push(decodeUtf8(message)),
    ping: () => void sent.push('ping'),
    get isFull() {
      return state.isFull;
    },
    get isOpen() {
      return state.isOpen;
    },
    queued: () => 0,
    taken: () => 0,
    onEmpty: () => {},
  };
  const cut = (): void => {
    state.isCut = true;
  };
  const socket = createSocketDownstream(writer, { streamId, ownHeaders: { 'x-request-id': 'req_1' }, cut });
  socket.downstream.listen({ onDrain: () => told.push('drain'), onClose: () => told.push('close') });
  const write = (text: string): boolean => socket.downstream.write(encodeUtf8(text));
  return { ...socket, socket, state, sent, told, write };
}

describe('a stream over a WebSocket', () => {
  it('is one message for each event, whatever the bytes were cut into', () => {
    const { downstream, sent, write } = open();
    downstream.head(200, { 'content-type': 'text/event-stream' });
    write(': understudy target=a attempts=1\n\n');
    write('event: x\ndata: {"type":"x","a":1}\n\nevent: y\r\ndata: {"type":"y",\r\ndata: "b":2}\r\n\r\n');
    write('event: half\ndata: {"type":"ha');
    write('lf"}\n\ndata: [DONE]\n\n');
    write('event: named\ndata: {"n":1}\n\n');
    downstream.end(encodeUtf8('event: z\ndata: {"type":"z"}\n\n'));
    downstream.end(encodeUtf8('event: z\ndata: {"type":"again"}\n\n'));
    expect(sent[0]).toBe('ping');
    expect(sent.slice(1).map((text) => JSON.parse(text))).toEqual([
      { type: 'x', a: 1 },
      { type: 'y', b: 2 },
      { type: 'half' },
      { n: 1, type: 'named' },
      { type: 'z' },
    ]);
  });

  it('names each message with the lane of its request', () => {
    const { sent, write } = open('a"b');
    write('data: {"type":"x"}\n\n');
    expect(sent).toEqual(['{"stream_id":"a\\"b","type":"x"}']);
  });

  it('tells a status that is no success in a message', () => {
    const { downstream, sent } = open('s');
    downstream.head(429, { 'content-type': 'application/json', 'retry-after': '2' });
    downstream.end(encodeUtf8('{"error":{"message":"wait","code":null}}'));
    expect(sent.map((text) => JSON.parse(text))).toEqual([
      {
        stream_id: 's',
        type: 'error',
        status: 429,
        error: { message: 'wait', code: null },
        headers: { 'retry-after': '2', 'x-request-id': 'req_1' },
      },
    ]);
  });

  it('says when the client can not keep up, and when it can again', () => {
    const { socket, state, told, write } = open();
    expect(write('data: {"type":"x"}\n\n')).toBe(true);
    socket.onEmpty();
    expect(told).toEqual([]);
    state.isFull = true;
    expect(write('data: {"type":"x"}\n\n')).toBe(false);
    socket.onEmpty();
    socket.onEmpty();
    expect(told).toEqual(['drain']);
  });

  it('tells of a client that left, unless it had its end', () => {
    const left = open();
    left.socket.onClose();
    expect(left.told).toEqual(['close']);
    const done = open();
    done.downstream.end();
    done.socket.onClose();
    expect(done.told).toEqual([]);
    const gone = open();
    gone.downstream.destroy();
    expect(gone.state.isCut).toBe(true);
  });
});
