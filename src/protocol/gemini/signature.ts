/**
 * What Google documents for calls that another model made: newer models refuse a first call of a turn without a signature
 * (https://ai.google.dev/gemini-api/docs/thought-signatures), and pass over the check for this one.
 */
export const NO_SIGNATURE = 'skip_thought_signature_validator';

/** The second spelling that the documentation has for the same. */
const PLACEHOLDERS: ReadonlySet<string> = new Set([NO_SIGNATURE, 'context_engineering_is_the_way_to_go']);

/** A signature that an issuer wrote; null for none, or for what only stands in the place of one. */
export const signatureOf = (value: unknown): string | null =>
  typeof value === 'string' && value !== '' && !PLACEHOLDERS.has(value) ? value : null;

/** Models that do not look for signatures: all before the third generation, and those of other names. */
const WITHOUT_SIGNATURES = /(?:^|\/)gemini-[12](?:[.-]|$)|gemma|learnlm/;

export const wantsSignature = (model: string): boolean => !WITHOUT_SIGNATURES.test(model);
