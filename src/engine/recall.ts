import type { Clock } from '../port/clock.ts';
import { EMPTY, joinLists } from '../protocol/json/index.ts';
import { findOrigin, type Memory } from './find-origin.ts';
import type { Engine } from './index.ts';
import { conversationOf, ownerOf } from './keep-turn.ts';
import { turnsTo } from './turn.ts';

type Recall = Pick<Engine, 'findIssuer' | 'findOwn' | 'forgetResponse' | 'keepPrompt' | 'forgetSession'>;

/** What is asked of earlier answers outside a request for a new one. */
export function createRecall(memory: Memory, clock: Clock): Recall {
  const { answers, responses } = memory;
  return {
    findIssuer(answerId, key) {
      const found = answers.get('response', answerId, key, clock.now());
      return found.whose === 'mine' ? found.issuer : null;
    },
    findOwn(answerId, key) {
      const stored = responses.get({ key, session: null }, answerId, clock.now());
      if (stored === null || stored.response === null) return null;
      const turns = turnsTo(stored.turn);
      const lists = turns.flatMap(({ input, output }, i) => (i === turns.length - 1 ? [input] : [input, output]));
      return { response: stored.response, input: joinLists(lists) };
    },
    forgetResponse: (answerId, key) => responses.remove({ key, session: null }, answerId),
    keepPrompt(call, answerId) {
      const now = clock.now();
      const { binding, history } = findOrigin(memory, call, now);
      const [codec, owner] = [
        conversationOf(call),
        ownerOf({ ...call, request: { ...call.request, isStored: false } }),
      ];
      const limits = call.settings.responses;
      const isKnown = call.request.conversation.previousResponseId === null || history !== null;
      if (binding === 'nobody' || !isKnown || codec === null || owner === null || limits === undefined) return false;
      const turn = { parent: history?.last ?? null, input: codec.inputOf(call.request), output: EMPTY, by: null };
      responses.set(owner, answerId, { turn, response: null }, limits, now);
      return true;
    },
    forgetSession: (session) => responses.forget(session),
  };
}
