import { expect, it } from 'vitest';
import { makeFailure } from '../../../test/kit/samples.ts';
import { foldWords } from '../redact/fold-words.ts';
import { hideQuoted } from './hide-quoted.ts';
import type { Outcome } from './outcome.ts';

const PROMPT = 'our merger with the northern company is planned for May';
const FULL = 'prompt is too long: 205000 tokens > 200000 maximum';

it.each<[Outcome, string, string, string]>([
  ['bad_request', `Bad input: ${PROMPT}`, PROMPT, 'Bad input: […]'],
  ['context_length', `${FULL}. Prompt was: ${PROMPT}`, PROMPT, `${FULL}. Prompt was: […]`],
  ['context_length', FULL, `yesterday it said: ${FULL}`, FULL],
  ['context_length', `Too much: ${PROMPT}`, PROMPT, 'Too much: […]'],
])('%s: %s', (outcome, reason, request, told) => {
  expect(hideQuoted(makeFailure({ outcome, reason }), foldWords(request)).reason).toBe(told);
});
