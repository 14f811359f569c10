// What OpenAI documents of a streamed chat completion, as a judge of streams. It knows nothing of the code under test.

type Json = Readonly<Record<string, unknown>>;

type Call = { readonly id: string; readonly type: string };
type Choice = { hasRole: boolean; isFinished: boolean; readonly calls: Call[] };

const FINISH_WORDS = ['stop', 'length', 'tool_calls', 'content_filter', 'function_call'];
const TIERS = ['auto', 'default', 'flex', 'scale', 'priority', 'fast'];

const isObject = (value: unknown): value is Json =>
  typeof value === 'object' && value !== null && !Array.isArray(value);
const isCount = (value: unknown): boolean => Number.isInteger(value) && (value as number) >= 0;
const isTextOrNull = (value: unknown): boolean => value === null || typeof value === 'string';

export type ValidatorOptions = {
  /** The request had `stream_options.include_usage`. */
  readonly usageAsked: boolean;
  /** The stream is at its end; else it is the beginning of one. */
  readonly isWhole?: boolean;
};

/** The faults of a stream in words; none: it is as documented. */
export function validateChatStream(stream: string, options: ValidatorOptions): readonly string[] {
  return new Judge(options).judge(stream);
}

class Judge {
  readonly #faults: string[] = [];
  readonly #choices = new Map<number, Choice>();
  readonly #options: ValidatorOptions;
  #head: string | null = null;
  #hasUsage = false;

  constructor(options: ValidatorOptions) {
    this.#options = options;
  }

  judge(stream: string): readonly string[] {
    const frames = stream.split('\n\n');
    if (frames.pop() !== '') this.#fault('the last frame has no blank line');
    let isDone = false;
    for (const frame of frames) {
      if (isDone) this.#fault('something stands behind [DONE]');
      if (frame === 'data: [DONE]') isDone = true;
      else if (!/^data: \{[^\r\n]*\}$/.test(frame)) this.#fault(`no frame of one object: ${frame.slice(0, 80)}`);
      else this.#chunk(JSON.parse(frame.slice(6)));
    }
    if (this.#options.isWhole !== false) this.#closed(isDone);
    return this.#faults;
  }

  #fault(text: string): void {
    this.#faults.push(text);
  }

