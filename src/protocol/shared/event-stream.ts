import type { ProviderError } from '../../core/failure/signal.ts';
import type { CanonicalEvent, Frame, RelayEdit } from '../../core/model/event.ts';
import type { Usage } from '../../core/model/usage.ts';
import { concatBytes, decodeUtf8, EMPTY, EVENT_LIMITS, encodeUtf8, isJson } from '../json/index.ts';
import {
  type Block,
  blockStart,
  createFrameSplitter,
  hasBom,
  isAt,
  type PieceKind,
  readBlock,
  type Span,
  trimSpan,
} from '../sse/index.ts';
import type { DecoderOptions, StreamDecoder } from '../types.ts';
import { frameOf, leftOut } from './frame.ts';
import { isObject } from './value.ts';
import { errorFromText, errorOf, parseJson } from './wire-error.ts';

/**
 * One frame with its place in `bytes`; `from` is behind what is no part of its first line. `block`: its fields, null
 * for the common form of one `data` line.
 */
export type RawFrame = {
  readonly bytes: Uint8Array;
  readonly start: number;
  readonly end: number;
  readonly from: number;
  readonly block: Block | null;
};

const DATA = encodeUtf8('data: ');
const LINE_END = encodeUtf8('\n');
const FRAME_END = encodeUtf8('\n\n');

/** Data lines of one frame; no writer breaks JSON more finely. */
const MAX_DATA_LINES = 50_000;
/** Frames whose blank lines were forgotten, in one. */
const MAX_JOINED_FRAMES = 1024;

/**
 * What all protocols over server-sent events have in common: frames out of bytes, runs of quiet ones, comments, noise,
 * broken data, error events, half frames. What an object of data means is the protocol's own part.
 */
export abstract class EventStreamDecoder implements StreamDecoder {
  protected readonly options: DecoderOptions;
  protected isRelaxed = false;
  /** The end mark is out: whatever follows is no part of the answer. */
  protected isDone = false;
  protected isFailed = false;
  readonly #splitter;
  readonly #sink = (bytes: Uint8Array, start: number, end: number, kind: PieceKind, lines: number): void =>
    this.#take(bytes, start, end, kind, lines);
  #out: Frame[] = [];
  #onFrame: ((frame: Frame) => boolean) | null = null;
  /** Nobody wants what follows: how an answer ended must not hang on what its last read brought beside. */
  #isStopped = false;
  /** Quiet frames that lie one behind the other in one chunk. */
  #run: { bytes: Uint8Array; start: number; end: number; count: number; sequence: number | null } | null = null;

  constructor(options: DecoderOptions) {
    this.options = options;
    this.#splitter = createFrameSplitter(options.maxFrameBytes);
  }

  abstract usage(): Usage | null;
  /** A frame whose data is one whole JSON object. */
  protected abstract takeObject(raw: RawFrame, data: Span, edits: readonly RelayEdit[]): void;
  /** `[DONE]`. `raw` is null for one that came without its line ends, at a clean end of the body. */
  protected abstract takeMark(raw: RawFrame | null, edits: readonly RelayEdit[]): void;
  /** Relaxed only: gives the frame out if a cheap look tells that it decides nothing. */
  protected abstract takeQuiet(bytes: Uint8Array, start: number, end: number, from: number, lines: number): boolean;
  /** The body has ended and neither a mark nor a failure came. */
  protected abstract closeBody(clean: boolean): void;
  /** The answer had its finish before anything failed: its end mark may still be added. */
  protected isAnswered(): boolean {
    return false;
  }
  /** Broken data is never dropped inside a tool call. */
  protected abstract isInToolCall(): boolean;
  /** The error that an object holds, if it is none of the protocol's own. */
  protected abstract errorIn(value: object): ProviderError | null;
  /** A frame beyond the bound was given out unread. */
  protected noteLarge(): void {}
  /** What a last frame without its blank line tells. It is not given out itself. */
  protected takeHalf(_bytes: Uint8Array, _data: Span, _clean: boolean): void {}

  get heldBytes(): number {
    return this.#splitter.heldBytes;
  }

  relax(): void {
    this.isRelaxed = true;
  }

  push(chunk: Uint8Array, onFrame: ((frame: Frame) => boolean) | null = null): readonly Frame[] {
    this.#onFrame = onFrame;
    this.#splitter.push(chunk, this.#sink);
    const out = this.#flush();
    this.#onFrame = null;
    return out;
  }

  end(clean: boolean): readonly Frame[] {
    const { bytes, isLargeOpen } = this.#splitter.end();
    // A frame of which the first part is out can't be taken back; it is closed so that what follows is not read into
    // it.
    if (isLargeOpen) this.emit(frameOf(FRAME_END, [], [], 0));
    else if (bytes.length === 1 && bytes[0] === 0x0a) this.emit(frameOf(bytes, [{ type: 'comment' }], [], 0));
    else if (bytes.length > 0) this.#takeRest(bytes, clean);
    if (!this.isDone && (!this.isFailed || this.isAnswered())) this.closeBody(clean);
    return this.#flush();
  }

