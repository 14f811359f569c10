// A judge of event streams of the Responses API, made from what the vendor documents of its streaming events: which
// events open and close what, what they carry, and what their snapshots have to repeat.

type Json = Record<string, unknown>;

type Part = {
  kind: string;
  text: string;
  annotations: unknown[];
  logprobs: unknown[];
  isTextDone: boolean;
  isDone: boolean;
};

type Item = { item: Json; parts: Part[]; sections: Part[]; input: string; isInputDone: boolean; done: Json | null };

const isJson = (value: unknown): value is Json => typeof value === 'object' && value !== null && !Array.isArray(value);
const same = (a: unknown, b: unknown): boolean => JSON.stringify(sorted(a)) === JSON.stringify(sorted(b));

function sorted(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(sorted);
  if (!isJson(value)) return value;
  return Object.fromEntries(
    Object.entries(value)
      .sort(([a], [b]) => (a < b ? -1 : 1))
      .map(([k, v]) => [k, sorted(v)]),
  );
}

const REQUIRED = [
  'id object created_at status error incomplete_details instructions metadata model output',
  'parallel_tool_calls temperature tool_choice tools top_p usage',
]
  .join(' ')
  .split(' ');

const TERMINALS: Record<string, string> = {
  'response.completed': 'completed',
  'response.incomplete': 'incomplete',
  'response.failed': 'failed',
};

/** Text events by their stems: where the part is, the part's type, the member with the whole text, the item's type. */
const TEXTS: Record<string, [list: 'parts' | 'sections', kind: string, member: string, item: string]> = {
  'response.output_text': ['parts', 'output_text', 'text', 'message'],
  'response.refusal': ['parts', 'refusal', 'refusal', 'message'],
  'response.reasoning_text': ['parts', 'reasoning_text', 'text', 'reasoning'],
  'response.reasoning_summary_text': ['sections', 'summary_text', 'text', 'reasoning'],
};
const PARTS: Record<string, 'parts' | 'sections'> = {
  'response.content_part': 'parts',
  'response.reasoning_summary_part': 'sections',
};
const INPUTS: Record<string, [item: string, member: string]> = {
  'response.function_call_arguments': ['function_call', 'arguments'],
  'response.custom_tool_call_input': ['custom_tool_call', 'input'],
};
const PREFIXES: Record<string, string> = {
  message: 'msg_',
  reasoning: 'rs_',
  function_call: 'fc_',
  custom_tool_call: 'ctc_',
};
const MEMBERS: Record<string, string[]> = {
  message: ['id', 'role', 'status', 'content'],
  reasoning: ['id', 'summary'],
  function_call: ['id', 'call_id', 'name', 'arguments', 'status'],
  custom_tool_call: ['id', 'call_id', 'name', 'input', 'status'],
};

const textOf = (part: Part): Json => {
  if (part.kind === 'refusal') return { type: part.kind, refusal: part.text };
  if (part.kind !== 'output_text') return { type: part.kind, text: part.text };
  return { type: part.kind, text: part.text, annotations: part.annotations, logprobs: part.logprobs };
};

class Judge {
  readonly faults: string[] = [];
  readonly items: Item[] = [];
  readonly ids = new Set<string>();
  readonly calls = new Set<string>();
  count = 0;
  id: unknown = null;
  isOver = false;

  fault(text: string): void {
    this.faults.push(`event ${this.count - 1}: ${text}`);
  }

  event(name: string, event: Json): void {
    const { type } = event;
    if (event['sequence_number'] !== this.count) this.fault(`sequence_number is not ${this.count}`);
    this.count++;
    if (type !== name) this.fault(`named ${name}, but its type is ${String(type)}`);
    if (this.isOver) this.fault('something behind the end');
    if (typeof type !== 'string') return;
    if ('obfuscation' in event) this.fault('obfuscation');
    if (this.count <= 2) this.opening(type, event);
    else if (type in TERMINALS) this.terminal(type, event);
    else if (type === 'response.output_item.added') this.added(event);
    else this.ofItem(type, event);
  }

  response(event: Json, status: string): Json {
    const response = isJson(event['response']) ? event['response'] : {};
    for (const name of REQUIRED) if (!(name in response)) this.fault(`the response has no ${name}`);
    if (response['object'] !== 'response') this.fault('the response is none');
    if (response['status'] !== status) this.fault(`the status is not ${status}`);
    if (typeof response['id'] !== 'string' || !response['id'].startsWith('resp_'))
      this.fault('a bad id of the response');
    if (!Number.isInteger(response['created_at'])) this.fault('created_at is no number of seconds');
    if (this.id !== null && this.id !== response['id']) this.fault('the id of the response changed');
    this.id = response['id'];
    return response;
  }

