import { expect, it } from 'vitest';
import { factsOf, foldFacts } from '../../../test/kit/facts.ts';
import { viewExplanation } from '../../management/explanation-view.ts';
import { viewRequest } from '../../management/request-view.ts';
import { createTerminal } from '../terminal.ts';
import { renderStory } from './explain.ts';

it.each([
  [{ model: 'error-503', asked: 'main' }, 'asked for main, which means error-503'],
  [{ model: 'main', asked: 'main' }, 'asked for main ·'],
  [{ model: 'main', asked: null }, 'asked for main ·'],
  [{ model: '', asked: null }, 'asked for no model ·'],
])('names the model as the client did, and what it means: %j', (started, words) => {
  const ledger = foldFacts([factsOf('req_1').started(started)]);
  const terminal = createTerminal({ write: () => {} }, { write: () => {} }, {});
  expect(renderStory(terminal, viewRequest(ledger), viewExplanation(ledger), false)).toContain(words);
});
