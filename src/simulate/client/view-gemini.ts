import {
  blame,
  completeTool,
  type Draft,
  isObject,
  type Json,
  listOf,
  noteError,
  numberOf,
  objectOf,
  parseObject,
  textOf,
  wordOf,
} from './draft.ts';
import type { EventFrame } from './read-frames.ts';
import type { ClientView } from './view.ts';

const FINISHES: Readonly<Record<string, ClientView['finish']>> = {
  STOP: 'stop',
  MAX_TOKENS: 'length',
  SAFETY: 'filter',
  PROHIBITED_CONTENT: 'filter',
  // It has ended, and nobody says why.
  OTHER: null,
};
/** Until it is due some providers send this, which clients take for none. */
const NOT_YET = 'FINISH_REASON_UNSPECIFIED';

/** What a client keeps while it reads. */
type Reading = { readonly draft: Draft; hasEnded: boolean };

/**
 * Gemini as a stream: chunks, of which the last gives a reason. There is no end mark, so that it is whole with that reason
 * and a body that ends as HTTP wants it.
 */
export function viewGeminiStream(draft: Draft, frames: readonly EventFrame[], endsWell: boolean): void {
  const reading: Reading = { draft, hasEnded: false };
  for (const frame of frames) {
    const chunk = parseObject(draft, frame.data);
    if (chunk === null) continue;
    if (draft.isOver) draft.saysMoreBehindEnd = true;
    else if (isObject(chunk['error'])) readError(draft, chunk['error']);
    else readChunk(reading, chunk);
  }
  if (draft.error === null) draft.isWhole = reading.hasEnded && endsWell;
}

/** A whole answer, which has the form of a chunk, or an error body. */
export function viewGeminiJson(draft: Draft, body: Json): void {
  const reading: Reading = { draft, hasEnded: false };
  if (isObject(body['error'])) {
    readError(draft, body['error']);
    return;
  }
  readChunk(reading, body);
  if (!reading.hasEnded) blame(draft, 'an answer that is not over');
  draft.isWhole = reading.hasEnded;
}

function readChunk(reading: Reading, chunk: Json): void {
  const { draft } = reading;
  readUsage(draft, chunk);
  if (textOf(objectOf(chunk['promptFeedback'])['blockReason']) !== '') {
    reading.hasEnded = true;
    draft.finish = 'filter';
  }
  for (const value of listOf(chunk['candidates'])) {
    const candidate = objectOf(value);
    if ((candidate['index'] ?? 0) !== 0) blame(draft, 'a choice that nobody asked for');
    for (const part of listOf(objectOf(candidate['content'])['parts'])) readPart(reading, objectOf(part));
    readFinish(reading, candidate);
  }
}

function readPart({ draft, hasEnded }: Reading, part: Json): void {
  const call = part['functionCall'];
  const text = textOf(part['text']);
  if (hasEnded && (isObject(call) || text !== '')) blame(draft, 'output behind the finish reason');
  if (isObject(call)) readCall(draft, call);
  else if (part['thought'] === true) draft.reasoning += text;
  else if ('text' in part) draft.text += text;
  else blame(draft, 'a part that no client knows');
}

/** A call is whole in its part: clients run it as soon as it is there. Its id may be left out. */
function readCall(draft: Draft, { id, name, args }: Json): void {
  if (textOf(name) === '') blame(draft, 'a tool call without a name');
  if (!isObject(args)) blame(draft, 'arguments that are no object');
  const tool = { id: textOf(id), name: textOf(name), args: JSON.stringify(args ?? {}), isComplete: false };
  draft.tools.push(tool);
  completeTool(draft, tool);
}

function readFinish(reading: Reading, { finishReason }: Json): void {
  const { draft } = reading;
  const word = wordOf(finishReason);
  if (word === null || word === NOT_YET) return;
  reading.hasEnded = true;
  const finish = FINISHES[word];
  if (finish === undefined) blame(draft, 'a finish reason that no client knows');
  draft.finish = finish === 'stop' && draft.tools.length > 0 ? 'tool' : (finish ?? null);
}

/** Thoughts are counted beside the output. */
function readUsage(draft: Draft, { usageMetadata: usage }: Json): void {
  if (!isObject(usage)) return;
  const { promptTokenCount, candidatesTokenCount, thoughtsTokenCount, totalTokenCount } = usage;
  const [input, said, thought] = [promptTokenCount, candidatesTokenCount, thoughtsTokenCount].map(numberOf);
  const output = said == null && thought == null ? null : (said ?? 0) + (thought ?? 0);
  const total = numberOf(totalTokenCount);
  if (output !== null && total !== null && (input ?? 0) + output !== total)
    blame(draft, 'counts of tokens that do not add up');
  draft.usage = { inputTokens: input ?? null, outputTokens: output };
}

const DELAY = /^(\d+(?:\.\d+)?)s$/;
const SECOND = 1000;

/** The finer word and the delay stand in the details; what the gateway knows says the same. */
function readError(draft: Draft, error: Json): void {
  const details = listOf(error['details']).map(objectOf);
  const reason = details.map((detail) => wordOf(detail['reason'])).find((word) => word !== null) ?? null;
  const type = wordOf(error['status']);
  if (type === null || numberOf(error['code']) === null) blame(draft, 'an error without a status');
  noteError(draft, { ...error, type }, reason);
  const [, seconds] = DELAY.exec(details.map((detail) => textOf(detail['retryDelay'])).join('')) ?? [];
  const told = numberOf(draft.understudy?.['retry_after_ms']);
  if ((seconds === undefined ? null : Number(seconds) * SECOND) !== told) blame(draft, 'two waits that differ');
}
