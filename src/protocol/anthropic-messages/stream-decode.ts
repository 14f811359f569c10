import type { ProviderError } from '../../core/failure/signal.ts';
import type { CanonicalEvent, RelayEdit } from '../../core/model/event.ts';
import type { FinishReason } from '../../core/model/finish.ts';
import type { Usage } from '../../core/model/usage.ts';
import {
  applyEdits,
  concatBytes,
  decodeUtf8,
  type Edit,
  EMPTY,
  encodeUtf8,
  indexJson,
  isJson,
  mendEdits,
} from '../json/index.ts';
import { EventStreamDecoder, type RawFrame } from '../shared/event-stream.ts';
import { type MendList, mend } from '../shared/mend-list.ts';
import { hasBom, isAt, type Span } from '../sse/index.ts';
import type { DecoderOptions, StreamDecoder } from '../types.ts';
import { frameOf, MESSAGE_STOP, stopReasonFrame } from './emit.ts';
import { finishEvents, impliedStop, inspectEvent, isInToolUse, startAnswer } from './inspect.ts';
import { createGlancer } from './quiet.ts';
import { EVENT_TYPES, isObject, type WireEvent } from './types.ts';
import { usageOf } from './usage.ts';
import { errorIn } from './wire-error.ts';

/** As deep as the deepest mend: content_block or delta, and its members; message, model. */
const MEND_DEPTH = 2;

/** Reasons that commit an answer without any output. */
const COMMITS: ReadonlySet<FinishReason> = new Set(['length', 'content_filter', 'refusal']);

/** Anthropic Messages as server-sent events; see `StreamDecoder`. */
export function createStreamDecoder(options: DecoderOptions): StreamDecoder {
  return new MessagesStreamDecoder(options);
}

class MessagesStreamDecoder extends EventStreamDecoder {
  readonly #state = startAnswer();
  readonly #glance = createGlancer();

  /**
   * The number of output tokens in `message_start` is a placeholder: an answer that ends without its own has told none.
   */
  usage(): Usage | null {
    const { usage, finish, hasOutputCount } = this.#state;
    return usageOf(finish !== null && !hasOutputCount ? { ...usage, output: null } : usage);
  }

  servedModel(): string | null {
    return this.#state.servedModel;
  }

  protected override errorIn(value: object): ProviderError | null {
    return errorIn(value);
  }