  opening(type: string, event: Json): void {
    const want = this.count === 1 ? 'response.created' : 'response.in_progress';
    if (type !== want) this.fault(`${type} where ${want} belongs`);
    const response = this.response(event, 'in_progress');
    if (!same(response['output'], [])) this.fault('output before the first item');
    if (response['usage'] !== null) this.fault('usage before the end');
  }

  terminal(type: string, event: Json): void {
    this.isOver = true;
    const response = this.response(event, TERMINALS[type] as string);
    for (const [at, item] of this.items.entries()) if (item.done === null) this.fault(`item ${at} is still open`);
    const whole = this.items.map(({ done }) => done);
    if (!same(response['output'], whole)) this.fault('the output is not what the items were');
    const details = response['incomplete_details'];
    const reason = isJson(details) ? details['reason'] : null;
    const isKnown = reason === 'max_output_tokens' || reason === 'content_filter';
    if (type === 'response.incomplete' ? !isKnown : details !== null) this.fault('bad incomplete_details');
    if ((type === 'response.failed') !== isJson(response['error'])) this.fault('bad error');
    this.usage(response['usage']);
  }

  usage(usage: unknown): void {
    if (usage === null) return;
    if (!isJson(usage)) {
      this.fault('bad usage');
      return;
    }
    const [input, output, total] = [usage['input_tokens'], usage['output_tokens'], usage['total_tokens']];
    if (typeof input !== 'number' || typeof output !== 'number' || total !== input + output)
      this.fault('bad sums of usage');
    for (const [name, count] of [
      ['input_tokens_details', 'cached_tokens'],
      ['output_tokens_details', 'reasoning_tokens'],
    ] as const) {
      const details = usage[name];
      if (details !== undefined && !(isJson(details) && typeof details[count] === 'number')) this.fault(`bad ${name}`);
    }
  }

  added(event: Json): void {
    const item = isJson(event['item']) ? event['item'] : {};
    if (event['output_index'] !== this.items.length) this.fault('output_index is not the next');
    const type = String(item['type']);
    const id = item['id'];
    if (typeof id !== 'string' || id === '') this.fault('an item without id');
    else if (this.ids.has(id)) this.fault(`the id ${id} again`);
    else this.ids.add(id);
    if (type !== 'message' && PREFIXES[type] !== undefined && !String(id).startsWith(PREFIXES[type]))
      this.fault(`the id ${String(id)}`);
    for (const name of MEMBERS[type] ?? []) if (!(name in item)) this.fault(`${type} without ${name}`);
    if (type in { function_call: 0, custom_tool_call: 0 }) this.call(item['call_id']);
    this.items.push({ item, parts: [], sections: [], input: '', isInputDone: false, done: null });
  }

  call(id: unknown): void {
    if (typeof id !== 'string' || id === '' || this.calls.has(id)) this.fault('a bad call_id');
    this.calls.add(String(id));
  }

  ofItem(type: string, event: Json): void {
    const item = this.items[event['output_index'] as number];
    if (item === undefined) {
      this.fault(`${type} for no item`);
      return;
    }
    if (item.done !== null) {
      this.fault(`${type} for an item that is done`);
      return;
    }
    if (type === 'response.output_item.done') {
      this.done(item, event);
      return;
    }
    if (event['item_id'] !== item.item['id']) this.fault(`${type} with another item_id`);
    const dot = type.lastIndexOf('.');
    const [stem, verb] = [type.slice(0, dot), type.slice(dot + 1)];
    if (type === 'response.output_text.annotation.added') this.annotation(item, event);
    else if (stem in PARTS) this.part(item, PARTS[stem] as 'parts', verb, event);
    else if (stem in TEXTS) this.text(item, stem, verb, event);
    else if (stem in INPUTS) this.input(item, stem, verb, event);
    else this.fault(`an unknown event: ${type}`);
  }

  part(item: Item, list: 'parts' | 'sections', verb: string, event: Json): void {
    const at = event[list === 'parts' ? 'content_index' : 'summary_index'] as number;
    const shown = isJson(event['part']) ? event['part'] : {};
    const part = item[list][at];
    if (verb === 'added') {
      if (at !== item[list].length) this.fault('a part in no place');
      const kind = String(shown['type']);
      const made: Part = {
        kind,
        text: '',
        annotations: [],
        logprobs: [],
        isTextDone: kind === 'output_audio',
        isDone: false,
      };
      item[list].push(made);
      if (kind !== 'output_audio' && !same(shown, textOf(made)))
        this.fault('a part that is not empty when it is opened');
      const wants =
        item.item['type'] === 'message'
          ? ['output_text', 'refusal', 'output_audio']
          : [list === 'parts' ? 'reasoning_text' : 'summary_text'];
      if (!wants.includes(kind)) this.fault(`a ${kind} in a ${String(item.item['type'])}`);
      return;
    }
    if (part === undefined || part.isDone) {
      this.fault('a part is done that is not open');
      return;
    }
    part.isDone = true;
    if (!part.isTextDone) this.fault('a part is done before its text');
    if (part.kind !== 'output_audio' && !same(shown, textOf(part))) this.fault('a part is not the sum of its deltas');
  }

