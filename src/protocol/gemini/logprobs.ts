import type { JsonObject, JsonValue } from '../../core/model/json-value.ts';
import { isObject } from '../shared/value.ts';

const listIn = (value: unknown, name: string): readonly unknown[] => {
  const list = isObject(value) ? value[name] : undefined;
  return Array.isArray(list) ? list : [];
};

function readOne(value: unknown): { token: string; logprob: number | null; bytes: null } {
  const { token, logProbability }: { token?: unknown; logProbability?: unknown } = isObject(value) ? value : {};
  return {
    token: typeof token === 'string' ? token : '',
    logprob: typeof logProbability === 'number' ? logProbability : null,
    bytes: null,
  };
}

/** `logprobsResult` as other protocols write log probabilities: `token`, `logprob`, `bytes`, `top_logprobs`. */
export function readLogprobs(value: unknown): JsonValue[] {
  const tops = listIn(value, 'topCandidates');
  return listIn(value, 'chosenCandidates').map((chosen, at) => ({
    ...readOne(chosen),
    top_logprobs: listIn(tops[at], 'candidates').map(readOne),
  }));
}

type Told = { readonly token?: unknown; readonly logprob?: unknown; readonly top_logprobs?: unknown };

function writeOne(value: unknown): JsonObject {
  const { token, logprob }: Told = isObject<Told>(value) ? value : {};
  return {
    ...(typeof token === 'string' ? { token } : {}),
    ...(typeof logprob === 'number' ? { logProbability: logprob } : {}),
  };
}

export const writeLogprobs = (content: readonly JsonValue[]): JsonObject => ({
  topCandidates: content.map((each) => ({ candidates: listIn(each, 'top_logprobs').map(writeOne) })),
  chosenCandidates: content.map(writeOne),
});
