import type { TransportError } from '../../core/failure/signal.ts';
import type { Headers, Protocol } from '../../core/model/protocol.ts';

/**
 * Everything that a simulated world is made of, as data: it can be drawn from a seed, written down, cut down and played
 * again. Two runs of one scenario give the same trace, byte for byte. Moments are milliseconds from the beginning of the
 * world, durations milliseconds.
 */
export type Scenario = {
  /** Of all chance that is left: shares, jitter, random arrivals, how bytes are cut. */
  readonly seed: number;
  /** `understudy.yaml` as data; null: the configuration that the caller runs it with. */
  readonly config: Readonly<Record<string, unknown>> | null;
  /** Nobody asks any more from here on; the world goes on until it is quiet. */
  readonly forMs: number;
  readonly asks: readonly AskRow[];
  /** What providers do. The first row that applies to a send, at its moment, decides; without one: a good answer. */
  readonly providers: readonly ProviderRow[];
  /** Limits that providers keep for an account, before any row. */
  readonly accounts: readonly AccountRow[];
  readonly acts: readonly OperatorAct[];
  readonly stores: readonly StoreFault[];
};

export type Span = {
  readonly fromMs: number;
  /** Null: to the end. */
  readonly untilMs: number | null;
};

/** Who asks, when, for what. */
export type AskRow = Span & {
  /** A virtual model, an alias, or `provider/model`. */
  readonly model: string;
  readonly protocol: Protocol;
  /** Requests a second; null: all `count` at once. */
  readonly perSecond: number | null;
  /** Most requests of this row; null: as many as the span and rate give. */
  readonly count: number | null;
  /** At even distances, or as a Poisson process. */
  readonly arrival: 'even' | 'random';
  readonly shape: AskShape;
  readonly client: ClientManner;
};

/** What a request looks like. Absent members: the plainest. */
export type AskShape = {
  /** Absent: true. */
  readonly stream?: boolean;
  /** Bytes of the last user message; absent: a few. */
  readonly bytes?: number;
  /** Turns of the conversation so far, from 0. */
  readonly turns?: number;
  /** Tools are offered. */
  readonly tools?: boolean;
  /** The last message is a tool's result. */
  readonly endsWithToolResult?: boolean;
  /** It runs something outside the model (an MCP tool), so that it must not be sent twice blindly. */
  readonly unsafe?: boolean;
  /** Reasoning of an issuer that may not be the one that is asked now (signature, encrypted content). */
  readonly foreignState?: boolean;
  readonly maxOutputTokens?: number;
  /** Chat: the client itself asked for usage. */
  readonly asksUsage?: boolean;
  /** Name of the client's key. */
  readonly key?: string;
  /** Ties requests together for affinity. */
  readonly session?: string;
  /** `x-understudy-failover: off` is false. */
  readonly failover?: boolean;
  /** `x-understudy-timeout`. */
  readonly timeoutMs?: number;
};

/** How the client behaves. Absent members: it reads at once, stays, and never asks again. */
export type ClientManner = {
  /** As which client it asks again after a failure (clients.md, section 3). */
  readonly retries?: 'codex' | 'claude-code' | 'opencode' | 'openai-sdk';
  /** Leaves so long after its request. */
  readonly leavesAfterMs?: number;
  /** Leaves as soon as it has seen so many words. */
  readonly leavesAfterWords?: number;
  /** Bytes that fit between gateway and client. */
  readonly windowBytes?: number;
  /** How long it takes to read a full window; null: for ever. */
  readonly drainMs?: number | null;
};

export type ProviderRow = Span & {
  /** Glob over `provider/model#credential`; a name without `#` means every credential. */
  readonly routes: string;
  /** Of the sends to which the row could apply, those from the n-th to the m-th (from 0, m excluded); absent: all. */
  readonly sends?: { readonly from: number; readonly to: number | null };
  /** Of those, this share (0 to 1), by the seed; absent: all. */
  readonly share?: number;
  /** On and off in turns, from `fromMs` on; absent: on. */
  readonly flap?: { readonly onMs: number; readonly offMs: number };
  readonly does: Behaviour;
};

/** Where in an answer a fault strikes. A number: behind so many words. */
export type FaultPlace = 'head' | 'before_output' | 'in_tool' | 'behind_tool' | 'before_end' | 'behind_end' | number;

