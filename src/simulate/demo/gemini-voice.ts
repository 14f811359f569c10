import { dataFrame } from '../wire/frame.ts';
import { geminiChunk, geminiError, geminiUsage } from '../wire/gemini.ts';
import { countTokens, type DemoRequest, splitWords, type Trouble, type Voice } from './voice.ts';

/** Status and Google's word for it. */
const ERRORS: Readonly<Record<Trouble, readonly [status: number, word: string, reason: string | null]>> = {
  overloaded: [503, 'UNAVAILABLE', null],
  rate_limited: [429, 'RESOURCE_EXHAUSTED', null],
  broken: [500, 'INTERNAL', null],
  retired: [410, 'NOT_FOUND', 'model_retired'],
  unknown_model: [404, 'NOT_FOUND', 'model_not_found'],
};

const headOf = ({ model }: DemoRequest) => ({ id: 'gem_demo', model });

function error(trouble: Trouble, message: string): object {
  const [status, type, code] = ERRORS[trouble];
  return geminiError({ message, type, code, param: null, status });
}

export const geminiVoice: Voice = {
  opening: () => [],
  begin: () => [],
  word: (request, text) => dataFrame(geminiChunk(headOf(request), { parts: [{ text }], finish: null })),
  closing: (request, said) => {
    const last = { parts: [{ text: '' }], finish: 'STOP' };
    return [dataFrame(geminiChunk(headOf(request), last, geminiUsage(countTokens(said.length))))];
  },
  streamError: (trouble, message) => dataFrame(error(trouble, message)),
  completion: (request, text) =>
    geminiChunk(
      headOf(request),
      { parts: text === '' ? [] : [{ text }], finish: 'STOP' },
      geminiUsage(countTokens(splitWords(text).length)),
    ),
  error,
};
