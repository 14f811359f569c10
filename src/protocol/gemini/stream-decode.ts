import type { CanonicalEvent, RelayEdit } from '../../core/model/event.ts';
import type { Usage } from '../../core/model/usage.ts';
import { applyEdits, concatBytes, decodeUtf8, EMPTY, indexJson, mendEdits } from '../json/index.ts';
import { EventStreamDecoder, type RawFrame } from '../shared/event-stream.ts';
import { type MendList, mend } from '../shared/mend-list.ts';
import { parseJson } from '../shared/wire-error.ts';
import { hasBom, isAt, type Span, trimSpan } from '../sse/index.ts';
import type { DecoderOptions, StreamDecoder } from '../types.ts';
import { frameOf } from './emit.ts';
import { readFinish } from './finish.ts';
import { candidateOf, finishEvents, hasCalls, haveAllEnded, inspectChunk, startAnswer } from './inspect.ts';
import { createGlancer } from './quiet.ts';
import { isObject, type WireChunk } from './types.ts';
import { readUsage } from './usage.ts';
import { errorIn } from './wire-error.ts';

/** As deep as the deepest mend: candidates, candidate, content, parts, part, functionCall, args. */
export const MEND_DEPTH = 7;

/** The end of an answer in the bytes of a frame that nobody reads; in a text its quotes would be escaped. */
const FINISH = /"finishReason"\s*:\s*"([A-Z_]{1,64})"/;

/** As much as that may be cut in two. */
const FINISH_BYTES = 256;

/** `streamGenerateContent?alt=sse`; see `StreamDecoder`. There is no end mark: a chunk with a reason is the end. */
export function createStreamDecoder(options: DecoderOptions): StreamDecoder {
  return new GeminiStreamDecoder(options);
}

class GeminiStreamDecoder extends EventStreamDecoder {
  readonly #state;
  readonly #glance = createGlancer();
  /** The last chunk that was not read: it may tell the usage so far. */
  #unread: { readonly bytes: Uint8Array; readonly data: Span } | null = null;
  #tail = '';

  constructor(options: DecoderOptions) {
    super(options);
    this.#state = startAnswer(options.choices);
  }

  usage(): Usage | null {
    const unread = this.#unread;
    if (unread !== null) {
      this.#unread = null;
      const { start, end } = unread.data;
      const chunk = parseJson(decodeUtf8(unread.bytes.subarray(start, end)));
      if (isObject<WireChunk>(chunk)) this.#state.usage = readUsage(chunk.usageMetadata) ?? this.#state.usage;
    }
    return this.#state.usage;
  }

  answerId(): string | null {
    return this.#state.answerId;
  }

  servedModel(): string | null {
    return this.#state.servedModel;
  }

  protected override errorIn(value: object): ReturnType<typeof errorIn> {
    return errorIn(value);
  }

  /** A call is whole in its part. */
  protected override isInToolCall(): boolean {
    return false;
  }

  protected override isAnswered(): boolean {
    return this.#state.isFinished;
  }

  /** Other protocols' end mark says nothing here. */
  protected override takeMark(raw: RawFrame | null): void {
    if (raw !== null) this.takeNoise();
  }

  /** Behind a tool call only a clean end proves that no error was on its way. */
  protected override closeBody(clean: boolean): void {
    const state = this.#state;
    if (clean && !state.isFinished && haveAllEnded(state)) this.emit(frameOf(EMPTY, finishEvents(state), [], 0));
    if (!state.isFinished || !(clean || !hasCalls(state))) return;
    this.isDone = true;
    this.emit(frameOf(EMPTY, [{ type: 'done' }], [], 0));
  }

  /** Pictures make frames beyond the bound, in which the end of the answer may stand. */
  protected override takeLarge(bytes: Uint8Array, isFirst: boolean): void {
    super.takeLarge(bytes, isFirst);
    if (this.isDone || this.#state.isFinished || this.isFailed) return;
    const text = (isFirst ? '' : this.#tail) + decodeUtf8(bytes);
    this.#tail = text.slice(-FINISH_BYTES);
    const word = FINISH.exec(text)?.[1];
    const candidate = candidateOf(this.#state, 0);
    candidate.hasOutput = true;
    if (word === undefined || this.options.choices !== 1) return;
    candidate.finish ??= { reason: readFinish(word, candidate), raw: word };
    this.emit(frameOf(EMPTY, finishEvents(this.#state), [], 0));
  }

  /** The common form: one `data` line. */
  protected override takeQuiet(bytes: Uint8Array, start: number, end: number, from: number, lines: number): boolean {
    const { choices, renameModel } = this.options;
    if (lines !== 1 || choices !== 1 || renameModel !== null || !isAt(bytes, from, end, 'data:')) return false;
    const data = trimSpan(bytes, { start: from + 5, end });
    if (bytes[data.start] !== 0x7b || hasBom(bytes, start, end) || !this.#glance(bytes, data.start, data.end)) {
      return false;
    }
    candidateOf(this.#state, 0).hasOutput = true;
    this.#unread = { bytes, data };
    this.addToRun(bytes, start, end);
    return true;
  }

  protected override takeObject(raw: RawFrame, data: Span, before: readonly RelayEdit[]): void {
    const { bytes, start, end } = raw;
    const chunk = JSON.parse(decodeUtf8(bytes.subarray(data.start, data.end))) as WireChunk;
    const out: MendList = { mends: [], edits: new Set(before) };
    const events = inspectChunk(chunk, this.#state, out);
    if (chunk.usageMetadata !== undefined) this.#unread = null;
    const last = events.at(-1);
    if (last?.type === 'error') this.takeError(last.error);
    else if (last?.type === 'malformed') this.takeBroken();
    else {
      if (last !== undefined && isFailedFinish(last)) this.isFailed = true;
      renameIn(chunk, this.options.renameModel, out);
      if (hasBom(bytes, start, end)) out.edits.add('noise_left_out');
      this.emit(frameOf(this.#mended(raw, data, out), events, [...out.edits]));
    }
  }

  #mended(raw: RawFrame, data: Span, { mends }: MendList): Uint8Array {
    const index = mends.length === 0 ? null : indexJson(raw.bytes, MEND_DEPTH, data.start, data.end);
    if (index === null) return this.withoutBom(raw);
    const start = hasBom(raw.bytes, raw.start, raw.end) ? raw.from : raw.start;
    return concatBytes(applyEdits(raw.bytes, mendEdits(index, mends), start, raw.end));
  }
}

/** For `responseModel: virtual`: the name that the answer is to carry. */
export function renameIn({ modelVersion }: WireChunk, renameModel: string | null, out: MendList): void {
  if (renameModel === null || typeof modelVersion !== 'string' || modelVersion === renameModel) return;
  mend(out, 'model_renamed', ['modelVersion'], { set: JSON.stringify(renameModel) });
}

const isFailedFinish = (event: CanonicalEvent): boolean =>
  event.type === 'finish' && (event.reason === 'error' || event.reason === 'bad_generation');