/**
 * What goes wrong inside an answer.
 *
 * - `close`: the connection ends before the body does. - `reset`: the same, by force. - `end`: the body ends as HTTP wants
 *   it, without the protocol's own end. - `stall`: silence. - `error`: an error event. - `damaged`: a data frame that breaks
 *   off, the rest follows. - `half`: a frame that breaks off, and the connection with it. - `noise`: data that is no JSON
 *   object. - `html`: a web page in the middle. - `flood`: comments without end. - `huge`: a frame of several megabytes.
 *   - `repeat`: the last frame once more. - `unterminated`: goes on, but the end mark is left out (`[DONE]`,
 *   `message_stop`, `response.completed`).
 */
export type Fault =
  | 'close'
  | 'reset'
  | 'end'
  | 'stall'
  | 'error'
  | 'damaged'
  | 'half'
  | 'noise'
  | 'html'
  | 'flood'
  | 'huge'
  | 'repeat'
  | 'unterminated';

/** What a provider does with one request. Absent members: it answers well and at once. */
export type Behaviour = {
  /** Until the socket is connected; null: never. */
  readonly connectMs?: number | null;
  /** Fails in place of connecting. */
  readonly refuses?: TransportError;
  /** The socket had served before, and a failure before any byte means that it was stale. */
  readonly reused?: boolean;
  /** From the request to the head; null: never. */
  readonly headMs?: number | null;
  /** Null: the connection ends without a head. Absent: 200. */
  readonly status?: number | null;
  readonly headers?: Headers;
  /** Told in `retry-after`, in seconds, rounded up. */
  readonly retryAfterMs?: number;
  /** An error body in the protocol's form, whatever the status. */
  readonly error?: {
    readonly code?: string;
    readonly type?: string;
    readonly param?: string;
    readonly message?: string;
  };
  /** The body is no answer at all. */
  readonly body?: 'html' | 'text' | 'empty' | 'damaged' | 'list';
  /** Visible words, each with the mark of its send; absent: 8. */
  readonly words?: number;
  /** Words of reasoning before them. */
  readonly reasoning?: number;
  /** Tool calls behind them. */
  readonly tools?: number;
  /** Their pieces are mixed (Chat, Responses). */
  readonly parallel?: boolean;
  readonly firstWordMs?: number;
  /** Between words. */
  readonly wordMs?: number;
  /** Comments or pings before the first word, at distances of `firstWordMs` / (n + 1). */
  readonly pings?: number;
  readonly finish?: 'stop' | 'length' | 'filter';
  /** Usage is reported; absent: true. */
  readonly usage?: boolean;
  /** A streamed answer to a request for JSON, or the other way round. */
  readonly otherShape?: boolean;
  readonly fault?: { readonly kind: Fault; readonly at: FaultPlace; readonly code?: string };
  /** How bytes are cut into reads; absent: a read per frame. */
  readonly reads?: 'frames' | 'merged' | 'bytes' | 'random';
  /** Reads that still arrive after a pause, since they were under way. */
  readonly readAhead?: number;
  /** Puts the gateway's own key, and the client's words, into its error message. */
  readonly echoes?: boolean;
  /** Goes on over a connection that the gateway has closed: nothing; kept for scripts that want the end of a body late. */
  readonly endMs?: number;
};

/** What an account (a credential of a provider) may do; what is above it is refused with 429 and a told delay. */
export type AccountRow = {
  /** Glob over `provider/credential`. */
  readonly account: string;
  /** For each model on its own; else for the account as a whole. */
  readonly perModel: boolean;
  /** Refills evenly: requests a minute, and how many may come at once. */
  readonly perMinute: number | null;
  readonly burst: number;
  /** Requests under way at once; null: any number. */
  readonly concurrency: number | null;
  /** Requests until the money is gone (402); null: never. */
  readonly total: number | null;
  /** The delay is told. */
  readonly tells: boolean;
};

export type OperatorAct =
  | { readonly atMs: number; readonly does: 'disable' | 'enable' | 'reset'; readonly id: string }
  | { readonly atMs: number; readonly does: 'drain' };

/** Ports that fail: `ledger` refuses facts (throws), `health` refuses what it is told, `claims` answers late or never. */
export type StoreFault = Span & {
  readonly port: 'ledger' | 'health' | 'claims' | 'telemetry';
  readonly how: 'throws' | 'late' | 'never';
  /** Of `late`. */
  readonly ms?: number;
};
