import type { ErrorEventForm } from '../scenario/scenario.ts';
import { dataFrame, type ErrorParts } from '../wire/frame.ts';
import { geminiChunk, geminiError, geminiUsage } from '../wire/gemini.ts';
import type { Answer, ToolCall } from './answer.ts';
import { type Beat, type BeatKind, beat } from './beat.ts';
import type { ProviderVoice } from './voice.ts';

/** A word that is believed whatever came before it, for an answer that says of itself that it failed. */
const FINISH: Readonly<Record<Answer['finish'], string>> = {
  stop: 'STOP',
  length: 'MAX_TOKENS',
  filter: 'SAFETY',
  error: 'MISSING_THOUGHT_SIGNATURE',
  broken: 'MALFORMED_FUNCTION_CALL',
};
const NOT_YET = 'FINISH_REASON_UNSPECIFIED';

const SEAL = 'c2VhbGVk';

/** A stream has neither a beginning nor an end mark of its own: chunks, the last of which says how it ended. */
export const geminiVoice: ProviderVoice = {
  beats: (answer) => [...beginning(answer), ...said(answer), ...ending(answer)],
  json(answer) {
    const { words, reasoning, tools, quirks, head, usage } = answer;
    const parts = [
      ...(reasoning.length === 0 ? [] : [thought(reasoning.join(''))]),
      ...sealOf(answer),
      ...(words.length === 0 ? [] : [{ text: words.join('') }]),
      ...callParts(answer, tools, quirks.has('object_args')),
    ];
    const candidate = { parts, finish: FINISH[answer.finish], isNumbered: !quirks.has('no_index') };
    return geminiChunk(head, candidate, usage === null ? null : geminiUsage(usage));
  },
  ping: beat('aside', () => ': still here\n\n'),
  padding: ({ head }, _sequence, text) => dataFrame({ ...geminiChunk(head, null), padding: text }),
  endsWith: 'finish',
  endsWithBody: true,
  canSpare: () => false,
  errorBody: geminiError,
  errorEvent,
  // Calls are whole before it, so that it proves that nothing else was on its way.
  isWhole: ({ hasFinish }) => hasFinish,
};

const thought = (text: string): object => ({ text, thought: true });

/** What only its issuer reads stands at a text of its own, and at the first call. */
const sealOf = ({ quirks }: Answer): readonly object[] =>
  quirks.has('sealed') ? [{ text: '', thoughtSignature: SEAL }] : [];

/** Calls, each whole in its part; those of the older models have no id. */
const callParts = ({ quirks, tools }: Answer, calls: readonly ToolCall[], isText: boolean): readonly object[] =>
  calls.map((call) => ({
    functionCall: {
      ...(call.id === '' ? {} : { id: call.id }),
      name: call.name,
      args: isText ? call.args : JSON.parse(call.args),
    },
    ...(quirks.has('sealed') && call === tools[0] ? { thoughtSignature: SEAL } : {}),
  }));

/** A chunk; a reason that is not due yet is left out, or a word for none. Usage grows from chunk to chunk. */
function chunkOf({ head, quirks, usage }: Answer, parts: readonly object[], finish: string | null): object {
  const candidate = {
    parts,
    finish: finish ?? (quirks.has('empty_finish') ? NOT_YET : null),
    isNumbered: !quirks.has('no_index'),
  };
  if (usage === null) return geminiChunk(head, candidate);
  if (finish !== null) return geminiChunk(head, candidate, quirks.has('usage_bare') ? null : geminiUsage(usage));
  const input = usage.input + (quirks.has('usage_twice') ? 1 : 0);
  return geminiChunk(head, candidate, { promptTokenCount: input, totalTokenCount: input });
}

const chunk = (answer: Answer, kind: BeatKind, parts: readonly object[], isOutput?: boolean): Beat =>
  beat(kind, () => dataFrame(chunkOf(answer, parts, null)), isOutput);

function beginning({ head, quirks }: Answer): readonly Beat[] {
  if (!quirks.has('preamble')) return [];
  const ratings = { safetyRatings: [{ category: 'HARM_CATEGORY_HARASSMENT', probability: 'NEGLIGIBLE' }] };
  return [beat('aside', () => dataFrame({ promptFeedback: ratings, ...geminiChunk(head, null) }))];
}

function said(answer: Answer): readonly Beat[] {
  const { reasoning, words, isVisible, tools, isParallel } = answer;
  const groups = isParallel && tools.length > 0 ? [tools] : tools.map((call) => [call]);
  return [
    ...reasoning.map((text) => chunk(answer, 'reasoning', [thought(text)])),
    ...sealOf(answer).map((part) => chunk(answer, 'open', [part])),
    ...words.slice(0, isMerged(answer) ? -1 : words.length).map((text) => chunk(answer, 'word', [{ text }], isVisible)),
    ...groups.map((calls) => chunk(answer, 'call', callParts(answer, calls, false))),
  ];
}

/** The last word and the finish share a chunk. */
const isMerged = ({ quirks, words, tools }: Answer): boolean =>
  quirks.has('finish_with_word') && words.length > 0 && tools.length === 0;

function ending(answer: Answer): readonly Beat[] {
  const { quirks, head, usage, words, isVisible } = answer;
  const last = { text: isMerged(answer) ? (words.at(-1) ?? '') : '' };
  const finish = (): string => dataFrame(chunkOf(answer, [last], FINISH[answer.finish]));
  const alone = (): string => dataFrame(geminiChunk(head, null, usage === null ? null : geminiUsage(usage)));
  return [
    beat('finish', finish, isMerged(answer) && isVisible),
    ...(usage !== null && quirks.has('usage_bare') ? [beat('usage', alone)] : []),
  ];
}

const ERROR_EVENTS: Readonly<Partial<Record<ErrorEventForm, (parts: ErrorParts) => string>>> = {
  text: ({ message }) => `event: error\ndata: ${message}\n\n`,
  field: ({ message, type, code }) => `error: ${JSON.stringify({ code, message, status: type })}\n\n`,
};

function errorEvent(parts: ErrorParts, form: ErrorEventForm): string {
  return ERROR_EVENTS[form]?.(parts) ?? dataFrame(geminiError(parts));
}
