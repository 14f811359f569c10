export { type CleanOptions, cleanText } from './clean-text.ts';
export { createScrubber } from './create-scrubber.ts';
export { describeFault, type FaultFacts, faultWords } from './describe-fault.ts';
export { Secret } from './secret.ts';
