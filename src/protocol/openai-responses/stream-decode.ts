import type { ProviderError } from '../../core/failure/signal.ts';
import type { CanonicalEvent, Frame, RelayEdit } from '../../core/model/event.ts';
import type { Usage } from '../../core/model/usage.ts';
import { applyEdits, concatBytes, decodeUtf8, EMPTY, encodeUtf8, indexJson, isJson, mendEdits } from '../json/index.ts';
import { EventStreamDecoder, type RawFrame } from '../shared/event-stream.ts';
import { frameOf, leftOut } from '../shared/frame.ts';
import type { MendList } from '../shared/mend-list.ts';
import { nonEmpty } from '../shared/value.ts';
import { errorFromText, errorOf, isFilled, looksLikeError } from '../shared/wire-error.ts';
import { blockStart, hasBom, readBlock, type Span, trimSpan } from '../sse/index.ts';
import type { DecoderOptions, StreamDecoder } from '../types.ts';
import { Doubt } from './doubt.ts';
import { numbered } from './emit.ts';
import { isTerminal } from './finish.ts';
import { type Inspection, inspectEvent, openCall, startAnswer } from './inspect.ts';
import { createGlancer } from './quiet.ts';
import { deltaKey, snapshotsOf, TextSums } from './text-sums.ts';
import type { WireEvent } from './types.ts';

/** As deep as the deepest mend: response, output, item, its members. */
const MEND_DEPTH = 4;

/** How far into a frame beyond the bound its type is looked for. */
const LARGE_HEAD = 256;

const FRAME_END = encodeUtf8('\n\n');

export type StoredOptions = {
  /**
   * The answer was given before, to a request that is over: a failure in which it ended is what there is to tell, and
   * its usage was counted then.
   */
  readonly isStored?: boolean;
};

/** The Responses API as server-sent events; see `StreamDecoder`. */
export function createStreamDecoder(options: DecoderOptions, { isStored = false }: StoredOptions = {}): StreamDecoder {
  return new ResponsesStreamDecoder(options, isStored);
}

class ResponsesStreamDecoder extends EventStreamDecoder {
  readonly #state;
  readonly #sums = new TextSums();
  readonly #glance = createGlancer();
  readonly #isStored: boolean;
  #doubt: Doubt | null = null;
  /** What a frame beyond the bound is by its first bytes, while it is open. */
  #large: { readonly type: string; tail: Uint8Array } | null = null;

  constructor(options: DecoderOptions, isStored: boolean) {
    super(options);
    this.#isStored = isStored;
    this.#state = startAnswer(options.renameModel);
  }