  #must(isGood: boolean, text: string): void {
    if (!isGood) this.#fault(text);
  }

  #closed(isDone: boolean): void {
    this.#must(isDone, 'no [DONE]');
    this.#must(this.#choices.size > 0, 'no choice');
    for (const [index, choice] of this.#choices) this.#must(choice.isFinished, `choice ${index} has no finish_reason`);
  }

  #chunk(chunk: Json): void {
    const { id, object, created, model, service_tier: tier, choices, usage } = chunk;
    this.#must(typeof id === 'string' && id !== '', 'a chunk without an id');
    this.#must(object === 'chat.completion.chunk', 'object');
    this.#must(isCount(created) && (created as number) < 1e11, 'created is no time in seconds');
    this.#must(typeof model === 'string', 'model');
    this.#must(tier === undefined || TIERS.includes(tier as string), 'service_tier');
    const head = JSON.stringify([id, created, model, tier]);
    this.#must(this.#head === null || this.#head === head, 'chunks differ in id, created, model or service_tier');
    this.#head = head;
    this.#must(!this.#hasUsage, 'a chunk behind the one with usage');
    if (!Array.isArray(choices)) this.#fault('choices is no list');
    else if (choices.length === 0) this.#usage(usage);
    else {
      this.#must(this.#options.usageAsked ? usage === null : usage === undefined, 'usage in a chunk with choices');
      for (const choice of choices) this.#choice(isObject(choice) ? choice : {});
    }
  }

  #usage(usage: unknown): void {
    this.#must(this.#options.usageAsked, 'usage that nobody asked for');
    this.#hasUsage = true;
    if (!isObject(usage)) this.#fault('a chunk without choices and usage');
    else {
      for (const [name, value] of Object.entries(usage)) {
        this.#must(isObject(value) ? Object.values(value).every(isCount) : isCount(value), `usage.${name}`);
      }
      const { prompt_tokens: input, completion_tokens: output, total_tokens: total } = usage;
      const sum = input === undefined || output === undefined ? undefined : (input as number) + (output as number);
      this.#must(total === sum, 'total_tokens is not the sum');
    }
    for (const [index, { isFinished }] of this.#choices) this.#must(isFinished, `usage before the end of ${index}`);
  }

  #choice(wire: Json): void {
    const { index, delta, finish_reason: finish, logprobs } = wire;
    this.#must(isCount(index) && (index as number) < 128, 'choice index');
    const choice = this.#choices.get(index as number) ?? { hasRole: false, isFinished: false, calls: [] };
    this.#choices.set(index as number, choice);
    this.#must(!choice.isFinished, `choice ${String(index)} goes on behind its finish_reason`);
    if (isObject(delta)) this.#delta(delta, choice);
    else this.#fault('delta');
    this.#must(logprobs === undefined || logprobs === null || this.#areLogprobs(logprobs), 'logprobs');
    if (finish === null) return;
    choice.isFinished = true;
    this.#must(FINISH_WORDS.includes(finish as string), `finish_reason ${JSON.stringify(finish)}`);
    if (finish === 'tool_calls') this.#must(choice.calls.length > 0, 'tool_calls without calls');
    if (finish === 'stop') this.#must(choice.calls.length === 0, 'stop behind calls');
  }

  #areLogprobs(value: unknown): boolean {
    const isList = (list: unknown): boolean => list === null || Array.isArray(list);
    return isObject(value) && isList(value['content']) && isList(value['refusal']);
  }

  #delta(delta: Json, choice: Choice): void {
    const { role, content = null, refusal = null, tool_calls: calls, annotations, audio } = delta;
    this.#must(choice.hasRole ? role === undefined : role === 'assistant', 'the role stands in the first delta only');
    choice.hasRole = true;
    this.#must(isTextOrNull(content), 'content');
    this.#must(isTextOrNull(refusal), 'refusal');
    for (const call of Array.isArray(calls) ? calls : []) this.#call(isObject(call) ? call : {}, choice);
    this.#must(calls === undefined || (Array.isArray(calls) && calls.length > 0), 'tool_calls');
    for (const annotation of Array.isArray(annotations) ? annotations : []) this.#annotation(annotation);
    if (audio !== undefined) this.#must(isObject(audio) && Object.keys(audio).length > 0, 'audio');
  }

  #call(call: Json, choice: Choice): void {
    const { index, id, type } = call;
    this.#must(isCount(index) && (index as number) <= choice.calls.length, 'a hole in the indices of calls');
    const known = choice.calls[index as number];
    const kind = known?.type ?? type;
    const tool = kind === 'custom' ? call['custom'] : call['function'];
    if (known === undefined) {
      this.#must(typeof id === 'string' && id !== '', 'a call without an id');
      this.#must(!choice.calls.some((each) => each.id === id), 'two calls of one id');
      this.#must(type === 'function' || type === 'custom', 'the type of a call');
      this.#must(isObject(tool) && typeof tool['name'] === 'string', 'a call without a name');
      choice.calls.push({ id: String(id), type: String(type) });
    } else {
      this.#must(id === undefined && type === undefined, 'a call is opened twice');
      this.#must(!isObject(tool) || tool['name'] === undefined, 'a name comes twice');
    }
    if (isObject(tool)) {
      const input = tool[kind === 'custom' ? 'input' : 'arguments'];
      this.#must(typeof input === 'string', 'the input of a call is no text');
    }
  }

  #annotation(annotation: unknown): void {
    const place = isObject(annotation) && annotation['type'] === 'url_citation' ? annotation['url_citation'] : null;
    if (!isObject(place)) {
      this.#fault('an annotation that is no url_citation');
      return;
    }
    this.#must(typeof place['url'] === 'string' && typeof place['title'] === 'string', 'url and title of a citation');
    this.#must(isCount(place['start_index']) && isCount(place['end_index']), 'the place of a citation');
  }
}
