export * from './edit.ts';
export * from './mend.ts';
export * from './read.ts';
export {
  ANSWER_LIMITS,
  createIndexer,
  indexBounded,
  indexJson,
  isJson,
  type JsonFault,
  type JsonIndex,
  type JsonLimits,
  keyEndOf,
  keyStartOf,
  MAX_DEPTH,
  NONE,
  nodeBehind,
  valueEnd,
  valueStart,
} from './scan.ts';
