import type { Frame } from '../core/model/event.ts';
import type { Route } from '../core/routing/candidate.ts';
import type { AnswerCollector, ConversationCodec, KeptAnswer } from '../protocol/conversation.ts';
import type { RequestContext } from './request-context.ts';
import type { Owner, ResponseStore } from './response-store.ts';
import type { Account } from './turn.ts';
import type { Call } from './types.ts';

/** Keeps one request and its answer, once that is whole, so that later requests can go on from it. */
export type TurnKeeper = {
  /** What the client is given next: to be told before it has it, since it may name the answer at once. */
  frames(frames: readonly Frame[]): void;
  json(body: Uint8Array): void;
  readonly heldBytes: number;
};

export type Answering = {
  readonly route: Route;
  /** No provider knows the answer by its id: it is kept whole. */
  readonly isTranslated: boolean;
};

/** Null: nobody can go on from the answer, or nobody may. To be asked while the request's body is there. */
export function createTurnKeeper(
  { call, history, ports }: Pick<RequestContext, 'call' | 'history' | 'ports'>,
  responses: ResponseStore,
  { route, isTranslated }: Answering,
): TurnKeeper | null {
  const codec = conversationOf(call);
  const owner = ownerOf(call);
  const limits = call.settings.responses;
  if (codec === null || owner === null || limits === undefined || !knowsAll({ call, history })) return null;
  const input = codec.inputOf(call.request);
  if (input.length > limits.maxBytes) return null;
  const { provider, credential, account = null } = route;
  const by: Account = { provider, credential, account };
  const parent = history?.last ?? null;
  const collector: AnswerCollector = codec.createCollector();
  const keep = (answer: KeptAnswer | null): void => {
    if (answer === null) return;
    const { id, response, output } = answer;
    const turn = { parent, input, output: isTranslated ? output : output.slice(), by };
    responses.set(owner, id, { turn, response: isTranslated ? response : null }, limits, ports.clock.now());
  };
  return {
    frames: (frames) => keep(collector.frames(frames)),
    json: (body) => keep(collector.json(body)),
    get heldBytes() {
      return input.length + collector.heldBytes;
    },
  };
}

/** What the request goes on from is kept here, or it goes on from nothing. */
const knowsAll = ({ call, history }: Pick<RequestContext, 'call' | 'history'>): boolean =>
  call.request.conversation.previousResponseId === null || history !== null;

/** Its client will find the answer by its id, unless it is pushed out. */
export const isStoredHere = ({ call, history }: Pick<RequestContext, 'call' | 'history'>): boolean =>
  conversationOf(call) !== null && ownerOf(call)?.session === null && knowsAll({ call, history });

/** Null: in a conversation that its provider keeps there is more than passes through here. */
export const conversationOf = ({ codec, request }: Pick<Call, 'codec' | 'request'>): ConversationCodec | null =>
  request.conversation.conversationId == null ? (codec.conversation ?? null) : null;

/** Who may go on from the answer; null: nobody. What the client wants stored nowhere lives on its connection at most. */
export function ownerOf({
  key,
  session,
  request,
  settings,
}: Pick<Call, 'key' | 'session' | 'request' | 'settings'>): Owner | null {
  if (request.isStored !== false && settings.responses?.isOn === true) return { key, session: null };
  return session === undefined ? null : { key, session };
}
