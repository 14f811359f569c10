export { type CleanOptions, cleanName, cleanText } from './clean-text.ts';
export { createScrubber } from './create-scrubber.ts';
export { describeFault, type FaultFacts, faultWords } from './describe-fault.ts';
export { MIN_ECHO } from './echo-bounds.ts';
export { foldWords } from './fold-words.ts';
export { hideEcho, isRepeated } from './hide-echo.ts';
export { looksSecret } from './looks-secret.ts';
export { Secret } from './secret.ts';
