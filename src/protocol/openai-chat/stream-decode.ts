import type { CanonicalEvent, Frame, RelayEdit } from '../../core/model/event.ts';
import type { Usage } from '../../core/model/usage.ts';
import { applyEdits, concatBytes, decodeUtf8, EMPTY, encodeUtf8, indexJson, isJson, mendEdits } from '../json/index.ts';
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
import { DONE_BYTES, frameOf, leftOut } from './emit.ts';
import { closeBeforeDone, hasToolCalls, haveAllEnded, isInToolCall } from './ending.ts';
import { choiceOf, inspectChunk, startAnswer } from './inspect.ts';
import { createGlancer } from './quiet.ts';
import { type MendList, mend } from './tool-calls.ts';
import type { WireChunk } from './types.ts';
import { errorFromText, errorIn, errorOf, parseJson } from './wire-error.ts';

/** As deep as the deepest mend: choices, choice, delta, tool_calls, call, function, arguments. */
const MEND_DEPTH = 7;

/** One frame with its place in `bytes`; `start` is behind what is no part of its first line. */
type RawFrame = { readonly bytes: Uint8Array; readonly start: number; readonly end: number; readonly from: number };

/** Chat Completions as server-sent events; see `StreamDecoder`. */
export function createStreamDecoder(options: DecoderOptions): StreamDecoder {
  return new ChatStreamDecoder(options);
}

class ChatStreamDecoder implements StreamDecoder {
  readonly #options: DecoderOptions;
  readonly #splitter;
  readonly #state;
  readonly #glance;
  readonly #sink = (bytes: Uint8Array, start: number, end: number, kind: PieceKind, lines: number): void =>
    this.#take(bytes, start, end, kind, lines);
  #out: Frame[] = [];
  #isRelaxed = false;
  #isDone = false;
  #isFailed = false;
  #bytesSeen = 0;
  /** Quiet frames that lie one behind the other in one chunk. */
  #run: { bytes: Uint8Array; start: number; end: number; count: number } | null = null;

  constructor(options: DecoderOptions) {
    this.#options = options;
    this.#splitter = createFrameSplitter(options.maxFrameBytes);
    this.#glance = createGlancer(options.renameModel !== null);
    this.#state = startAnswer(options.choices);
  }

  get bytesSeen(): number {
    return this.#bytesSeen;
  }

  usage(): Usage | null {
    return this.#state.usage;
  }

  relax(): void {
    this.#isRelaxed = true;
  }

  push(chunk: Uint8Array): readonly Frame[] {
    this.#bytesSeen += chunk.length;
    this.#splitter.push(chunk, this.#sink);
    return this.#flush();
  }

  end(clean: boolean): readonly Frame[] {
    const { bytes, isLargeOpen } = this.#splitter.end();
    // A frame of which the first part is out can't be taken back; it is closed so that what follows is not read into it.
    if (isLargeOpen) this.#emit(frameOf(encodeUtf8('\n\n'), [], [], 0));
    else if (bytes.length === 1 && bytes[0] === 0x0a) this.#emit(frameOf(bytes, [{ type: 'comment' }], [], 0));
    else if (bytes.length > 0) this.#takeHalf(bytes, clean);
    if (!this.#isDone && !this.#isFailed) this.#closeBody(clean);
    return this.#flush();
  }

  #closeBody(clean: boolean): void {
    const state = this.#state;
    if (clean && !state.isFinished && haveAllEnded(state)) this.#emit(...closeBeforeDone(state, null));
    // Behind a tool call only a clean end proves that no error was on its way.
    if (!state.isFinished || !(clean || !hasToolCalls(state))) return;
    this.#isDone = true;
    this.#emit(frameOf(DONE_BYTES, [{ type: 'done' }], ['done_added'], 0));
  }

  /** A last line without its end is dropped, but an end mark is one, half a frame or not. */
  #takeHalf(bytes: Uint8Array, clean: boolean): void {
    const { data } = readBlock(bytes, blockStart(bytes, 0, bytes.length), bytes.length);
    const isMark = clean && data.length === 1 && isDoneMark(bytes, trimSpan(bytes, data[0] as Span));
    this.#emit(leftOut({ type: 'noise' }, 'half_frame_left_out'));
    if (isMark && !this.#isDone) this.#takeDone(DONE_BYTES, ['done_added']);
  }

