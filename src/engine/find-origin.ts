import type { Issuer } from '../core/routing/affinity-state.ts';
import { CODECS } from '../protocol/index.ts';
import type { AnswerMap, FoundAnswer } from './answer-map.ts';
import { createHistory, type History } from './history.ts';
import type { PlannedCall } from './planner.ts';
import type { ResponseStore, StoredResponse } from './response-store.ts';
import type { Turn } from './turn.ts';

/**
 * What a request goes on from. `binding`: who issued it, `nobody` where its client may not go on from that or nothing of
 * it is left; null, nobody in particular. `history`: all of it, where it is kept here.
 */
export type Origin = { readonly binding: Issuer | 'nobody' | null; readonly history: History | null };

export type Memory = { readonly answers: AnswerMap; readonly responses: ResponseStore };

type Asked = Pick<PlannedCall, 'request' | 'key' | 'session' | 'settings'>;

/**
 * Each name counts, since its provider would read each. Where several clients have keys of their own, an id that is not
 * known here may be that of another one, from before a restart. On a connection the client sends everything again when it
 * is told that an id is not known, so that nobody is asked what to make of it.
 */
export function findOrigin(memory: Memory, call: Asked, now: number): Origin {
  const { request, session, settings } = call;
  const { response, conversation, stored } = lookUp(memory, call, now);
  const isStrict = settings.isolatesClients || session !== undefined;
  if (isRefused(response, isStrict && stored === null) || isRefused(conversation, isStrict)) return NOBODY;
  const sealer = sealerOf(memory, call, now);
  const issuer = issuerIn(response) ?? issuerIn(conversation) ?? sealer;
  // What else the provider keeps in a conversation nobody here knows.
  const last = conversation === null ? (stored?.turn ?? null) : null;
  const isOwn = issuer?.isOwnId === true;
  if (isOwn && last === null) return NOBODY;
  const binding = isOwn ? sealer : issuer;
  return { binding, history: last === null ? null : historyOf(request, last, binding) };
}

function historyOf(request: Asked['request'], last: Turn, issuer: Issuer | null): History | null {
  const codec = CODECS.get(request.protocol)?.conversation;
  return codec === undefined ? null : createHistory({ request, codec, last, issuer });
}

/**
 * Who gave the latest of the seals that the request brings: nobody else can read it. One that another key was given tells
 * nothing: whoever has it may send it.
 */
function sealerOf({ answers }: Memory, { request, key }: Asked, now: number): Issuer | null {
  for (const seal of (request.conversation.seals ?? []).toReversed()) {
    const issuer = issuerIn(answers.get('seal', seal, key, now));
    if (issuer !== null) return issuer;
  }
  return null;
}

type Found = {
  readonly response: FoundAnswer | null;
  readonly conversation: FoundAnswer | null;
  readonly stored: StoredResponse | null;
};

/** Null: the request does not name one. */
function lookUp({ answers, responses }: Memory, call: Asked, now: number): Found {
  const { request, key } = call;
  const { previousResponseId, conversationId = null } = request.conversation;
  return {
    response: previousResponseId === null ? null : answers.get('response', previousResponseId, key, now),
    conversation: conversationId === null ? null : answers.get('conversation', conversationId, key, now),
    stored: previousResponseId === null ? null : findStored(responses, call, previousResponseId, now),
  };
}

const isRefused = (found: FoundAnswer | null, unlessKnown: boolean): boolean =>
  found?.whose === 'foreign' || (found?.whose === 'unknown' && unlessKnown);

const issuerIn = (found: FoundAnswer | null): Issuer | null => (found?.whose === 'mine' ? found.issuer : null);

const NOBODY: Origin = { binding: 'nobody', history: null };

/** What its connection has stands above what its key has: providers that nobody stores with may give an id twice. */
function findStored(
  responses: ResponseStore,
  { key, session }: Pick<Asked, 'key' | 'session'>,
  id: string,
  now: number,
): StoredResponse | null {
  const own = session === undefined ? null : responses.get({ key, session }, id, now);
  return own ?? responses.get({ key, session: null }, id, now);
}
