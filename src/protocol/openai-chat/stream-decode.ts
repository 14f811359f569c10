import type { CanonicalEvent, RelayEdit } from '../../core/model/event.ts';
import type { Usage } from '../../core/model/usage.ts';
import { applyEdits, concatBytes, decodeUtf8, EMPTY, encodeUtf8, indexJson, mendEdits } from '../json/index.ts';
import { EventStreamDecoder, type RawFrame } from '../shared/event-stream.ts';
import { type MendList, mend } from '../shared/mend-list.ts';
import { hasBom, isAt, type Span, trimSpan } from '../sse/index.ts';
import type { DecoderOptions, StreamDecoder } from '../types.ts';
import { DONE_BYTES, frameOf, leftOut } from './emit.ts';
import { closeBeforeDone, hasToolCalls, haveAllEnded, isInToolCall } from './ending.ts';
import { choiceOf, inspectChunk, startAnswer } from './inspect.ts';
import { createGlancer } from './quiet.ts';
import { nonEmpty, type WireChunk } from './types.ts';
import { errorIn } from './wire-error.ts';

/** As deep as the deepest mend: choices, choice, delta, tool_calls, call, function, arguments. */
const MEND_DEPTH = 7;

/** Chat Completions as server-sent events; see `StreamDecoder`. */
export function createStreamDecoder(options: DecoderOptions): StreamDecoder {
  return new ChatStreamDecoder(options);
}

class ChatStreamDecoder extends EventStreamDecoder {
  readonly #state;
  readonly #glance;

  constructor(options: DecoderOptions) {
    super(options);
    this.#glance = createGlancer(options.renameModel !== null);
    this.#state = startAnswer(options.choices);
  }

  usage(): Usage | null {
    return this.#state.usage;
  }

  servedModel(): string | null {
    return nonEmpty(this.#state.head?.model);
  }

  protected override errorIn(value: object): ReturnType<typeof errorIn> {
    return errorIn(value);
  }

  protected override isInToolCall(): boolean {
    return isInToolCall(this.#state);
  }

  protected override isAnswered(): boolean {
    return this.#state.isFinished;
  }

  protected override closeBody(clean: boolean): void {
    const state = this.#state;
    if (clean && !state.isFinished && haveAllEnded(state)) this.emit(...closeBeforeDone(state, null));
    // Behind a tool call only a clean end proves that no error was on its way.
    if (!state.isFinished || !(clean || !hasToolCalls(state))) return;
    this.isDone = true;
    this.emit(frameOf(DONE_BYTES, [{ type: 'done' }], ['done_added'], 0));
  }

  /** The common form: one `data` line. */
  protected override takeQuiet(bytes: Uint8Array, start: number, end: number, from: number, lines: number): boolean {
    if (lines !== 1 || this.options.choices !== 1 || this.#state.head === null || !isAt(bytes, from, end, 'data:')) {
      return false;
    }
    const data = trimSpan(bytes, { start: from + 5, end });
    if (bytes[data.start] !== 0x7b || hasBom(bytes, start, end)) return false;
    const seen = this.#glance(bytes, data.start, data.end);
    if (seen.kind !== 'quiet') return false;
    choiceOf(this.#state, 0).hasOutput = true;
    if (seen.model === null || this.#hasName(bytes, seen.model)) this.addToRun(bytes, start, end);
    else this.emit(frameOf(this.#renamed(bytes, start, end, seen.model), [], ['model_renamed']));
    return true;
  }

  #hasName(bytes: Uint8Array, { start, end }: Span): boolean {
    const name = JSON.stringify(this.options.renameModel);
    return end - start === name.length && isAt(bytes, start, end, name);
  }

  #renamed(bytes: Uint8Array, start: number, end: number, model: Span): Uint8Array {
    const text = encodeUtf8(JSON.stringify(this.options.renameModel));
    return concatBytes(applyEdits(bytes, [{ ...model, text }], start, end));
  }

  protected override takeMark(raw: RawFrame | null, edits: readonly RelayEdit[]): void {
    if (!this.isFailed) {
      const closing = closeBeforeDone(this.#state, this.options.renameModel);
      this.emit(...closing);
      if (closing.some(({ events }) => events.some(({ type }) => type === 'cut'))) {
        this.isFailed = true;
        return;
      }
    }
    this.isDone = true;
    this.emit(frameOf(raw === null ? DONE_BYTES : this.withoutBom(raw), [{ type: 'done' }], edits));
  }

  protected override takeObject(raw: RawFrame, data: Span, before: readonly RelayEdit[]): void {
    const { bytes } = raw;
    const chunk = JSON.parse(decodeUtf8(bytes.subarray(data.start, data.end))) as WireChunk;
    const out: MendList = { mends: [], edits: new Set(before) };
    const { events, isUsageOnly } = inspectChunk(chunk, this.#state, out);
    const last = events.at(-1);
    if (last !== undefined && this.#takeAside(last, [...out.edits])) return;
    if (last?.type === 'finish' && (last.reason === 'error' || last.reason === 'bad_generation')) this.isFailed = true;
    if (isUsageOnly && !this.options.usageAsked) {
      this.emit(frameOf(EMPTY, events, ['usage_chunk_left_out']));
      return;
    }
    if (isUsageOnly && !Array.isArray(chunk.choices)) mend(out, 'choices_added', ['choices'], { set: '[]' });
    const { renameModel } = this.options;
    if (renameModel !== null && typeof chunk.model === 'string' && chunk.model !== renameModel) {
      mend(out, 'model_renamed', ['model'], { set: JSON.stringify(renameModel) });
    }
    if (hasBom(bytes, raw.start, raw.end)) out.edits.add('noise_left_out');
    this.emit(frameOf(this.#mended(raw, data, out), events, [...out.edits]));
  }

  /** A chunk that is no part of an answer, or of which nothing is left. */
  #takeAside(event: CanonicalEvent, edits: readonly RelayEdit[]): boolean {
    if (event.type === 'error') this.takeError(event.error);
    else if (event.type === 'malformed') this.takeBroken();
    else if (event.type === 'noise') this.emit(leftOut(event, ...edits));
    else return false;
    return true;
  }

  #mended(raw: RawFrame, data: Span, { mends }: MendList): Uint8Array {
    const index = mends.length === 0 ? null : indexJson(raw.bytes, MEND_DEPTH, data.start, data.end);
    if (index === null) return this.withoutBom(raw);
    const start = hasBom(raw.bytes, raw.start, raw.end) ? raw.from : raw.start;
    return concatBytes(applyEdits(raw.bytes, mendEdits(index, mends), start, raw.end));
  }
}
