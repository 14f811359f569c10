import { cleanText } from './clean-text.ts';
import { randomParts } from './looks-random.ts';

/** A part of a name that chance has made is shorter than this; longer ones are what keys are made of. */
const MIN_RANDOM = 12;
const UUID = /[\da-f]{8}(?:-[\da-f]{4}){3}-[\da-f]{12}/i;
/** Digits of hex may look like words. */
const HEX = /(?<![a-z\d])(?=[a-f]*\d)[\da-f]{12,}(?![a-z\d])/i;
/** No name of anything else begins like these, however short what follows is. */
const KEY_START = /(?<![a-z\d])(?:(?:sk|gsk|nvapi|pplx|glpat|gh[opsu]|github_pat|xox[abp]|whsec)[-_]|hf_|AKIA|AIza)/i;

/** A key may be cut into parts that are each too short to be one. */
const MAX_RANDOM_SUM = 20;

/**
 * Whether a name looks like a secret, or has one in it. Stricter than `cleanName`, for names that go where nobody is
 * meant to see a key: what only might be one looks like one. Names of models pass.
 */
export function looksSecret(name: string): boolean {
  if ([UUID, HEX, KEY_START].some((shape) => shape.test(name))) return true;
  if (cleanText(name, { maxLength: name.length + 1 }) !== name) return true;
  const lengths = randomParts(name).map(({ text }) => text.length);
  return Math.max(0, ...lengths) >= MIN_RANDOM || lengths.reduce((sum, length) => sum + length, 0) >= MAX_RANDOM_SUM;
}
