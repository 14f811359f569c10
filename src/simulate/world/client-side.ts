import { resolveModel } from '../../config/resolve.ts';
import type { RuntimeConfig } from '../../config/runtime.ts';
import type { RequestLedger } from '../../core/attempt/ledger.ts';
import type { Headers } from '../../core/model/protocol.ts';
import type { Call, Engine, EngineSettings } from '../../engine/index.ts';
import { CODECS } from '../../protocol/index.ts';
import type { Ask } from '../client/ask.ts';
import { askOf } from '../client/ask-of.ts';
import { decodeAsk } from '../client/decode-ask.ts';
import { readView } from '../client/read-view.ts';
import { repeatAsk, retryOf } from '../client/retry-of.ts';
import type { ClientView } from '../client/view.ts';
import type { AskRow, ClientManner } from '../scenario/scenario.ts';
import type { Books } from './books.ts';
import type { Chance } from './chance.ts';
import type { SimulatedRequest } from './run.ts';
import { type ClientScript, createSimulatedClient } from './simulated-client.ts';
import type { VirtualClock } from './virtual-clock.ts';

type Entry = SimulatedRequest & { readonly wasServed: () => void };

export type ClientSide = {
  /** A first try of this row. */
  ask(row: AskRow, n: number): void;
  readonly requests: readonly SimulatedRequest[];
  /** Nobody asks again. */
  stop(): void;
};

export type ClientSideParts = {
  readonly clock: VirtualClock;
  readonly chance: Chance;
  readonly config: RuntimeConfig;
  readonly settings: EngineSettings;
  readonly engine: Pick<Engine, 'serve'>;
  readonly books: Books;
};

/** The id of the n-th request of a world, from 1, in the order in which they are asked. */
export const requestId = (n: number): string => `req_${String(n).padStart(7, '0')}`;

/** Everybody who asks the gateway: sends requests, reads answers, and asks again as real clients do. */
export function createClientSide(parts: ClientSideParts): ClientSide {
  const { clock, chance, engine, books } = parts;
  const requests: Entry[] = [];
  let asked = 0;
  let isStopped = false;

  const send = (ask: Ask, first: SimulatedRequest | null, tries: number): void => {
    if (isStopped) return;
    const id = requestId(requests.length + 1);
    const client = createSimulatedClient(clock, scriptOf(ask.row.client));
    const entry = createEntry({ id, at: clock.now(), ask, client, books, retryOf: first?.id ?? null });
    requests.push(entry);
    const call = callOf(entry, parts, first !== null);
    if (call === null) throw new Error(`the scenario asks for ${JSON.stringify(ask.model)}, which nobody serves`);
    void engine.serve(call, client).then(() => {
      entry.wasServed();
      client.stop();
      repeat(entry, first ?? entry, tries);
    });
  };
  const repeat = (entry: Entry, first: SimulatedRequest, tries: number): void => {
    const { retries } = entry.ask.row.client;
    if (retries === undefined || entry.client.isClosed) return;
    const view = entry.view();
    const delayMs = retryOf(retries, view, tries);
    if (delayMs === null) return;
    // A client that has turned to JSON stays with it, so that the next try is made of this one.
    const next = repeatAsk(entry.ask, view, tries);
    clock.setTimer(delayMs, () => send(next, first, tries + 1));
  };

  return {
    requests,
    ask: (row, n) => send(askOf(row, n, chance.split(`ask ${asked++}`)), null, 1),
    stop() {
      isStopped = true;
    },
  };
}

type EntryParts = Pick<SimulatedRequest, 'id' | 'at' | 'ask' | 'client' | 'retryOf'> & { readonly books: Books };

function createEntry({ id, at, ask, client, retryOf, books }: EntryParts): Entry {
  let view: ClientView | null = null;
  let servedAt: number | null = null;
  return {
    id,
    at,
    ask,
    client,
    retryOf,
    get facts() {
      return books.of(id).facts;
    },
    get ledger(): RequestLedger {
      const { ledger } = books.of(id);
      if (ledger === null) throw new Error(`${id} has no fact at all`);
      return ledger;
    },
    get servedAt() {
      return servedAt;
    },
    view() {
      view ??= readView(ask.protocol, ask.stream, client);
      return view;
    },
    wasServed() {
      servedAt = client.endedAt ?? at;
    },
  };
}

/** Words are known by their marks, `<send.word>`. */
const MARK = /<\d+\.\d+>/g;

function scriptOf({ leavesAfterMs, leavesAfterWords, windowBytes, drainMs }: ClientManner): ClientScript {
  return {
    ...(leavesAfterMs === undefined ? {} : { leaveMs: leavesAfterMs }),
    ...(windowBytes === undefined ? {} : { window: windowBytes }),
    ...(drainMs === undefined ? {} : { drainMs }),
    ...(leavesAfterWords === undefined ? {} : { leaveWhen: hasWords(leavesAfterWords) }),
  };
}

function hasWords(most: number): (bytes: Uint8Array) => boolean {
  const decoder = new TextDecoder();
  let seen = 0;
  return (bytes) => {
    seen += decoder.decode(bytes, { stream: true }).match(MARK)?.length ?? 0;
    return seen >= most;
  };
}

/** What the server makes of a request before the engine sees it. Null: there is no such model. */
function callOf(
  { id, at, ask }: SimulatedRequest,
  { config, settings }: ClientSideParts,
  isClientRetry: boolean,
): Call | null {
  const codec = CODECS.get(ask.protocol);
  const model = resolveModel(config, ask.model);
  if (codec === undefined || model === undefined) return null;
  const decoded = decodeAsk(ask);
  if (!decoded.ok) throw new Error(`a simulated client sent what no client may: ${decoded.problem.message}`);
  return {
    id,
    receivedAt: at,
    settings,
    codec,
    // The engine empties its own at the commit; who checks the run asks for this one again.
    request: { ...decoded.request },
    model,
    asked: ask.model,
    key: ask.key,
    forward: forwardOf(ask.headers),
    options: { failover: ask.failover, timeoutMs: ask.timeoutMs },
    clientRequestId: null,
    turn: ask.row.client.retries === undefined ? null : ask.turn,
    isClientRetry,
    manner: ask.row.client.retries === 'codex' ? 'codex' : null,
  };
}

/** Of the headers that may go on to a provider, those that simulated clients send. */
function forwardOf(headers: Headers): Headers {
  const beta = headers['anthropic-beta'];
  return beta === undefined ? {} : { 'anthropic-beta': beta };
}
