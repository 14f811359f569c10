export { createThreadPool, type ThreadPoolOptions } from './create-thread-pool.ts';
export type {
  FromTranslator,
  StartTranslator,
  ToTranslator,
  TranslationAnswer,
  TranslationAsk,
  TranslatorThread,
} from './messages.ts';
