import type { Behaviour } from '../scenario/scenario.ts';
import type { SendView } from './send-view.ts';

/** How the protocols call the limit of an answer's tokens. */
const LIMIT = /"(?:max_tokens|max_completion_tokens|max_output_tokens|maxOutputTokens)"\s*:\s*(\d+)/;

/** What becomes of an answer that needs more tokens than its request has room for: all of them are thoughts. */
export function withinRoom(behaviour: Behaviour, { body }: Pick<SendView, 'body'>): Behaviour {
  const { needsTokens } = behaviour;
  if (needsTokens === undefined) return behaviour;
  const [, limit] = LIMIT.exec(body) ?? [];
  if (limit === undefined || Number(limit) >= needsTokens) return behaviour;
  return { ...behaviour, words: 0, reasoning: 0, tools: 0, hiddenTokens: Number(limit), finish: 'length' };
}
