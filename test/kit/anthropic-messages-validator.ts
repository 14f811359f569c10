type Json = Readonly<Record<string, unknown>>;

// What Anthropic's documentation of streaming promises of a stream of Messages, as a list of what a stream breaks.

const isObject = (value: unknown): value is Json =>
  typeof value === 'object' && value !== null && !Array.isArray(value);
const isCount = (value: unknown): boolean => typeof value === 'number' && Number.isInteger(value) && value >= 0;
const isCountOrNull = (value: unknown): boolean => value === undefined || value === null || isCount(value);
const isFilled = (value: unknown): boolean => typeof value === 'string' && value !== '';

/** Deltas that a block of a type may get, with the member of each. */
const DELTAS: Readonly<Record<string, Readonly<Record<string, string>>>> = {
  text: { text_delta: 'text', citations_delta: 'citation' },
  thinking: { thinking_delta: 'thinking', signature_delta: 'signature' },
  tool_use: { input_json_delta: 'partial_json' },
  server_tool_use: { input_json_delta: 'partial_json' },
  mcp_tool_use: { input_json_delta: 'partial_json' },
  compaction: { compaction_delta: 'content' },
};

/** What the start of a block has to hold, by its type. */
const STARTS: Readonly<Record<string, (block: Json) => boolean>> = {
  text: ({ text }) => typeof text === 'string',
  thinking: ({ thinking, signature }) => typeof thinking === 'string' && typeof signature === 'string',
  redacted_thinking: ({ data }) => isFilled(data),
  tool_use: ({ id, name, input }) => isFilled(id) && typeof name === 'string' && isObject(input),
};

class Validator {
  readonly faults: string[] = [];
  #phase: 'new' | 'content' | 'ending' | 'done' = 'new';
  #open: { readonly type: string; isSigned: boolean } | null = null;
  #count = 0;

  fault(at: number, words: string): void {
    this.faults.push(`event ${at}: ${words}`);
  }

  read(at: number, event: Json): void {
    const type = String(event['type']);
    if (this.#phase === 'done') this.fault(at, `${type} behind message_stop`);
    else if (type === 'message_start') this.#start(at, event['message']);
    else if (type === 'ping') return;
    else if (this.#phase === 'new') this.fault(at, `${type} before message_start`);
    else if (type === 'content_block_start') this.#openBlock(at, event);
    else if (type === 'content_block_delta') this.#delta(at, event);
    else if (type === 'content_block_stop') this.#closeBlock(at, event);
    else if (type === 'message_delta') this.#update(at, event);
    else if (type === 'message_stop') this.#stop(at);
    else this.fault(at, `${type} is no event`);
  }

  end(): void {
    if (this.#phase !== 'done') this.faults.push('the end came before message_stop');
  }

  #start(at: number, message: unknown): void {
    if (this.#phase !== 'new') this.fault(at, 'a second message_start');
    this.#phase = 'content';
    if (!isObject(message)) {
      this.fault(at, 'no message');
      return;
    }
    const { id, type, role, model, content, stop_reason: reason, stop_sequence: sequence, usage } = message;
    if (!isFilled(id)) this.fault(at, 'no id');
    if (type !== 'message' || role !== 'assistant') this.fault(at, 'no message of the assistant');
    if (typeof model !== 'string') this.fault(at, 'no model');
    if (!Array.isArray(content) || content.length > 0) this.fault(at, 'content at the start');
    if (reason !== null || sequence !== null) this.fault(at, 'a reason at the start');
    this.#usage(at, usage, ['input_tokens', 'output_tokens']);
  }

  #usage(at: number, usage: unknown, needed: readonly string[]): void {
    if (!isObject(usage)) {
      this.fault(at, 'no usage');
      return;
    }
    for (const name of needed) if (!isCount(usage[name])) this.fault(at, `${name} is no number`);
    for (const name of ['input_tokens', 'cache_read_input_tokens', 'cache_creation_input_tokens']) {
      if (!isCountOrNull(usage[name])) this.fault(at, `${name} is no number`);
    }
  }

  #openBlock(at: number, { index, content_block: block }: Json): void {
    if (this.#phase !== 'content') this.fault(at, 'a block behind the reason');
    if (this.#open !== null) this.fault(at, 'a block within a block');
    if (index !== this.#count) this.fault(at, `index ${String(index)} instead of ${this.#count}`);
    this.#count++;
    const type = isObject(block) ? String(block['type']) : '';
    this.#open = { type, isSigned: false };
    if (!isObject(block) || !isFilled(block['type'])) {
      this.fault(at, 'a block without a type');
      return;
    }
    const check = Object.hasOwn(STARTS, type) ? STARTS[type] : undefined;
    if (check !== undefined && !check(block)) this.fault(at, `no start of ${type}`);
  }

  #delta(at: number, { index, delta }: Json): void {
    const open = this.#open;
    if (open === null || index !== this.#count - 1) {
      this.fault(at, 'a delta of no open block');
      return;
    }
    const type = isObject(delta) ? String(delta['type']) : '';
    const members = Object.hasOwn(DELTAS, open.type) ? DELTAS[open.type] : undefined;
    const member = members !== undefined && Object.hasOwn(members, type) ? members[type] : undefined;
    if (!isObject(delta) || member === undefined) {
      this.fault(at, `${type} in ${open.type}`);
      return;
    }
    const value = delta[member];
    const isGood = member === 'citation' ? isObject(value) && isFilled(value['type']) : typeof value === 'string';
    if (!isGood) this.fault(at, `${type} without ${member}`);
    if (open.isSigned) this.fault(at, 'a delta behind the signature');
    open.isSigned = type === 'signature_delta';
  }

  #closeBlock(at: number, { index }: Json): void {
    if (this.#open === null || index !== this.#count - 1) this.fault(at, 'the stop of no open block');
    this.#open = null;
  }

  #update(at: number, { delta, usage }: Json): void {
    if (this.#open !== null) this.fault(at, 'the reason within a block');
    this.#phase = 'ending';
    if (!isObject(delta) || !isFilled(delta['stop_reason'])) this.fault(at, 'no stop_reason');
    const sequence = isObject(delta) ? delta['stop_sequence'] : undefined;
    if (sequence !== null && typeof sequence !== 'string') this.fault(at, 'no stop_sequence');
    this.#usage(at, usage, ['output_tokens']);
  }

  #stop(at: number): void {
    if (this.#phase !== 'ending') this.fault(at, 'message_stop without a reason');
    this.#phase = 'done';
  }
}

/** The faults of a stream; none: it is valid. Every event stands in a frame of its own, with its name. */
export function messagesFaults(text: string): readonly string[] {
  const validator = new Validator();
  const frames = text.split('\n\n');
  if (frames.pop() !== '') validator.faults.push('half a frame at the end');
  for (const [at, frame] of frames.entries()) {
    const [, name, data] = /^event: ([^\n]*)\ndata: ([^\n]*)$/.exec(frame) ?? [];
    const event = parsed(data ?? '');
    if (!isObject(event)) validator.fault(at, 'no event with a name and data');
    else if (event['type'] !== name) validator.fault(at, `${String(event['type'])} is called ${String(name)}`);
    else validator.read(at, event);
  }
  validator.end();
  return validator.faults;
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return null;
  }
}
