import { setTimeout as sleep } from 'node:timers/promises';
import { afterEach, beforeEach } from 'vitest';
import type { HttpClient, HttpExchange, HttpRequest } from '../../src/port/http-client.ts';
import { createFakeProvider, type FakeProvider, type ScriptedAnswer } from './fake-provider.ts';
import { createRecordingHandler, type RecordedEvent, type RecordingHandler } from './recording-handler.ts';

export type Sent = { readonly handler: RecordingHandler; readonly exchange: HttpExchange };

export type HttpBench = {
  readonly provider: FakeProvider;
  readonly client: HttpClient;
  readonly send: (
    change?: Partial<HttpRequest>,
    react?: (event: RecordedEvent, handler: RecordingHandler) => void,
  ) => Sent;
  /** Plays one answer to one request, to its end. */
  readonly run: (answer: ScriptedAnswer, change?: Partial<HttpRequest>) => Promise<RecordingHandler>;
  /** Long enough for anything that is still on its way over loopback. */
  readonly settle: () => Promise<void>;
};

/** A client and a fake provider, new for each test of the `describe` in which it is called. */
export function useHttpBench(create: () => HttpClient): HttpBench {
  let provider: FakeProvider;
  let client: HttpClient;
  beforeEach(async () => {
    provider = await createFakeProvider();
    client = create();
  });
  afterEach(async () => {
    await client.close();
    await provider.close();
  });
  const bench: HttpBench = {
    get provider() {
      return provider;
    },
    get client() {
      return client;
    },
    send(change = {}, react) {
      const handler = createRecordingHandler(react);
      return { handler, exchange: client.send({ ...requestTo(provider.origin), ...change }, handler) };
    },
    async run(answer, change) {
      provider.play(answer);
      const { handler } = bench.send(change);
      await handler.over;
      return handler;
    },
    settle: () => sleep(60),
  };
  return bench;
}

function requestTo(origin: string): HttpRequest {
  return {
    origin,
    path: '/v1/chat/completions',
    method: 'POST',
    headers: { 'content-type': 'application/json', authorization: 'Bearer k' },
    body: [Buffer.from('{"a":'), Buffer.from('1}')],
    connectTimeoutMs: 2_000,
    freshSocket: false,
  };
}
