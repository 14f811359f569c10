import { expect, it } from 'vitest';
import type { Behaviour } from '../scenario/scenario.ts';
import { withinRoom } from './within-room.ts';

const TALKATIVE: Behaviour = { words: 4, needsTokens: 100 };

it.each([
  ['{"max_tokens":16}', 0],
  ['{"max_completion_tokens": 99}', 0],
  ['{"max_output_tokens":100}', 4],
  ['{"generationConfig":{"maxOutputTokens":2}}', 0],
  ['{"messages":[]}', 4],
])('an answer that needs a hundred tokens, to %s, has %i words', (body, words) => {
  const behaviour = withinRoom(TALKATIVE, { body });
  expect(behaviour.words).toBe(words);
  expect(behaviour.finish).toBe(words === 0 ? 'length' : undefined);
  expect(withinRoom({ words: 4 }, { body })).toEqual({ words: 4 });
});
