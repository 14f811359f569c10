export { type CleanOptions, cleanText } from './clean-text.ts';
export { createScrubber } from './create-scrubber.ts';
export { Secret } from './secret.ts';