  protected override isInToolCall(): boolean {
    return isInToolUse(this.#state);
  }

  protected override noteLarge(): void {
    this.#state.isBlind = true;
    this.#state.hasContent = true;
  }

  protected override takeQuiet(bytes: Uint8Array, start: number, end: number, from: number, lines: number): boolean {
    if (lines !== 2 || this.#state.isRenumbered || hasBom(bytes, start, end) || !this.#glance(bytes, from, end)) {
      return false;
    }
    this.#state.hasContent = true;
    this.addToRun(bytes, start, end);
    return true;
  }

  /** Other protocols' end mark says nothing here. */
  protected override takeMark(raw: RawFrame | null): void {
    if (raw !== null) this.takeNoise();
  }

  /** A stop is a stop, whether its blank line came or not. */
  protected override takeHalf(bytes: Uint8Array, { start, end }: Span, clean: boolean): void {
    if (!clean || bytes[start] !== 0x7b || !isJson(bytes, start, end)) return;
    const value: unknown = JSON.parse(decodeUtf8(bytes.subarray(start, end)));
    if (isObject<WireEvent>(value) && value.type === 'message_stop' && !this.isFailed) {
      this.#takeStop(MESSAGE_STOP, ['done_added'], 0);
    }
  }

  /** Behind the reason for which it ended, an answer is whole; what is missing is the mark. */
  protected override closeBody(): void {
    if (this.#state.finish !== null) this.#takeStop(MESSAGE_STOP, ['done_added'], 0);
  }

  /** A failure behind the end of an answer takes nothing of it away. */
  protected override takeError(error: ProviderError): void {
    if (this.#isWhole()) this.#takeStop(MESSAGE_STOP, ['error_replaced', 'done_added']);
    else super.takeError(error);
  }

  protected override takeBroken(): void {
    if (this.#isWhole() && this.options.onMalformed !== 'drop') {
      this.#takeStop(MESSAGE_STOP, ['malformed_left_out', 'done_added']);
    } else super.takeBroken();
  }

  /** The answer has ended, and the client has its beginning or gets it with its end: see the commit table. */
  #isWhole(): boolean {
    const { finish, hasContent } = this.#state;
    if (finish === null || this.isFailed) return false;
    return this.isRelaxed || hasContent || COMMITS.has(finish.reason);
  }

  protected override takeObject(raw: RawFrame, data: Span, before: readonly RelayEdit[]): void {
    const value = JSON.parse(decodeUtf8(raw.bytes.subarray(data.start, data.end))) as WireEvent;
    const out: MendList = { mends: [], edits: new Set(before) };
    if (value.type === 'message_stop' && errorIn(value) === null) {
      this.#takeStop(this.#relayed(raw, data, value, out), [...out.edits]);
      return;
    }
    const events = inspectEvent(value, this.#state, out);
    const [first] = events ?? [];
    if (events === null) this.takeNoise();
    else if (first?.type === 'error') this.takeError(first.error);
    else if (first?.type === 'cut') this.#takeCut(first);
    else {
      if (events.some(isFailedFinish)) this.isFailed = true;
      this.emit(frameOf(this.#relayed(raw, data, value, out), events, [...out.edits]));
    }
  }

  /** Proof that the answer is not whole; behind its end, something else that is no part of it. */
  #takeCut(event: CanonicalEvent): void {
    if (this.#isWhole()) this.#takeStop(MESSAGE_STOP, ['noise_left_out', 'done_added']);
    else {
      this.isFailed = true;
      this.emit(frameOf(EMPTY, [event]));
    }
  }

  /** `message_stop`. Where it comes without a reason, its coming makes certain what that was. */
  #takeStop(bytes: Uint8Array, edits: readonly RelayEdit[], count = 1): void {
    const state = this.#state;
    if (state.finish === null && state.messageId !== null && !this.isFailed) {
      if (state.open.some(({ type }) => type === 'tool_use')) {
        this.isFailed = true;
        this.emit(frameOf(EMPTY, [{ type: 'cut', reason: 'the end came before that of a tool call' }], [], count));
        return;
      }
      const stop = impliedStop(state);
      state.finish = { reason: stop === 'tool_use' ? 'tool_calls' : 'stop', raw: null };
      this.emit(
        frameOf(stopReasonFrame(stop, state.usage.output ?? 0), finishEvents(state), ['finish_reason_added'], 0),
      );
    }
    this.isDone = true;
    this.emit(frameOf(bytes, [{ type: 'done' }], edits, count));
  }

  /** The bytes of a frame as the client is to get them. */
  #relayed(raw: RawFrame, data: Span, value: WireEvent, out: MendList): Uint8Array {
    this.#rename(value, out);
    const { bytes, start, end, from } = raw;
    const edits = this.#nameEdits(raw, value, out);
    const index = out.mends.length === 0 ? null : indexJson(bytes, MEND_DEPTH, data.start, data.end);
    if (index !== null) for (const edit of mendEdits(index, out.mends)) edits.push(edit);
    if (hasBom(bytes, start, end)) out.edits.add('noise_left_out');
    if (edits.length === 0) return this.withoutBom(raw);
    return concatBytes(applyEdits(bytes, edits, hasBom(bytes, start, end) ? from : start, end));
  }

  #rename(value: WireEvent, out: MendList): void {
    const { renameModel } = this.options;
    if (renameModel === null || value.type !== 'message_start' || !isObject<{ model?: unknown }>(value.message)) return;
    if (value.message.model === renameModel || typeof value.message.model !== 'string') return;
    mend(out, 'model_renamed', ['message', 'model'], { set: JSON.stringify(renameModel) });
  }

  /** Client libraries drop an event whose name is missing, or is not that of its data. */
  #nameEdits({ bytes, from, block }: RawFrame, { type }: WireEvent, out: MendList): Edit[] {
    if (typeof type !== 'string' || !EVENT_TYPES.has(type) || block?.event === type) return [];
    if (block === null && type === 'ping') return [];
    out.edits.add('event_name_mended');
    const line = encodeUtf8(`event: ${type}`);
    const named = (block?.others ?? []).filter((span) => isEventLine(bytes, span));
    if (named.length > 0) return named.map(({ start, end }) => ({ start, end, text: line }));
    return [{ start: from, end: from, text: encodeUtf8(`event: ${type}\n`) }];
  }
}

const isEventLine = (bytes: Uint8Array, { start, end }: Span): boolean =>
  isAt(bytes, start, end, 'event') && (end - start === 5 || bytes[start + 5] === 0x3a);

const isFailedFinish = (event: CanonicalEvent): boolean =>
  event.type === 'finish' && (event.reason === 'error' || event.reason === 'bad_generation');
