import type { Headers, Protocol } from '../../core/model/protocol.ts';
import type { SimulatedClient } from '../world/simulated-client.ts';
import { blame, createDraft, type Draft, type Json, numberOf, parseObject } from './draft.ts';
import { type EventFrame, readFrames } from './read-frames.ts';
import type { ClientView } from './view.ts';
import { viewChatJson, viewChatStream } from './view-chat.ts';
import { viewGeminiJson, viewGeminiStream } from './view-gemini.ts';
import { viewMessagesJson, viewMessagesStream } from './view-messages.ts';
import { viewResponsesJson, viewResponsesStream } from './view-responses.ts';

type Reader = {
  /** `endsWell`: the body is all there. */
  readonly stream: (draft: Draft, frames: readonly EventFrame[], endsWell: boolean) => void;
  /** Answers and error bodies. */
  readonly json: (draft: Draft, body: Json) => void;
};

const READERS: { readonly [P in Protocol]?: Reader } = {
  'openai-chat': { stream: viewChatStream, json: viewChatJson },
  'openai-responses': { stream: viewResponsesStream, json: viewResponsesJson },
  'anthropic-messages': { stream: viewMessagesStream, json: viewMessagesJson },
  gemini: { stream: viewGeminiStream, json: viewGeminiJson },
};

type Received = Pick<SimulatedClient, 'status' | 'headers' | 'text' | 'ending'>;

const OK = 200;
const FIRST_ERROR = 400;

/**
 * What a client library would make of all that reached a client, by the protocol's documentation alone. Total: whatever is
 * wrong with the form stands in `faults`. Throws a RangeError for a protocol that no simulated client speaks.
 */
export function readView(protocol: Protocol, stream: boolean, client: Received): ClientView {
  const reader = READERS[protocol];
  if (reader === undefined) throw new RangeError(`no simulated client speaks ${protocol}`);
  const draft = createDraft();
  const { status, headers } = client;
  if (status !== null) readBody(draft, reader, stream, client);
  const { understudy, isOver: _isOver, ...seen } = draft;
  return { status, ...seen, ...readAdvice(draft, headers, understudy) };
}

function readBody(draft: Draft, reader: Reader, stream: boolean, { status, headers, text, ending }: Received): void {
  const type = headers['content-type'] ?? '';
  if (status === OK && stream) {
    if (!type.startsWith('text/event-stream')) blame(draft, 'a stream of another content type');
    reader.stream(draft, readFrames(draft, text), ending === 'end');
    return;
  }
  if (!type.startsWith('application/json')) blame(draft, 'a body of another content type');
  // What is cut off on purpose need not parse, and says nothing.
  if (ending !== 'end') return;
  const body = parseObject(draft, text);
  if (body !== null) reader.json(draft, body);
  const isError = status !== null && status >= FIRST_ERROR;
  if (isError !== (draft.error !== null) || (status !== OK && !isError)) blame(draft, 'a status that denies its body');
}

const SECOND = 1000;

/** What was told about coming back: in headers, or where a stream had begun, in the error. All places must agree. */
function readAdvice(
  draft: Draft,
  headers: Headers,
  understudy: Json | null,
): Pick<ClientView, 'retryAfterMs' | 'shouldRetry'> {
  const inError = numberOf(understudy?.['retry_after_ms']);
  const seconds = wholeNumber(draft, headers['retry-after']);
  const ms = wholeNumber(draft, headers['retry-after-ms']);
  if ((seconds === null) !== (ms === null)) blame(draft, 'one form of retry-after without the other');
  if (seconds !== null && ms !== null && Math.ceil(ms / SECOND) !== seconds) blame(draft, 'two waits that differ');
  if (ms !== null && ms !== inError) blame(draft, 'two waits that differ');
  const header = headers['x-should-retry'];
  const said = understudy?.['should_retry'];
  const told = typeof said === 'boolean' ? said : null;
  if (header !== undefined && header !== String(told)) blame(draft, 'two words on coming back that differ');
  return {
    retryAfterMs: ms ?? inError,
    shouldRetry: header === undefined ? told : header === 'true',
  };
}

function wholeNumber(draft: Draft, text: string | undefined): number | null {
  if (text === undefined) return null;
  if (!/^\d+$/.test(text)) blame(draft, 'a wait that is no whole number');
  return Number(text);
}
