import type { BlockStart } from '../../core/model/answer.ts';
import type { Citation, OpaqueState } from '../../core/model/content.ts';
import type { FinishReason } from '../../core/model/finish.ts';
import type { JsonObject, JsonValue } from '../../core/model/json-value.ts';
import type { AnswerOptions } from '../translation.ts';
import { AUDIO_SECONDS, annotationOf, imageOfAnswer } from './answer-things.ts';
import { writeFinish } from './finish.ts';
import { membersOfCallState, membersOfState } from './reasoning-state.ts';

type Growing = 'text' | 'refusal' | 'reasoning' | 'tool_call';

/** A block that is open. */
type Block = {
  readonly type: Growing | 'whole';
  /** Of a call: its place among the calls, and whether its input is of a custom tool. */
  readonly index: number;
  readonly kind: 'function' | 'custom';
  /** Of a text: where it begins in the message. */
  readonly base: number;
  length: number;
  section: number | null;
  state: OpaqueState | null;
  /** The piece that opens a call, until it is known whether a state belongs to it. */
  opening: JsonObject | null;
};

/** Members of a delta by which texts grow. */
const GROWS = { text: 'content', refusal: 'refusal', reasoning: 'reasoning_content' } as const;

const isGrowing = (type: BlockStart['type']): type is Growing => type in GROWS || type === 'tool_call';

/** The chunks of one choice. */
export class ChoiceWriter {
  readonly #index: number;
  readonly #options: AnswerOptions;
  readonly #emit: (wire: JsonObject) => void;
  readonly #blocks = new Map<number, Block>();
  readonly #ids = new Set<string>();
  readonly #annotations: JsonObject[] = [];
  #calls = 0;
  #said = 0;
  #last: Block | null = null;
  #hasRole = false;
  #isFinished = false;
  /** A call has not been told of yet. */
  #isWaiting = false;

  constructor(index: number, options: AnswerOptions, emit: (wire: JsonObject) => void) {
    this.#index = index;
    this.#options = options;
    this.#emit = emit;
  }

