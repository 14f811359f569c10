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
  /** Responses: a tool that takes plain text is offered as well, under the name of the first tool that providers call. */
  readonly textTool?: boolean;
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
  /** Of the sends of one route to which the row could apply, those from the n-th to the m-th (from 0, m excluded); absent: all. */
  readonly sends?: { readonly from: number; readonly to: number | null };
  /** Of those, this share (0 to 1), by the seed; absent: all. */
  readonly share?: number;
  /** On and off in turns, from `fromMs` on; absent: on. */
  readonly flap?: { readonly onMs: number; readonly offMs: number };
  readonly does: Behaviour;
};

/**
 * Where in an answer a fault strikes. A number: behind so many words, or behind the last one.
 *
 * - `head`: behind the head, before any byte. - `before_output`: behind all that says nothing. - `in_tool`: in the middle
 *   of the arguments of the first tool call. - `behind_tool`: behind the frame that completes the last one (Chat: that
 *   with the finish reason). - `before_end`: before the frames that end the answer. - `behind_finish`: behind the one that
 *   says how it ended, before the end mark. - `behind_end`: behind all of it.
 *
 * Without a tool call `in_tool` and `behind_tool` are behind the last word. A JSON answer is cut where these parts stand
 * in its text.
 */
export type FaultPlace =
  | 'head'
  | 'before_output'
  | 'in_tool'
  | 'behind_tool'
  | 'before_end'
  | 'behind_finish'
  | 'behind_end'
  | number;

/**
 * What goes wrong inside an answer.
 *
 * - `close`: the connection ends before the body does. - `reset`: the same, by force. - `bad_encoding`, `bad_http`: the
 *   same, since the body's coding or framing breaks. - `end`: the body ends as HTTP wants it, without the protocol's own
 *   end. - `stall`: silence. - `error`: an error event, and the body ends; in JSON an error in place of the answer.
 *   - `damaged`: a data frame breaks off, the rest follows; JSON breaks off. - `half`: a frame that breaks off, and the
 *   connection with it. - `noise`: data that is no JSON object; in JSON blank lines before it. - `html`: a web page, and
 *   the body ends. - `flood`: comments without end (for an hour); in JSON blank lines. - `huge`: a frame of several
 *   megabytes that says nothing; in JSON a member. - `repeat`: the last frame that says something by itself once more; the
 *   JSON text twice. - `unterminated`: goes on, but the end mark is left out (`[DONE]`, `message_stop`,
 *   `response.completed`); JSON without its last brace.
 */
export type Fault =
  | 'close'
  | 'reset'
  | 'bad_encoding'
  | 'bad_http'
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

/**
 * How an error is told inside a stream. `failed`: by `response.failed` (Responses). `twice`: by that behind `error`
 * (Responses), or with an end mark behind it. `joined`: with the end mark in the same frame. `text`: in words, under the
 * name of an error. `field`: in a field of that name. Where a protocol has no such form, it is its own.
 */
export type ErrorEventForm = 'own' | 'failed' | 'twice' | 'joined' | 'text' | 'field';

/**
 * How an error body is written. `flat`: its members without an envelope. `problem`: as an HTTP problem document. `list`:
 * in a list of one. `nested`: as a JSON text in the message of another error. `text`: in words.
 */
export type ErrorBodyForm = 'own' | 'flat' | 'problem' | 'list' | 'nested' | 'text';

/**
 * How a delay is told: `retry-after` in seconds, `retry-after-ms`, `retry-after` as a date beside a `date`, the reset of a
 * budget that is spent, a member of the error, words in its message, or a `retry-after` that nobody can read.
 */
export type DelayForm = 'seconds' | 'ms' | 'date' | 'reset' | 'member' | 'words' | 'garbage';

/**
 * Oddities of form that leave an answer whole for whoever puts up with them. What a protocol or shape has no place for
 * does nothing.
 *
 * - `crlf`, `cr`: line ends of that kind. - `data_lines`: JSON over several `data` lines. - `fields`: `id` and `retry`
 *   fields, and no blank behind colons. - `bom`: a byte order mark in front. - `wide`: words with characters of several
 *   bytes and line separators. - `preamble`: filter results (Chat), `response.queued`, or a ping, before the answer begins.
 *   - `late_start`: pings come before the first event, too. - `sealed`: reasoning also in a form that only its issuer reads.
 *   - `no_finish`: the finish reason is left out (Chat, Messages). - `empty_finish`: it is an empty text until it is due.
 *   - `finish_with_word`: it stands in the frame of the last word (Chat). - `no_index`: tool calls without an index (Chat,
 *   not with `parallel`). - `blank_ids`: empty ids and names in later pieces of a call (Chat). - `object_args`: arguments as
 *   an object where text is due and the other way round (JSON). - `usage_in_finish`: usage in the frame of the finish
 *   (Chat). - `usage_bare`: in a chunk without `choices` (Chat). - `usage_twice`: first a number that is corrected later.
 *   - `stray_stop`: the end of a block that never began (Messages).
 */
export type Quirk =
  | 'crlf'
  | 'cr'
  | 'data_lines'
  | 'fields'
  | 'bom'
  | 'wide'
  | 'preamble'
  | 'late_start'
  | 'sealed'
  | 'no_finish'
  | 'empty_finish'
  | 'finish_with_word'
  | 'no_index'
  | 'blank_ids'
  | 'object_args'
  | 'usage_in_finish'
  | 'usage_bare'
  | 'usage_twice'
  | 'stray_stop';

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
  /** A delay that is told; all forms but `ms` round it up to seconds. */
  readonly retryAfterMs?: number;
  /** Absent: `seconds`. */
  readonly toldAs?: DelayForm;
  /** An error body in the protocol's form, whatever the status. */
  readonly error?: {
    readonly code?: string;
    readonly type?: string;
    readonly param?: string;
    readonly message?: string;
    /** Absent: the protocol's own. */
    readonly form?: ErrorBodyForm;
  };
  /** The body is no answer (or error) at all: a web page, words, nothing, half of its JSON, its JSON in a list. */
  readonly body?: 'html' | 'text' | 'empty' | 'damaged' | 'list';
  /** Visible words, each with the mark of its send; absent: 8. */
  readonly words?: number;
  /** The words are blanks, of which nothing can be seen. */
  readonly blank?: boolean;
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
  /** `error`: the answer's own end says that it failed. `broken`: that a tool call came out broken. */
  readonly finish?: 'stop' | 'length' | 'filter' | 'error' | 'broken';
  /** Usage is reported; absent: true. */
  readonly usage?: boolean;
  /** Output tokens that are reported and of which nothing can be seen. */
  readonly hiddenTokens?: number;
  /** To a request with room for fewer tokens it says nothing: all of them go into thoughts that nobody sees. */
  readonly needsTokens?: number;
  /** A streamed answer to a request for JSON, or the other way round. */
  readonly otherShape?: boolean;
  readonly fault?: {
    readonly kind: Fault;
    readonly at: FaultPlace;
    /** Of `error`: its code (Messages: its type), and how it is told. */
    readonly code?: string;
    readonly form?: ErrorEventForm;
  };
  readonly quirks?: readonly Quirk[];
  /** How bytes are cut into reads; absent: a read per frame. */
  readonly reads?: 'frames' | 'merged' | 'bytes' | 'random';
  /** Reads that still arrive after a pause, since they were under way. */
  readonly readAhead?: number;
  /** Puts the gateway's own key, the client's, and the beginning of what it was sent, into its error message. */
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