  protected emit(...frames: readonly Frame[]): void {
    this.#endRun();
    for (const frame of frames) this.#give(frame);
  }

  #give(frame: Frame): void {
    this.#out.push(frame);
    if (this.#onFrame?.(frame) === false) this.#isStopped = true;
  }

  /**
   * A quiet frame: joined with its neighbours of the same chunk. `sequence`: the number of its event, if it has one.
   */
  protected addToRun(bytes: Uint8Array, start: number, end: number, sequence: number | null = null): void {
    if (this.#run !== null && this.#run.bytes === bytes && this.#run.end === start) {
      this.#run.end = end;
      this.#run.count++;
      this.#run.sequence = sequence ?? this.#run.sequence;
    } else {
      this.#endRun();
      this.#run = { bytes, start, end, count: 1, sequence };
    }
  }

  protected takeError(error: ProviderError): void {
    this.isFailed = true;
    this.emit(leftOut({ type: 'error', error }, 'error_replaced'));
  }

  protected takeBroken(): void {
    const isDropped = this.options.onMalformed === 'drop' && !this.isInToolCall();
    if (!isDropped) this.isFailed = true;
    this.emit(leftOut({ type: isDropped ? 'noise' : 'malformed' }, 'malformed_left_out'));
  }

  protected takeNoise(): void {
    this.emit(leftOut({ type: 'noise' }, 'noise_left_out'));
  }

  /**
   * Comments of ours may stand in front of the first frame: a byte order mark would then be read as a part of a name.
   */
  protected withoutBom({ bytes, start, end, from }: RawFrame): Uint8Array {
    return bytes.subarray(hasBom(bytes, start, end) ? from : start, end);
  }

