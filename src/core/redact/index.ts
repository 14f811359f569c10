export { type CleanOptions, cleanName, cleanText } from './clean-text.ts';
export { createScrubber } from './create-scrubber.ts';
export { describeFault, type FaultFacts, faultWords } from './describe-fault.ts';
export { hideEcho } from './hide-echo.ts';
export { Secret } from './secret.ts';
export { undoEscapes } from './undo-escapes.ts';
