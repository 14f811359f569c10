/**
 * The allow-lists of the failure table: what providers say, taken from what they send. Codes are compared without
 * regard to case, `-`, `_` and blanks (`phrase.ts` tells how phrases are read). A new spelling is one entry here and
 * one test.
 */
export * from './access.ts';
export * from './account.ts';
export * from './features.ts';
export * from './parts.ts';
export * from './request.ts';
export * from './server.ts';
export * from './settings.ts';
export * from './speech.ts';
export * from './state.ts';
