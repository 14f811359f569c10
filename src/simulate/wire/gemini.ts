import type { AnswerHead, ErrorParts, Tokens } from './frame.ts';

/** Gemini as simulated providers write it. A whole answer and a chunk of a stream have one shape. */
export type GeminiCandidate = {
  readonly parts: readonly object[];
  readonly finish: string | null;
  /** Some leave the number of the only candidate out. */
  readonly isNumbered?: boolean;
};

/** `usage`: as `geminiUsage` gives it; null where it is not told. `candidate`: null for a chunk that says nothing. */
export const geminiChunk = (
  { id, model }: AnswerHead,
  candidate: GeminiCandidate | null,
  usage: object | null = null,
) => ({
  ...(candidate === null ? {} : { candidates: [candidateOf(candidate)] }),
  ...(usage === null ? {} : { usageMetadata: usage }),
  modelVersion: model,
  responseId: id,
});

const candidateOf = ({ parts, finish, isNumbered = true }: GeminiCandidate): object => ({
  content: { parts, role: 'model' },
  ...(finish === null ? {} : { finishReason: finish }),
  ...(isNumbered ? { index: 0 } : {}),
});

/** Thoughts are counted beside the output. */
export const geminiUsage = ({ input, output, reasoning }: Tokens): object => ({
  promptTokenCount: input,
  candidatesTokenCount: output - (reasoning ?? 0),
  totalTokenCount: input + output,
  ...(reasoning === undefined ? {} : { thoughtsTokenCount: reasoning }),
});

const TYPES = 'type.googleapis.com/google.rpc.';
/** Of an error inside an answer whose status was 200. */
const SERVER_ERROR = 500;
const DELAY = 'resets_in_seconds';

/** Google's form of an error: the finer word and the delay stand in its details. */
export function geminiError({ message, type, code, param, status, more = {} }: ErrorParts): object {
  const { [DELAY]: seconds, ...rest } = more;
  const details = [
    ...(code === null ? [] : [{ '@type': `${TYPES}ErrorInfo`, reason: code, domain: 'googleapis.com' }]),
    ...(param === null
      ? []
      : [{ '@type': `${TYPES}BadRequest`, fieldViolations: [{ field: param, description: message }] }]),
    ...(typeof seconds === 'number' ? [{ '@type': `${TYPES}RetryInfo`, retryDelay: `${seconds}s` }] : []),
  ];
  return {
    error: {
      code: status !== undefined && status >= 400 ? status : SERVER_ERROR,
      message,
      status: type,
      ...(details.length === 0 ? {} : { details }),
      ...rest,
    },
  };
}
