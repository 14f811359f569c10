import type { BlockStart } from '../../core/model/answer.ts';
import type { OpaqueState } from '../../core/model/content.ts';
import type { JsonObject } from '../../core/model/json-value.ts';
import { stringifyExact } from '../json/index.ts';
import { isJsonObject } from '../shared/json-object.ts';
import { shownCitation } from './citations.ts';
import { sealOf } from './thoughts.ts';
import type { BlockEvent, WireOut } from './wire-out.ts';

/** Native blocks whose input comes in deltas. */
const FED: ReadonlySet<string> = new Set(['server_tool_use', 'mcp_tool_use']);

const TEXT: JsonObject = { type: 'text', text: '' };
const THINKING: JsonObject = { type: 'thinking', thinking: '', signature: '' };

/**
 * One block on the wire, from its start to its stop. Text and thoughts begin with their first piece: an empty block says
 * nothing, and would be refused in the next request.
 */
export class BlockText {
  readonly #out: WireOut[];
  readonly #index: number;
  readonly #start: BlockStart;
  readonly isCall: boolean;
  #isOpen = false;
  #state: OpaqueState | undefined;
  #section: number | undefined;
  /** What the input of a call is, as far as it began; and white space that came before that. */
  #input: 'new' | 'object' | 'text' = 'new';
  #held = '';

  constructor(out: WireOut[], index: number, start: BlockStart, createId: (prefix: string) => string) {
    this.#out = out;
    this.#index = index;
    this.#start = start;
    this.isCall = start.type === 'tool_call';
    if (start.type === 'tool_call') {
      const id = start.id === '' ? createId('toolu_') : start.id;
      this.#open({ type: 'tool_use', id, name: start.name, input: {} });
      if (start.kind === 'custom') this.#wrap();
    } else if (start.type === 'native') this.#tell(start.what, start.value);
  }

  #open(block: JsonObject, index = this.#index): void {
    this.#isOpen = true;
    this.#out.push({ type: 'content_block_start', index, content_block: block });
  }

  #delta(delta: JsonObject): void {
    this.#out.push({ type: 'content_block_delta', index: this.#index, delta });
  }

  #feed(text: string): void {
    if (text !== '') this.#delta({ type: 'input_json_delta', partial_json: text });
  }

  #tell(what: string, value: JsonObject): void {
    const { input } = value;
    const isFed = FED.has(what) && isJsonObject(input) && Object.keys(input).length > 0;
    this.#open({ ...value, type: what, ...(isFed ? { input: {} } : {}) });
    if (isFed) this.#feed(stringifyExact(input));
  }

  add(event: BlockEvent): void {
    const { type } = this.#start;
    if (event.type === 'state') this.#state = type === 'reasoning' ? event.state : undefined;
    else if (event.type === 'citation') this.#cite(event);
    else if (event.text !== '') this.#say(event.text, event.section);
  }

  #say(text: string, section: number | undefined): void {
    const start = this.#start;
    if (start.type === 'tool_call') this.#call(text);
    else if (start.type === 'reasoning') {
      const isNext = this.#isOpen && section !== undefined && section !== this.#section;
      if (!this.#isOpen) this.#open(THINKING);
      this.#section = section ?? this.#section;
      this.#delta({ type: 'thinking_delta', thinking: isNext ? `\n\n${text}` : text });
    } else if (start.type === 'text' || start.type === 'refusal') {
      if (!this.#isOpen) this.#open(TEXT);
      this.#delta({ type: 'text_delta', text });
    }
  }

  /** The input of a call has to be an object: what does not begin like one becomes a text in its only member. */
  #call(text: string): void {
    if (this.#input === 'new') {
      this.#held += text;
      const first = this.#held.trimStart()[0];
      if (first === undefined) return;
      if (first === '{') this.#input = 'object';
      else this.#wrap();
    }
    const told = this.#held === '' ? text : this.#held;
    this.#held = '';
    this.#feed(this.#input === 'text' ? JSON.stringify(told).slice(1, -1) : told);
  }

  #wrap(): void {
    this.#input = 'text';
    this.#feed('{"input":"');
  }

  #cite({ citation }: Extract<BlockEvent, { readonly type: 'citation' }>): void {
    const shown = this.#start.type === 'text' ? shownCitation(citation) : null;
    if (shown === null) return;
    if (!this.#isOpen) this.#open(TEXT);
    this.#delta({ type: 'citations_delta', citation: shown });
  }

  /** Closes it; how many blocks it has become. Data in cipher has a block of its own, without a text. */
  end(): number {
    if (this.#input === 'text') this.#feed('"}');
    const seal = sealOf(this.#state);
    if (seal !== null && 'signature' in seal) {
      if (!this.#isOpen) this.#open(THINKING);
      this.#delta({ type: 'signature_delta', signature: seal.signature });
    }
    const count = this.#isOpen ? this.#stop(this.#index) : 0;
    if (seal === null || !('data' in seal)) return count;
    this.#open({ type: 'redacted_thinking', data: seal.data }, this.#index + count);
    return count + this.#stop(this.#index + count);
  }

  #stop(index: number): number {
    this.#out.push({ type: 'content_block_stop', index });
    return 1;
  }
}
