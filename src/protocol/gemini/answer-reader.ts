import type { AnswerEvent, BlockStart } from '../../core/model/answer.ts';
import type { Citation } from '../../core/model/content.ts';
import type { FinishReason } from '../../core/model/finish.ts';
import type { JsonObject, JsonValue } from '../../core/model/json-value.ts';
import type { Usage } from '../../core/model/usage.ts';
import { stringifyExact } from '../json/index.ts';
import { hash64 } from '../shared/hash.ts';
import { isJsonObject } from '../shared/json-object.ts';
import { mintId } from '../shared/mend-list.ts';
import { parseJson } from '../shared/wire-error.ts';
import { readCitations, readGrounding, restOfGrounding } from './citations.ts';
import { finishWord, readBlock, readFinish } from './finish.ts';
import { readLogprobs } from './logprobs.ts';
import { signatureOf } from './signature.ts';
import {
  isObject,
  nonEmpty,
  type WireBlob,
  type WireCall,
  type WireCandidate,
  type WireChunk,
  type WireContent,
  type WirePart,
} from './types.ts';
import { readUsage } from './usage.ts';

type Choice = {
  open: { readonly block: number; readonly type: 'text' | 'reasoning'; text: string } | null;
  hasOutput: boolean;
  hasCall: boolean;
  /** Held until the end: older models say in each chunk that they have stopped. */
  finish: { readonly reason: FinishReason; readonly raw: string } | null;
};

/** Reads the chunks of one answer, each once, as events. */
export class AnswerReader {
  readonly #choices = new Map<number, Choice>();
  readonly #ids = new Set<string>();
  #out: AnswerEvent[] = [];
  #blocks = 0;
  #seed: string | null = null;
  #usage: Usage | null = null;
  #isUsageTold = false;

  read(chunk: WireChunk): readonly AnswerEvent[] {
    if (this.#seed === null) this.#start(chunk);
    this.#noteUsage(chunk);
    this.#noteBlockReason(chunk);
    const candidates = Array.isArray(chunk.candidates) ? (chunk.candidates as readonly unknown[]) : [];
    for (const wire of candidates) if (isObject<WireCandidate>(wire)) this.#takeCandidate(wire);
    return this.#flush();
  }

  /** What is open is closed. */
  end(): readonly AnswerEvent[] {
    if (this.#usage !== null && !this.#isUsageTold) this.#out.push({ type: 'usage', usage: this.#usage });
    for (const [choice, state] of [...this.#choices].toSorted(([a], [b]) => a - b)) {
      this.#close(state);
      const { reason, raw } = state.finish ?? { reason: 'unknown' as const, raw: null };
      const isCalls = reason === 'stop' && state.hasCall;
      this.#out.push({ type: 'finish', choice, reason: isCalls ? 'tool_calls' : reason, raw });
    }
    this.#out.push({ type: 'end' });
    return this.#flush();
  }

  #flush(): readonly AnswerEvent[] {
    const out = this.#out;
    this.#out = [];
    return out;
  }

  #start(chunk: WireChunk): void {
    const { responseId, modelVersion, createTime } = chunk;
    // Ids of calls without one must not come again in the conversation's next answer.
    this.#seed = nonEmpty(responseId) ?? hash64([stringifyExact(chunk)]);
    const time = typeof createTime === 'string' ? Date.parse(createTime) : Number.NaN;
    const createdAt = Number.isNaN(time) ? null : time;
    this.#out.push({ type: 'start', id: nonEmpty(responseId), model: nonEmpty(modelVersion), createdAt });
  }

  /** Each chunk tells it: the first one for what came in, the last one for all. */
  #noteUsage({ usageMetadata }: WireChunk): void {
    const usage = readUsage(usageMetadata);
    if (usage === null) return;
    this.#isUsageTold = this.#usage === null;
    this.#usage = usage;
    if (this.#isUsageTold) this.#out.push({ type: 'usage', usage });
  }

  #noteBlockReason({ promptFeedback }: WireChunk): void {
    const word = isObject<{ blockReason?: unknown }>(promptFeedback) ? nonEmpty(promptFeedback.blockReason) : null;
    if (word === null || word === 'BLOCKED_REASON_UNSPECIFIED') return;
    this.#choiceOf(0).finish ??= { reason: readBlock(word), raw: word };
  }

