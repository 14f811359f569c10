import type { AnswerEvent } from '../../core/model/answer.ts';
import type { FinishReason } from '../../core/model/finish.ts';
import type { JsonObject, JsonValue } from '../../core/model/json-value.ts';
import type { Usage } from '../../core/model/usage.ts';
import { isJsonObject, listOf } from '../shared/json-object.ts';
import { nonEmpty, own, timeOf } from '../shared/value.ts';
import { type BlockCount, ChoiceBlocks } from './answer-block.ts';
import { CallReader } from './answer-calls.ts';
import { AudioReader, citationOf, imageBlock } from './answer-media.ts';
import { readFinish } from './finish.ts';
import { OPAQUE, readThoughts, textIn } from './reasoning-state.ts';
import { readUsage } from './usage.ts';

/** Content in parts, as some providers have it, by the part's `type`. */
const PARTS: Readonly<Record<string, (part: JsonObject, blocks: ChoiceBlocks) => void>> = {
  text: (part, blocks) => blocks.say('text', textIn(part) ?? ''),
  output_text: (part, blocks) => blocks.say('text', textIn(part) ?? ''),
  refusal: (part, blocks) => blocks.say('refusal', textIn(part['refusal'] ?? part) ?? ''),
  thinking: (part, blocks) => blocks.think(textIn(part['thinking'] ?? part) ?? '', null, false, {}),
  reasoning: (part, blocks) => blocks.think(textIn(part['thinking'] ?? part) ?? '', null, false, {}),
  image_url: addImage,
};

function addImage(item: JsonObject, blocks: ChoiceBlocks): void {
  const image = imageBlock(item);
  if (image !== null) blocks.add(image);
}

/** Most pieces of a stream are: nothing else is looked for in them. */
function isTextOnly(message: JsonObject): boolean {
  for (const name in message) if (name !== 'content' && name !== 'role') return false;
  return true;
}

/** One choice of an answer, as its pieces tell. */
class ChoiceReader {
  readonly #choice: number;
  readonly #out: AnswerEvent[];
  readonly #blocks: ChoiceBlocks;
  readonly #calls: CallReader;
  readonly #audio = new AudioReader();
  readonly #seed: string;
  #isFinished = false;

  constructor(choice: number, count: BlockCount, out: AnswerEvent[], id: string | null) {
    this.#choice = choice;
    this.#out = out;
    this.#blocks = new ChoiceBlocks(choice, count, out);
    this.#calls = new CallReader(this.#blocks);
    this.#seed = JSON.stringify([id, choice]);
  }

  /** `message`: a piece of it, or all of it. What comes behind the finish is no part of the answer. */
  read(wire: JsonObject, message: JsonObject, isWhole: boolean): void {
    if (this.#isFinished) return;
    if (isTextOnly(message)) this.#takeContent(message['content']);
    else this.#takeAll(message, isWhole);
    this.#takeLogprobs(wire['logprobs']);
    const word = nonEmpty(wire['finish_reason']);
    if (word !== null) this.finish(word);
  }

  #takeAll(message: JsonObject, isWhole: boolean): void {
    this.#takeThoughts(message);
    this.#takeContent(message['content']);
    this.#blocks.say('refusal', typeof message['refusal'] === 'string' ? message['refusal'] : '');
    for (const image of listOf(message['images'])) if (isJsonObject(image)) addImage(image, this.#blocks);
    if (isJsonObject(message['audio'])) this.#audio.read(message['audio']);
    for (const annotation of listOf(message['annotations'])) this.#cite(annotation);
    this.#calls.read(listOf(message['tool_calls']), isWhole, this.#seed);
    if (isJsonObject(message['function_call'])) this.#calls.takeLegacy(message['function_call'], this.#seed);
  }

  #takeThoughts(message: JsonObject): void {
    const { text, name, isSummary } = readThoughts(message);
    const opaque = OPAQUE.filter((member) => message[member] != null && !isEmpty(message[member]));
    const members = Object.fromEntries(opaque.map((member) => [member, message[member]])) as JsonObject;
    this.#blocks.think(text, text === '' ? null : name, isSummary, members);
  }

  #takeContent(content: JsonValue | undefined): void {
    if (typeof content === 'string') this.#blocks.say('text', content);
    for (const part of isJsonObject(content) ? [content] : listOf(content)) {
      if (isJsonObject(part)) own(PARTS, part['type'])?.(part, this.#blocks);
    }
  }

