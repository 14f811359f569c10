import { ALL_BETAS, betaPart, type Capabilities, FEATURES, flagsOfPart } from '../model/capability.ts';
import type { Target } from '../routing/candidate.ts';
import { type HealthState, type LearntCapability, readScope } from './state.ts';

/** Providers learn too: what was refused a day ago may be tried again. */
const FORGET_AFTER_MS = 24 * 60 * 60_000;

const WORDS: ReadonlySet<string> = new Set<LearntCapability>([...FEATURES, 'streamUsage']);

/** A feature of which one refusal is believed. */
export const isLearnable = (feature: string): boolean => WORDS.has(feature);

/**
 * What is said of one request alone: all of its flags, and its marks for the prompt cache. A mark in a wrong place is
 * refused in the same words by targets that take marks, and without any each client would pay for its whole prompt
 * again.
 */
const OF_ONE_REQUEST: ReadonlySet<string> = new Set([ALL_BETAS, 'cache_control']);

/**
 * Of the parts that a target refused in this request, those that an answer proves that it does not take: the parts that
 * were left out of what it answered (`leftOut`, of an `EncodedRequest`).
 */
export const provedParts = (refused: readonly string[], leftOut: readonly string[]): readonly string[] =>
  refused.filter((part) => {
    const pieces = flagsOfPart(part)?.map(betaPart) ?? [part];
    return !OF_ONE_REQUEST.has(part) && pieces.every((piece) => leftOut.includes(piece));
  });

/**
 * What a target can do and takes, by the configuration and by what it was seen to refuse. What the configuration says
 * stands above what one refusal taught: a feature, and a list of flags. Parts that are left out come from both.
 */
export function knownCapabilities(
  state: HealthState,
  { id, capabilities }: Pick<Target, 'id' | 'capabilities'>,
  now: number,
): Capabilities {
  const { learnt } = readScope(state, 'target', id);
  const fresh = Object.entries(learnt).filter(([, at]) => at !== undefined && now - at < FORGET_AFTER_MS);
  if (fresh.length === 0) return capabilities;
  const names = fresh.map(([name]) => name);
  const features = Object.fromEntries(names.filter((name) => WORDS.has(name)).map((name) => [name, false]));
  const parts = names.filter((name) => !WORDS.has(name) && !(capabilities.betas && flagsOfPart(name) !== null));
  const leaveOut = [...new Set([...(capabilities.leaveOut ?? []), ...parts])];
  return { ...features, ...capabilities, ...(leaveOut.length === 0 ? {} : { leaveOut }) };
}