  text(item: Item, stem: string, verb: string, event: Json): void {
    const [list, kind, member, type] = TEXTS[stem] as (typeof TEXTS)[string];
    const part = item[list][event[list === 'parts' ? 'content_index' : 'summary_index'] as number];
    if (part === undefined || part.kind !== kind || item.item['type'] !== type) {
      this.fault(`${stem} for no such part`);
      return;
    }
    if (part.isTextDone) {
      this.fault(`${stem}.${verb} behind its end`);
      return;
    }
    const { logprobs } = event;
    if (kind === 'output_text' && !Array.isArray(logprobs)) this.fault('no logprobs');
    if (verb === 'delta') {
      if (typeof event['delta'] !== 'string') this.fault('a delta without text');
      part.text += String(event['delta']);
      part.logprobs.push(...(Array.isArray(logprobs) ? logprobs : []));
      return;
    }
    part.isTextDone = true;
    if (event[member] !== part.text) this.fault(`${stem} is not the sum of its deltas`);
    if (kind === 'output_text' && !same(logprobs, part.logprobs)) this.fault('logprobs are not those of the deltas');
  }

  annotation(item: Item, event: Json): void {
    const part = item.parts[event['content_index'] as number];
    if (part?.kind !== 'output_text' || part.isTextDone) {
      this.fault('an annotation of no open text');
      return;
    }
    if (event['annotation_index'] !== part.annotations.length) this.fault('an annotation in no place');
    part.annotations.push(event['annotation']);
  }

  input(item: Item, stem: string, verb: string, event: Json): void {
    const [type, member] = INPUTS[stem] as (typeof INPUTS)[string];
    if (item.item['type'] !== type || item.isInputDone) {
      this.fault(`${stem} for no open call`);
      return;
    }
    if (verb === 'delta') {
      item.input += String(event['delta']);
      return;
    }
    item.isInputDone = true;
    if (event[member] !== item.input) this.fault(`${stem} is not the sum of its deltas`);
  }

  done(item: Item, event: Json): void {
    const shown = isJson(event['item']) ? event['item'] : {};
    item.done = shown;
    const type = String(item.item['type']);
    for (const name of ['id', 'type', 'call_id', 'name']) {
      if (!same(shown[name], item.item[name])) this.fault(`the ${name} of an item changed`);
    }
    if ('status' in shown && shown['status'] === 'in_progress') this.fault('an item is done and in progress');
    for (const part of [...item.parts, ...item.sections])
      if (!part.isDone) this.fault('an item is done before its parts');
    this.sums(type, item, shown);
  }

  /** The item that is done has to be what its events said. */
  sums(type: string, item: Item, shown: Json): void {
    const texts = (list: Part[]): Json[] => list.filter(({ kind }) => kind !== 'output_audio').map(textOf);
    const shownTexts = (list: unknown): unknown[] =>
      (Array.isArray(list) ? list : []).filter((part) => !isJson(part) || part['type'] !== 'output_audio');
    if (type === 'message' && item.parts.length > 0 && !same(shownTexts(shown['content']), texts(item.parts)))
      this.fault('a message is not its parts');
    if (type === 'reasoning') {
      if (!same(shown['summary'], texts(item.sections))) this.fault('a summary is not its sections');
      if (!same(shown['content'] ?? [], texts(item.parts))) this.fault('reasoning is not its parts');
    }
    for (const [kind, member] of Object.values(INPUTS)) {
      if (kind !== type) continue;
      if (!item.isInputDone) this.fault('a call is done before its input');
      if (shown[member] !== item.input) this.fault('a call is not its input');
    }
  }
}

/** What is wrong with a whole stream; empty: nothing. */
export function responsesFaults(sse: string): readonly string[] {
  const judge = new Judge();
  if (sse !== '' && !sse.endsWith('\n\n')) judge.faults.push('the last frame is not whole');
  for (const frame of sse.split('\n\n').filter((text) => text !== '')) {
    const match = /^event: ([^\n]+)\ndata: ([^\n]+)$/.exec(frame);
    if (match === null) {
      judge.faults.push(`no frame: ${frame.slice(0, 80)}`);
      continue;
    }
    judge.event(match[1] as string, JSON.parse(match[2] as string) as Json);
  }
  if (!judge.isOver) judge.faults.push('no end');
  return judge.faults;
}