  #cite(annotation: JsonValue): void {
    const citation = isJsonObject(annotation) ? citationOf(annotation, this.#blocks.textBase ?? 0) : null;
    if (citation === null) return;
    this.#blocks.openText();
    this.#out.push({ type: 'citation', block: this.#blocks.openBlock, citation });
  }

  #takeLogprobs(value: JsonValue | undefined): void {
    if (!isJsonObject(value)) return;
    for (const content of [listOf(value['content']), listOf(value['refusal'])]) {
      if (content.length > 0) this.#out.push({ type: 'logprobs', choice: this.#choice, content });
    }
  }

  /** `word`: null, where the end of the answer has to say it. */
  finish(word: string | null): void {
    if (this.#isFinished) return;
    this.#isFinished = true;
    const blocks = this.#blocks;
    const audio = this.#audio.block();
    if (audio !== null) blocks.add(audio);
    blocks.close();
    const meant = blocks.hasCalls ? 'tool_calls' : 'stop';
    const told: FinishReason = word === null ? meant : readFinish(word, blocks.hasOutput);
    const reason = told === 'stop' ? meant : told;
    this.#out.push({ type: 'finish', choice: this.#choice, reason, raw: word });
  }
}

const isEmpty = (value: JsonValue | undefined): boolean =>
  value === '' || (Array.isArray(value) ? value.length === 0 : isJsonObject(value) && Object.keys(value).length === 0);

/** Puts the chunks of a stream, or the one object of a JSON answer, into events. */
export class AnswerReader {
  #out: AnswerEvent[] = [];
  readonly #choices = new Map<number, ChoiceReader>();
  readonly #count: BlockCount = { next: 0 };
  #id: string | null = null;
  #isStarted = false;
  #usage: Usage | null = null;
  #isEnded = false;

  /** The events since the last time. */
  take(): readonly AnswerEvent[] {
    return this.#out.splice(0);
  }

  /** `body`: where a choice has what it says. */
  read(answer: JsonObject, body: 'delta' | 'message'): void {
    if (this.#isEnded) return;
    const choices = listOf(answer['choices']);
    // A filter's preamble has neither an id nor choices.
    if (choices.length > 0 || nonEmpty(answer['id']) !== null) this.#start(answer);
    for (const [position, wire] of choices.entries()) {
      if (!isJsonObject(wire)) continue;
      this.#takeChoice(wire, body === 'message' ? position : 0, body);
    }
    this.#takeUsage(answer, choices);
  }

  #start(answer: JsonObject): void {
    if (this.#isStarted) return;
    this.#isStarted = true;
    this.#id = nonEmpty(answer['id']);
    const { created } = answer;
    const tier = nonEmpty(answer['service_tier']);
    this.#out.push({
      type: 'start',
      id: this.#id,
      model: nonEmpty(answer['model']),
      createdAt: timeOf(created),
      ...(tier === null ? {} : { serviceTier: tier }),
    });
  }

  #takeChoice(wire: JsonObject, otherwise: number, body: 'delta' | 'message'): void {
    const index = Number.isInteger(wire['index']) ? (wire['index'] as number) : otherwise;
    const known = this.#choices.get(index);
    const choice = known ?? new ChoiceReader(index, this.#count, this.#out, this.#id);
    this.#choices.set(index, choice);
    const { delta, message } = wire;
    // A whole message in a stream is all that its choice says, or says what has come again.
    const whole = isJsonObject(message) && (body === 'message' || (known === undefined && !isJsonObject(delta)));
    const said = whole ? message : body === 'delta' && isJsonObject(delta) ? delta : {};
    choice.read(wire, said, whole);
  }

  #takeUsage(answer: JsonObject, choices: readonly JsonValue[]): void {
    const groq = answer['x_groq'];
    const places = [answer['usage'], isJsonObject(groq) ? groq['usage'] : null];
    for (const choice of choices) if (isJsonObject(choice)) places.push(choice['usage']);
    for (const place of places) {
      const usage = readUsage(place);
      if (usage === null) continue;
      if (JSON.stringify(usage) !== JSON.stringify(this.#usage)) this.#out.push({ type: 'usage', usage });
      this.#usage = usage;
      return;
    }
  }

  end(): void {
    if (this.#isEnded) return;
    this.#isEnded = true;
    this.#start({});
    for (const [, choice] of [...this.#choices].toSorted(([a], [b]) => a - b)) choice.finish(null);
    this.#out.push({ type: 'end' });
  }
}