  #write(delta: JsonObject, rest: JsonObject = {}): void {
    this.#emit({ index: this.#index, delta, ...rest, finish_reason: null });
  }

  /** The role comes first. What begins without words has no content; a message of nothing has an empty text. */
  #begin(content: '' | null): void {
    if (this.#hasRole) return;
    this.#hasRole = true;
    this.#write({ role: 'assistant', content, refusal: null });
  }

  /** False: nothing follows of it. */
  open(block: number, content: BlockStart): boolean {
    // A call without a name is one that nobody can run.
    if (this.#isFinished || (content.type === 'tool_call' && content.name === '')) return false;
    this.flush();
    if (content.type !== 'text') this.#begin(null);
    const opened: Block = {
      type: isGrowing(content.type) ? content.type : 'whole',
      index: this.#calls,
      kind: content.type === 'tool_call' ? content.kind : 'function',
      base: this.#said,
      length: 0,
      section: null,
      state: null,
      opening: content.type === 'tool_call' ? this.#openCall(content) : null,
    };
    this.#blocks.set(block, opened);
    this.#last = opened;
    this.#isWaiting = opened.opening !== null;
    this.#writeWhole(content);
    return true;
  }

  #openCall(call: BlockStart & { readonly type: 'tool_call' }): JsonObject {
    const index = this.#calls++;
    const isGood = call.id !== '' && !this.#ids.has(call.id);
    const id = isGood ? call.id : this.#options.createId('call_');
    this.#ids.add(id);
    const tool = call.kind === 'function' ? { name: call.name, arguments: '' } : { name: call.name, input: '' };
    return { index, id, type: call.kind, [call.kind]: tool };
  }

  #writeWhole(content: BlockStart): void {
    if (content.type === 'image') this.#write({ images: [imageOfAnswer(content)] });
    else if (content.type === 'audio') {
      const { data, transcript = '' } = content;
      const expires = Math.floor(this.#options.now / 1000) + AUDIO_SECONDS;
      this.#write({ audio: { id: this.#options.createId('audio_'), data, transcript, expires_at: expires } });
    } else if (content.type === 'native' && content.protocol === 'openai-chat' && content.what === 'image_url') {
      this.#write({ images: [content.value] });
    }
  }

  grow(number: number, text: string, section = 0): void {
    const block = this.#blocks.get(number);
    if (block === undefined || block.type === 'whole' || text === '') return;
    this.flush();
    this.#begin(block.type === 'text' ? '' : null);
    if (block.type === 'tool_call') {
      this.#growCall(block, text);
      return;
    }
    // Sections are told apart by what tells paragraphs apart.
    const isNext = block.section !== null && block.section !== section;
    block.section = section;
    const grown = isNext ? `\n\n${text}` : text;
    block.length += grown.length;
    if (block.type === 'text') this.#said += grown.length;
    this.#write({ [GROWS[block.type]]: grown });
  }

  #growCall(block: Block, text: string): void {
    block.length += text.length;
    const piece = block.kind === 'function' ? { function: { arguments: text } } : { custom: { input: text } };
    this.#write({ tool_calls: [{ index: block.index, ...piece }] });
  }

  /** Tells of the calls that wait. */
  flush(): void {
    if (!this.#isWaiting) return;
    this.#isWaiting = false;
    for (const block of this.#blocks.values()) {
      if (block.opening === null) continue;
      this.#write({ tool_calls: [{ ...block.opening, ...this.#takeState(block) }] });
      block.opening = null;
    }
  }

  #takeState(block: Block): JsonObject {
    const { state } = block;
    block.state = null;
    return state === null ? {} : membersOfCallState(state.value);
  }

  /** Annotations come all at once at the end: client libraries keep the last list only. */
  cite(number: number, citation: Citation): void {
    const block = this.#blocks.get(number);
    const annotation = block?.type === 'text' ? annotationOf(citation, block.base, block.length) : null;
    if (annotation !== null) this.#annotations.push(annotation);
  }

  /** Only its issuer's own are written; a later one replaces it. */
  keep(number: number, state: OpaqueState): void {
    const block = this.#blocks.get(number);
    if (block !== undefined && state.issuer === 'openai-chat') block.state = state;
  }

  /** Log probabilities belong to what was said last. */
  weigh(content: readonly JsonValue[]): void {
    if (this.#isFinished || content.length === 0) return;
    this.#begin(null);
    const isRefusal = this.#last?.type === 'refusal';
    // A list of its own: whoever puts chunks together lets lists grow.
    const list = [...content];
    this.#write({}, { logprobs: isRefusal ? { content: null, refusal: list } : { content: list, refusal: null } });
  }

  close(number: number): void {
    const block = this.#blocks.get(number);
    if (block === undefined) return;
    if (block.type === 'tool_call') this.#closeCall(block);
    else if (block.type === 'reasoning' && block.state !== null) {
      // Thoughts went out already; their place is left.
      const members = Object.entries(membersOfState(block.state.value, '')).filter(([, value]) => value !== '');
      if (members.length > 0) this.#write(Object.fromEntries(members));
    }
    this.#blocks.delete(number);
  }

  /** No input at all is an empty object, which clients can read. */
  #closeCall(block: Block): void {
    this.flush();
    if (block.length === 0 && block.kind === 'function') this.#growCall(block, '{}');
    const late = this.#takeState(block);
    if (Object.keys(late).length > 0) this.#write({ tool_calls: [{ index: block.index, ...late }] });
  }

  /** `reason`: null, where nobody told it. */
  finish(reason: FinishReason | null): void {
    if (this.#isFinished) return;
    this.#begin('');
    for (const number of this.#blocks.keys()) this.close(number);
    if (this.#annotations.length > 0) this.#write({ annotations: this.#annotations });
    this.#isFinished = true;
    this.#emit({ index: this.#index, delta: {}, finish_reason: writeFinish(reason, this.#calls > 0) });
  }
}