  override get heldBytes(): number {
    return super.heldBytes + (this.#doubt?.heldBytes ?? 0);
  }

  usage(): Usage | null {
    return this.#isStored ? null : this.#state.usage;
  }

  answerId(): string | null {
    return this.#state.answerId;
  }

  servedModel(): string | null {
    return this.#state.servedModel;
  }

  seals(): readonly string[] {
    return this.#state.seals;
  }

  protected isInToolCall(): boolean {
    return this.#state.openCalls.size > 0;
  }

  protected errorIn(value: WireEvent): ProviderError | null {
    return isFilled(value.error) || looksLikeError(value) ? errorOf(value) : null;
  }

  protected takeQuiet(bytes: Uint8Array, start: number, end: number, from: number, lines: number): boolean {
    if (this.isFailed || this.#doubt !== null || hasBom(bytes, start, end)) return false;
    const seen = this.#glance(bytes, from, end, lines);
    if (seen === null) return false;
    if (seen.sequence !== null) this.#state.sequence = seen.sequence;
    if (seen.key === null) openCall(this.#state, seen.place);
    else {
      this.#state.hasSpoken = true;
      this.#sums.add(seen.key, bytes, seen.delta.start, seen.delta.end);
    }
    this.addToRun(bytes, start, end, seen.sequence);
    return true;
  }

  /** The mark of another protocol, which some put behind the terminal event of this one. It ends nothing. */
  protected takeMark(raw: RawFrame | null): void {
    if (raw !== null) this.takeNoise();
  }

  /** Without its terminal event an answer is cut, however clean the end of the body is. */
  protected closeBody(): void {
    if (this.#doubt !== null) this.#refute();
  }

  protected takeObject(raw: RawFrame, data: Span, before: readonly RelayEdit[]): void {
    if (this.isFailed) return;
    const event = JSON.parse(decodeUtf8(raw.bytes.subarray(data.start, data.end))) as WireEvent;
    const type = nonEmpty(event.type) ?? raw.block?.event ?? '';
    const mends: MendList = { mends: [], edits: new Set(before) };
    const { events, sequence } = this.#inspect(event, type, mends);
    const last = events.at(-1);
    if (last?.type === 'error') {
      this.takeError(last.error);
      return;
    }
    this.#addDelta(type, event);
    const verdict = this.#doubt?.judge(type, event, events, sequence, this.#sums) ?? 'open';
    if (verdict === 'refuted') {
      this.#refute();
      return;
    }
    if (verdict === 'proved') this.#prove();
    for (const { key } of snapshotsOf(type, event)) this.#sums.close(key);
    if (hasBom(raw.bytes, raw.start, raw.end)) mends.edits.add('noise_left_out');
    this.emit(numbered(this.#mended(raw, data, mends), events, [...mends.edits], sequence));
    if (last?.type === 'finish') this.#finish();
  }

  #inspect(event: WireEvent, type: string, mends: MendList): Inspection {
    const seen = inspectEvent(event, type, this.#state, mends);
    return this.#isStored && isTerminal(type) ? { ...seen, events: asEnd(seen.events) } : seen;
  }

  /** The terminal event is the end mark as well. */
  #finish(): void {
    this.isDone = true;
    this.emit(frameOf(EMPTY, [{ type: 'done' }], [], 0));
  }

  #addDelta(type: string, event: WireEvent): void {
    const key = deltaKey(type, event);
    if (key === null) return;
    this.#state.hasSpoken = true;
    const json = encodeUtf8(JSON.stringify(event.delta));
    this.#sums.add(key, json, 0, json.length);
  }

  #mended(raw: RawFrame, data: Span, { mends }: MendList): Uint8Array {
    const index = mends.length === 0 ? null : indexJson(raw.bytes, MEND_DEPTH, data.start, data.end);
    if (index === null) return this.withoutBom(raw);
    const start = hasBom(raw.bytes, raw.start, raw.end) ? raw.from : raw.start;
    return concatBytes(applyEdits(raw.bytes, mendEdits(index, mends), start, raw.end));
  }

  protected override emit(...frames: readonly Frame[]): void {
    if (this.#doubt === null) {
      super.emit(...frames);
      return;
    }
    this.#doubt.hold(frames);
    if (this.#doubt.heldBytes > this.options.maxFrameBytes) this.#refute();
  }

  protected override takeError(error: ProviderError): void {
    this.#doubt = null;
    super.takeError(error);
  }

  /** Behind output the frames that follow may prove that a damaged one held nothing. */
  protected override takeBroken(): void {
    if (this.#doubt !== null) return;
    const { hasSpoken, sequence } = this.#state;
    const mayBeProved = hasSpoken && !this.isInToolCall() && (sequence !== null || this.#sums.current !== null);
    if (this.options.onMalformed === 'drop' || this.isFailed || !mayBeProved) {
      super.takeBroken();
      return;
    }
    // Frames of one chunk that wait to be joined belong in front of the damage.
    super.emit();
    this.#doubt = new Doubt(sequence, this.#sums.current);
  }

  #prove(): void {
    const held = this.#doubt?.held ?? [];
    this.#doubt = null;
    super.emit(leftOut({ type: 'noise' }, 'malformed_left_out'), ...held);
  }

  #refute(): void {
    this.#doubt = null;
    this.isFailed = true;
    super.emit(leftOut({ type: 'malformed' }, 'malformed_left_out'));
  }

  /** A last frame whose blank line is missing is whole all the same when it ends the answer: nothing could follow. */
  protected override takeHalf(bytes: Uint8Array, data: Span, clean: boolean): void {
    if (!clean || bytes[data.start] !== 0x7b || !isJson(bytes, data.start, data.end)) return;
    const event = JSON.parse(decodeUtf8(bytes.subarray(data.start, data.end))) as WireEvent;
    const name = readBlock(bytes, blockStart(bytes, 0, bytes.length), bytes.length).event;
    const type = nonEmpty(event.type) ?? name;
    if (!isTerminal(type) && type !== 'error') return;
    let end = bytes.length;
    while (end > 0 && (bytes[end - 1] === 0x0a || bytes[end - 1] === 0x0d)) end--;
    const whole = concatBytes([bytes.subarray(0, end), FRAME_END]);
    const from = blockStart(whole, 0, whole.length);
    const block = readBlock(whole, from, whole.length);
    const [only] = block.data;
    if (only === undefined) return;
    this.takeObject({ bytes: whole, start: 0, end: whole.length, from, block }, trimSpan(whole, only), ['done_added']);
  }

  /**
   * A frame beyond the bound is given out unread, but its first bytes say what it is: a response with images in it may
   * be larger than that, and is the end of its answer all the same.
   */
  protected override takeLarge(bytes: Uint8Array, isFirst: boolean): void {
    if (this.isDone || this.isFailed) return;
    if (this.#doubt !== null) {
      // What is not read can't prove anything.
      this.#refute();
      return;
    }
    if (isFirst) {
      const type = typeOfLarge(bytes);
      if (type === 'error' || type === 'response.failed') {
        this.takeError(errorFromText(type));
        return;
      }
      this.#large = { type, tail: EMPTY };
      this.#state.hasOutput = true;
      this.#state.hasSpoken = true;
    }
    super.takeLarge(bytes, isFirst);
    const large = this.#large;
    if (large === null) return;
    large.tail = concatBytes([large.tail, bytes.subarray(Math.max(0, bytes.length - 2))]).slice(-2);
    if (!isBlankEnd(large.tail)) return;
    this.#large = null;
    if (!isTerminal(large.type)) return;
    const isIncomplete = large.type === 'response.incomplete';
    this.emit(frameOf(EMPTY, [{ type: 'finish', reason: isIncomplete ? 'length' : 'stop', raw: null }], [], 0));
    this.#finish();
  }
}

/** The failure of a stored answer is its end. */
const asEnd = (events: readonly CanonicalEvent[]): readonly CanonicalEvent[] =>
  events.map((event) => (event.type === 'error' ? { type: 'finish', reason: 'unknown', raw: null } : event));

/** The event's name, or the type that its data begins with. */
function typeOfLarge(bytes: Uint8Array): string {
  const from = blockStart(bytes, 0, bytes.length);
  const head = decodeUtf8(bytes.subarray(from, from + LARGE_HEAD));
  return /^event:\s*([\w.]+)|^data:\s*\{\s*"type"\s*:\s*"([\w.]+)"/m.exec(head)?.slice(1).find(Boolean) ?? '';
}

/** A frame ends with the first byte that makes its last line blank. */
const isBlankEnd = (tail: Uint8Array): boolean =>
  tail.length === 2 &&
  (tail[1] === 0x0a || tail[1] === 0x0d) &&
  !(tail[0] === 0x0d && tail[1] === 0x0a) &&
  isEol(tail[0]);

const isEol = (c: number | undefined): boolean => c === 0x0a || c === 0x0d;
