import { nonEmpty, own } from '../shared/value.ts';

/** The tier that served, here and elsewhere. */
const WORDS: Readonly<Record<string, string>> = { standard: 'default' };

/** A tier as others call it; null: none was told. */
export const readTierWord = (word: unknown): string | null => own(WORDS, word) ?? nonEmpty(word);

export const writeTierWord = (tier: string): string => Object.keys(WORDS).find((word) => WORDS[word] === tier) ?? tier;