  #choiceOf(index: unknown): Choice {
    const key = Number.isInteger(index) ? (index as number) : 0;
    const known = this.#choices.get(key);
    if (known !== undefined) return known;
    const choice: Choice = { open: null, hasOutput: false, hasCall: false, finish: null };
    this.#choices.set(key, choice);
    return choice;
  }

  #takeCandidate(wire: WireCandidate): void {
    const choice = this.#choiceOf(wire.index);
    const index = Number.isInteger(wire.index) ? (wire.index as number) : 0;
    const content: WireContent = isObject<WireContent>(wire.content) ? wire.content : {};
    const parts = Array.isArray(content.parts) ? (content.parts as readonly unknown[]) : [];
    for (const part of parts) if (isObject<WirePart>(part)) this.#takePart(part, index, choice);
    this.#takeMetadata(wire, index, choice);
    const logprobs = readLogprobs(wire.logprobsResult);
    if (logprobs.length > 0) this.#out.push({ type: 'logprobs', choice: index, content: logprobs });
    const word = finishWord(wire.finishReason);
    if (word !== null) choice.finish = { reason: readFinish(word, choice), raw: word };
  }

  #takePart(part: WirePart, index: number, choice: Choice): void {
    const { thought, thoughtSignature, ...rest } = part;
    const signature = signatureOf(thoughtSignature);
    if (isObject<WireCall>(rest.functionCall)) this.#takeCall(rest.functionCall, signature, index, choice);
    else if (typeof rest.text === 'string') {
      if (thought === true) this.#takeThought(rest.text, signature, index, choice);
      else {
        this.#takeHidden(signature, index, choice);
        if (rest.text !== '') this.#takeText(rest.text, 'text', index, choice);
      }
    } else {
      this.#takeHidden(signature, index, choice);
      const start = startOf(rest as JsonObject);
      if (start !== null) this.#whole(start, index, choice);
    }
  }

  #takeText(text: string, type: 'text' | 'reasoning', index: number, choice: Choice): void {
    if (choice.open?.type !== type) {
      this.#close(choice);
      const content: BlockStart = type === 'text' ? { type } : { type, isSummary: true };
      choice.open = { block: this.#open(content, index), type, text: '' };
    }
    const { open } = choice;
    if (text === '') return;
    this.#out.push({ type: 'delta', block: open.block, text, ...(type === 'reasoning' ? { section: 0 } : {}) });
    if (type === 'text') open.text += text;
    choice.hasOutput ||= type === 'text';
  }

  #takeThought(text: string, signature: string | null, index: number, choice: Choice): void {
    if (text === '' && signature === null) return;
    this.#takeText(text, 'reasoning', index, choice);
    if (signature !== null) this.#sign(signature, choice);
  }

  /** A signature of what is no thought: reasoning of which nothing can be seen. */
  #takeHidden(signature: string | null, index: number, choice: Choice): void {
    if (signature === null) return;
    this.#close(choice);
    this.#takeText('', 'reasoning', index, choice);
    this.#sign(signature, choice);
  }

  #sign(value: string, choice: Choice): void {
    if (choice.open === null) return;
    this.#out.push({ type: 'state', block: choice.open.block, state: { issuer: 'gemini', value } });
    this.#close(choice);
  }

  #takeCall({ id, name, args }: WireCall, signature: string | null, index: number, choice: Choice): void {
    const word = nonEmpty(name);
    if (word === null) return;
    this.#close(choice);
    choice.hasOutput = true;
    choice.hasCall = true;
    const call: BlockStart = { type: 'tool_call', kind: 'function', id: this.#idOf(id), name: word };
    const block = this.#open(call, index);
    this.#out.push({ type: 'delta', block, text: inputOf(args) });
    if (signature !== null) this.#out.push({ type: 'state', block, state: { issuer: 'gemini', value: signature } });
    this.#out.push({ type: 'block_end', block });
  }

  #idOf(given: unknown): string {
    const isTaken = (taken: string): boolean => this.#ids.has(taken);
    const own = nonEmpty(given);
    const id = own === null || isTaken(own) ? mintId('call_', this.#seed ?? '', this.#blocks, isTaken) : own;
    this.#ids.add(id);
    return id;
  }

  #whole(content: BlockStart, index: number, choice: Choice): void {
    this.#close(choice);
    choice.hasOutput = true;
    this.#out.push({ type: 'block_end', block: this.#open(content, index) });
  }

  #open(content: BlockStart, choice: number): number {
    const block = this.#blocks++;
    this.#out.push({ type: 'block_start', block, choice, content });
    return block;
  }

  #close(choice: Choice): void {
    if (choice.open !== null) this.#out.push({ type: 'block_end', block: choice.open.block });
    choice.open = null;
  }

  /** Citations belong to the text in hand. What has no place there, or no word, is native. */
  #takeMetadata(wire: WireCandidate, index: number, choice: Choice): void {
    const grounding = wire.groundingMetadata as JsonValue | undefined;
    const text = choice.open?.type === 'text' ? choice.open : null;
    const citations: readonly Citation[] =
      text === null
        ? []
        : [
            ...readCitations(wire.citationMetadata as JsonValue | undefined, text.text),
            ...readGrounding(grounding, text.text),
          ];
    for (const citation of citations)
      if (text !== null) this.#out.push({ type: 'citation', block: text.block, citation });
    const rest: Readonly<Record<string, unknown>> = {
      groundingMetadata: text === null ? grounding : restOfGrounding(grounding),
      urlContextMetadata: wire.urlContextMetadata,
      ...(text === null ? { citationMetadata: wire.citationMetadata } : {}),
    };
    for (const [what, value] of Object.entries(rest)) {
      if (!isJsonObject(value) || Object.keys(value).length === 0) continue;
      this.#whole({ type: 'native', protocol: 'gemini', what, value }, index, choice);
    }
  }
}

/** The JSON text of a call's arguments; some providers write text in place of the object. */
function inputOf(args: unknown): string {
  if (args === undefined || args === null) return '{}';
  if (typeof args !== 'string') return stringifyExact(args);
  return parseJson(args) === undefined ? stringifyExact(args.trim() === '' ? {} : { input: args }) : args;
}

/** What a part is that is neither text nor a call; null: nothing. */
function startOf(part: JsonObject): BlockStart | null {
  const [what] = Object.keys(part);
  if (what === undefined) return null;
  const blob = part['inlineData'];
  const { mimeType, data }: WireBlob = isObject<WireBlob>(blob) ? blob : {};
  const isMedia = typeof mimeType === 'string' && /^(?:image|audio)\//.test(mimeType);
  return isMedia && typeof data === 'string'
    ? { type: mimeType.startsWith('image/') ? 'image' : 'audio', data, mediaType: mimeType }
    : { type: 'native', protocol: 'gemini', what, value: part };
}
