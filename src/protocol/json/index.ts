export * from './edit.ts';
export { parseExact, stringifyExact } from './exact.ts';
export * from './mend.ts';
export * from './read.ts';
export {
  ANSWER_LIMITS,
  createIndexer,
  EVENT_LIMITS,
  indexBounded,
  indexJson,
  isJson,
  type JsonFault,
  type JsonIndex,
  type JsonLimits,
  keyEndOf,
  keyStartOf,
  LOGPROBS_DEPTH,
  LOGPROBS_LIMITS,
  MAX_DEPTH,
  NONE,
  nodeBehind,
  valueEnd,
  valueStart,
} from './scan.ts';
