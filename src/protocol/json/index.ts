export * from './edit.ts';
export * from './mend.ts';
export * from './read.ts';
export {
  createIndexer,
  indexJson,
  isJson,
  type JsonIndex,
  keyEndOf,
  keyStartOf,
  MAX_DEPTH,
  NONE,
  nodeBehind,
  valueEnd,
  valueStart,
} from './scan.ts';