  #flush(): readonly Frame[] {
    this.#endRun();
    const out = this.#out;
    this.#out = [];
    return out;
  }

  #emit(...frames: readonly Frame[]): void {
    this.#endRun();
    this.#out.push(...frames);
  }

  #endRun(): void {
    const run = this.#run;
    if (run === null) return;
    this.#run = null;
    this.#out.push(frameOf(run.bytes.subarray(run.start, run.end), [], [], run.count));
  }

  #addToRun(bytes: Uint8Array, start: number, end: number): void {
    if (this.#run !== null && this.#run.bytes === bytes && this.#run.end === start) {
      this.#run.end = end;
      this.#run.count++;
    } else {
      this.#endRun();
      this.#run = { bytes, start, end, count: 1 };
    }
  }

  #take(bytes: Uint8Array, start: number, end: number, kind: PieceKind, lines: number): void {
    if (kind !== 'frame') {
      if (this.#isDone) return;
      const events: CanonicalEvent[] = kind === 'large' ? [{ type: 'unknown_content' }] : [];
      this.#emit(frameOf(bytes.subarray(start, end), events, [], kind === 'large' ? 1 : 0));
      return;
    }
    const from = blockStart(bytes, start, end);
    if (this.#isDone) this.#emit(leftOut({ type: 'noise' }, 'noise_left_out'));
    else if (lines === 1 && isAt(bytes, from, end, 'data:')) this.#takeLine(bytes, start, end, from);
    else if (lines === 0) this.#emit(frameOf(bytes.subarray(start, end), [{ type: 'comment' }]));
    else this.#takeBlock({ bytes, start, end, from });
  }

  /** The common form: one `data` line. */
  #takeLine(bytes: Uint8Array, start: number, end: number, from: number): void {
    const data = trimSpan(bytes, { start: from + 5, end });
    if (this.#isRelaxed && this.#options.choices === 1 && bytes[data.start] === 0x7b) {
      const seen = this.#glance(bytes, data.start, data.end);
      if (seen.kind === 'quiet' && this.#state.head !== null && !hasBom(bytes, start, end)) {
        choiceOf(this.#state, 0).hasOutput = true;
        if (seen.model === null || this.#hasName(bytes, seen.model)) this.#addToRun(bytes, start, end);
        else this.#emit(frameOf(this.#renamed(bytes, start, end, seen.model), [], ['model_renamed']));
        return;
      }
    }
    this.#takeData({ bytes, start, end, from }, data, null);
  }

  #hasName(bytes: Uint8Array, { start, end }: Span): boolean {
    const name = JSON.stringify(this.#options.renameModel);
    return end - start === name.length && isAt(bytes, start, end, name);
  }

  #renamed(bytes: Uint8Array, start: number, end: number, model: Span): Uint8Array {
    const text = encodeUtf8(JSON.stringify(this.#options.renameModel));
    return concatBytes(applyEdits(bytes, [{ ...model, text }], start, end));
  }

  /** Any other form: comments, fields, several data lines. */
  #takeBlock(raw: RawFrame): void {
    const { bytes } = raw;
    const block = readBlock(bytes, raw.from, raw.end);
    if (block.event === 'error' || block.errors.length > 0) {
      this.#takeErrorBlock(bytes, block);
      return;
    }
    const [first] = block.data;
    if (first === undefined) {
      const type = block.event === '' ? 'comment' : 'ping';
      this.#emit(frameOf(this.#withoutBom(raw), [{ type }]));
      return;
    }
    if (block.data.length === 1) {
      this.#takeData(raw, trimSpan(bytes, first), null);
      return;
    }
    const joined = concatBytes(block.data.map(({ start, end }) => bytes.subarray(start, end)));
    if (isJson(withLineEnds(bytes, block.data)) && joined.includes(0x7b)) {
      this.#takeJoined(raw, block, joined);
      return;
    }
    this.#takeLines(raw, block);
  }

  /** JSON over several lines becomes one line; the other lines of the frame stay in front of it. */
  #takeJoined(raw: RawFrame, block: Block, joined: Uint8Array): void {
    const lines = block.others.flatMap(({ start, end }) => [raw.bytes.subarray(start, end), encodeUtf8('\n')]);
    const bytes = concatBytes([...lines, encodeUtf8('data: '), joined, encodeUtf8('\n\n')]);
    const end = bytes.length - 2;
    this.#takeData(
      { bytes, start: 0, end: bytes.length, from: 0 },
      trimSpan(bytes, { start: end - joined.length, end }),
      'data_lines_joined',
    );
  }

  /** Data lines that do not make one JSON text: each may be a frame whose blank line was forgotten. */
  #takeLines(raw: RawFrame, block: Block): void {
    const spans = block.data.map((span) => trimSpan(raw.bytes, span)).filter(({ start, end }) => end > start);
    const areFrames = spans.every(
      (span) =>
        isDoneMark(raw.bytes, span) || (raw.bytes[span.start] === 0x7b && isJson(raw.bytes, span.start, span.end)),
    );
    const isBroken = !areFrames && spans.some(({ start }) => raw.bytes[start] === 0x7b);
    if (isBroken) {
      this.#takeBroken();
      return;
    }
    if (!areFrames || spans.length === 0) {
      this.#emit(leftOut({ type: 'noise' }, 'noise_left_out'));
      return;
    }
    for (const { start, end } of spans) {
      if (this.#isDone) return;
      const head = encodeUtf8('data: ');
      const bytes = concatBytes([head, raw.bytes.subarray(start, end), encodeUtf8('\n\n')]);
      const data = { start: head.length, end: bytes.length - 2 };
      this.#takeData({ bytes, start: 0, end: bytes.length, from: 0 }, data, 'data_lines_joined');
    }
  }

  /** The name of the event or field says enough; its data is read as far as it can be. */
  #takeErrorBlock(bytes: Uint8Array, block: Block): void {
    const spans = [...block.errors, ...block.data].map((span) => trimSpan(bytes, span));
    const text = ({ start, end }: Span): string => decodeUtf8(bytes.subarray(start, end));
    const object = spans.find(({ start, end }) => bytes[start] === 0x7b && isJson(bytes, start, end));
    const whole = spans.map(text).join('\n');
    const value = parseJson(object === undefined ? whole : text(object));
    this.#takeError(value === undefined || typeof value === 'number' ? errorFromText(whole) : errorOf(value));
  }

  #takeError(error: ReturnType<typeof errorOf>): void {
    this.#isFailed = true;
    this.#emit(leftOut({ type: 'error', error }, 'error_replaced'));
  }

  #takeBroken(): void {
    const isDropped = this.#options.onMalformed === 'drop' && !isInToolCall(this.#state);
    if (!isDropped) this.#isFailed = true;
    this.#emit(leftOut({ type: isDropped ? 'noise' : 'malformed' }, 'malformed_left_out'));
  }

  #takeDone(bytes: Uint8Array, edits: readonly RelayEdit[]): void {
    if (!this.#isFailed) {
      const closing = closeBeforeDone(this.#state, this.#options.renameModel);
      this.#emit(...closing);
      if (closing.some(({ events }) => events.some(({ type }) => type === 'cut'))) {
        this.#isFailed = true;
        return;
      }
    }
    this.#isDone = true;
    this.#emit(frameOf(bytes, [{ type: 'done' }], edits));
  }

  /** One data field, by what it begins with. */
  #takeData(raw: RawFrame, data: Span, edit: RelayEdit | null): void {
    const { bytes } = raw;
    const edits = edit === null ? [] : [edit];
    if (isDoneMark(bytes, data)) {
      this.#takeDone(this.#withoutBom(raw), edits);
      return;
    }
    if (bytes[data.start] === 0x7b) {
      if (isJson(bytes, data.start, data.end)) this.#takeChunk(raw, data, edits);
      else this.#takeBroken();
      return;
    }
    const error = bytes[data.start] === 0x5b ? errorInList(decodeUtf8(bytes.subarray(data.start, data.end))) : null;
    if (error !== null) this.#takeError(error);
    else this.#emit(leftOut({ type: 'noise' }, 'noise_left_out'));
  }

  #takeChunk(raw: RawFrame, data: Span, before: readonly RelayEdit[]): void {
    const { bytes } = raw;
    const chunk = JSON.parse(decodeUtf8(bytes.subarray(data.start, data.end))) as WireChunk;
    const out: MendList = { mends: [], edits: new Set(before) };
    const { events, isUsageOnly } = inspectChunk(chunk, this.#state, out);
    const last = events.at(-1);
    if (last?.type === 'error') {
      this.#takeError(last.error);
      return;
    }
    if (last?.type === 'finish' && (last.reason === 'error' || last.reason === 'bad_generation')) this.#isFailed = true;
    if (isUsageOnly && !this.#options.usageAsked) {
      this.#emit(frameOf(EMPTY, events, ['usage_chunk_left_out']));
      return;
    }
    if (isUsageOnly && !Array.isArray(chunk.choices)) mend(out, 'choices_added', ['choices'], { set: '[]' });
    const { renameModel } = this.#options;
    if (renameModel !== null && typeof chunk.model === 'string' && chunk.model !== renameModel) {
      mend(out, 'model_renamed', ['model'], { set: JSON.stringify(renameModel) });
    }
    if (hasBom(bytes, raw.start, raw.end)) out.edits.add('noise_left_out');
    this.#emit(frameOf(this.#mended(raw, data, out), events, [...out.edits]));
  }

  #mended(raw: RawFrame, data: Span, { mends }: MendList): Uint8Array {
    const index = mends.length === 0 ? null : indexJson(raw.bytes, MEND_DEPTH, data.start, data.end);
    if (index === null) return this.#withoutBom(raw);
    const start = hasBom(raw.bytes, raw.start, raw.end) ? raw.from : raw.start;
    return concatBytes(applyEdits(raw.bytes, mendEdits(index, mends), start, raw.end));
  }

  /** Comments of ours may stand in front of the first frame: a byte order mark would then be read as a part of a name. */
  #withoutBom({ bytes, start, end, from }: RawFrame): Uint8Array {
    return bytes.subarray(hasBom(bytes, start, end) ? from : start, end);
  }
}

const isDoneMark = (bytes: Uint8Array, { start, end }: Span): boolean =>
  end - start === 6 && isAt(bytes, start, end, '[DONE]');

/** Data lines as the format joins them. */
const withLineEnds = (bytes: Uint8Array, data: readonly Span[]): Uint8Array =>
  concatBytes(data.flatMap(({ start, end }) => [bytes.subarray(start, end), encodeUtf8('\n')]));

/** Some gateways wrap an error object into a list of one. */
function errorInList(text: string): ReturnType<typeof errorIn> {
  const list = parseJson(text);
  const [first] = Array.isArray(list) ? list : [];
  return typeof first === 'object' && first !== null ? errorIn(first as WireChunk) : null;
}