  #flush(): readonly Frame[] {
    this.#endRun();
    const out = this.#out;
    this.#out = [];
    return out;
  }

  #endRun(): void {
    const run = this.#run;
    if (run === null) return;
    this.#run = null;
    const frame = frameOf(run.bytes.subarray(run.start, run.end), [], [], run.count);
    this.#give(run.sequence === null ? frame : { ...frame, sequence: run.sequence });
  }

  #take(bytes: Uint8Array, start: number, end: number, kind: PieceKind, lines: number): void {
    if (this.#isStopped) return;
    if (kind === 'blank') {
      this.#takeBlanks(bytes.subarray(start, end), lines);
      return;
    }
    if (kind !== 'frame') {
      this.takeLarge(bytes.subarray(start, end), kind === 'large');
      return;
    }
    const from = blockStart(bytes, start, end);
    if (this.isDone) this.takeNoise();
    else if (lines === 0 || (lines === 1 && bytes[from] === 0x3a)) this.#takeComment(bytes, start, end, from);
    else if (this.isRelaxed && this.takeQuiet(bytes, start, end, from, lines)) return;
    else if (lines === 1 && isAt(bytes, from, end, 'data:')) {
      this.#takeData({ bytes, start, end, from, block: null }, trimSpan(bytes, { start: from + 5, end }), []);
    } else this.#takeBlock(bytes, start, end, from);
  }

  #takeBlanks(bytes: Uint8Array, count: number): void {
    if (this.isDone) this.emit(frameOf(EMPTY, [{ type: 'noise' }], ['noise_left_out'], count));
    else this.emit(frameOf(bytes, [{ type: 'comment' }], [], count));
  }

  /** No line, or one that begins with a colon. */
  #takeComment(bytes: Uint8Array, start: number, end: number, from: number): void {
    const first = hasBom(bytes, start, end) ? from : start;
    this.emit(frameOf(bytes.subarray(first, end), [{ type: 'comment' }]));
  }

  /** A piece of a frame beyond the bound. */
  protected takeLarge(bytes: Uint8Array, isFirst: boolean): void {
    if (this.isDone) return;
    const events: CanonicalEvent[] = isFirst ? [{ type: 'unknown_content' }] : [];
    if (isFirst) this.noteLarge();
    this.emit(frameOf(bytes, events, [], isFirst ? 1 : 0));
  }

  /** A last frame without its end is dropped, whatever it tells. */
  #takeRest(bytes: Uint8Array, clean: boolean): void {
    const { data } = readBlock(bytes, blockStart(bytes, 0, bytes.length), bytes.length);
    this.emit(leftOut({ type: 'noise' }, 'half_frame_left_out'));
    const [only] = data;
    if (data.length !== 1 || only === undefined || this.isDone) return;
    const span = trimSpan(bytes, only);
    if (clean && isDoneMark(bytes, span)) this.takeMark(null, ['done_added']);
    else this.takeHalf(bytes, span, clean);
  }

  /** Any form but one data line: names, comments, fields, several data lines. */
  #takeBlock(bytes: Uint8Array, start: number, end: number, from: number): void {
    const block = readBlock(bytes, from, end);
    const raw: RawFrame = { bytes, start, end, from, block };
    const [first] = block.data;
    if (block.event === 'error' || block.errors.length > 0) this.#takeErrorBlock(bytes, block);
    else if (first === undefined) {
      this.emit(frameOf(this.withoutBom(raw), [{ type: block.event === '' ? 'comment' : 'ping' }]));
    } else if (block.data.length === 1) this.#takeData(raw, trimSpan(bytes, first), []);
    else this.#takeDataLines(raw, block);
  }

  #takeDataLines(raw: RawFrame, block: Block): void {
    if (block.data.length > MAX_DATA_LINES) {
      this.takeBroken();
      return;
    }
    const joined = concatBytes(block.data.map(({ start, end }) => raw.bytes.subarray(start, end)));
    const isOne = joined.includes(0x7b) && isJson(withLineEnds(raw.bytes, block.data));
    if (isOne) this.#takeJoined(raw, block, joined);
    else this.#takeLines(raw, block);
  }

  /** JSON over several lines becomes one line; the other lines of the frame stay in front of it. */
  #takeJoined({ bytes }: RawFrame, block: Block, joined: Uint8Array): void {
    const lines = block.others.flatMap(({ start, end }) => [bytes.subarray(start, end), LINE_END]);
    const whole = concatBytes([...lines, DATA, joined, FRAME_END]);
    const end = whole.length - FRAME_END.length;
    const raw: RawFrame = {
      bytes: whole,
      start: 0,
      end: whole.length,
      from: 0,
      block: readBlock(whole, 0, whole.length),
    };
    this.#takeData(raw, trimSpan(whole, { start: end - joined.length, end }), ['data_lines_joined']);
  }

  /** Data lines that do not make one JSON text: each may be a frame whose blank line was forgotten. */
  #takeLines({ bytes }: RawFrame, block: Block): void {
    const spans = block.data.map((span) => trimSpan(bytes, span)).filter(({ start, end }) => end > start);
    const areFrames = spans.every(
      (span) => isDoneMark(bytes, span) || (bytes[span.start] === 0x7b && isJson(bytes, span.start, span.end)),
    );
    if (spans.length > MAX_JOINED_FRAMES || (!areFrames && spans.some(({ start }) => bytes[start] === 0x7b)))
      this.takeBroken();
    else if (!areFrames || spans.length === 0) this.takeNoise();
    else {
      for (const { start, end } of spans) {
        if (this.isDone) return;
        const whole = concatBytes([DATA, bytes.subarray(start, end), FRAME_END]);
        const raw: RawFrame = { bytes: whole, start: 0, end: whole.length, from: 0, block: null };
        const data = { start: DATA.length, end: whole.length - FRAME_END.length };
        this.#takeData(raw, data, ['data_lines_joined']);
      }
    }
  }

  /** The name of the event or field says enough; its data is read as far as it can be. */
  #takeErrorBlock(bytes: Uint8Array, block: Block): void {
    const spans = [...block.errors, ...block.data].map((span) => trimSpan(bytes, span));
    const text = ({ start, end }: Span): string => decodeUtf8(bytes.subarray(start, end));
    const object = spans.find(({ start, end }) => bytes[start] === 0x7b && isJson(bytes, start, end));
    const whole = spans.map(text).join('\n');
    const value = parseJson(object === undefined ? whole : text(object));
    this.takeError(value === undefined || typeof value === 'number' ? errorFromText(whole) : errorOf(value));
  }

  /** One data field, by what it begins with. */
  #takeData(raw: RawFrame, data: Span, edits: readonly RelayEdit[]): void {
    const { bytes } = raw;
    if (isDoneMark(bytes, data)) this.takeMark(raw, edits);
    else if (bytes[data.start] === 0x7b) {
      if (isJson(bytes, data.start, data.end, EVENT_LIMITS)) this.takeObject(raw, data, edits);
      else this.takeBroken();
    } else {
      const error = bytes[data.start] === 0x5b ? this.#errorInList(bytes, data) : null;
      if (error !== null) this.takeError(error);
      else this.takeNoise();
    }
  }

  /** Some gateways wrap an error object into a list of one. */
  #errorInList(bytes: Uint8Array, { start, end }: Span): ProviderError | null {
    const list = parseJson(decodeUtf8(bytes.subarray(start, end)));
    const first: unknown = Array.isArray(list) ? list[0] : undefined;
    return isObject(first) ? this.errorIn(first) : null;
  }
}

const isDoneMark = (bytes: Uint8Array, { start, end }: Span): boolean =>
  end - start === 6 && isAt(bytes, start, end, '[DONE]');

/** Data lines as the format joins them. */
const withLineEnds = (bytes: Uint8Array, data: readonly Span[]): Uint8Array =>
  concatBytes(data.flatMap(({ start, end }) => [bytes.subarray(start, end), LINE_END]));
