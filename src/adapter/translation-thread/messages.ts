import type { Protocol } from '../../core/model/protocol.ts';
import type { CanonicalRequest } from '../../core/model/request.ts';
import type { ForeignEgress, ForeignLacks, ForeignRequest, Translated } from '../../port/translation-pool.ts';

export type TranslationAsk =
  | { readonly what: 'lacks'; readonly to: readonly Protocol[] }
  | { readonly what: 'write'; readonly to: Protocol; readonly egress: ForeignEgress }
  | { readonly what: 'estimate' };

export type TranslationAnswer = Translated<ForeignLacks | ForeignRequest | number | null>;

/**
 * `request`: null where the thread has it by this id already; else it keeps what it reads of it until it is told to forget
 * it. One ask at a time.
 */
export type ToTranslator =
  | {
      readonly type: 'ask';
      readonly id: number;
      readonly request: CanonicalRequest | null;
      readonly ask: TranslationAsk;
    }
  | { readonly type: 'forget'; readonly id: number };

/** The answer to the latest ask. */
export type FromTranslator = TranslationAnswer;

/** The thread as its owner sees it. */
export interface TranslatorThread {
  /** The bytes of a request are handed over: whoever posts it has them no longer. */
  post(message: ToTranslator): void;
  /** Nothing comes from it any more. */
  terminate(): Promise<void>;
}

export type StartTranslator = (events: {
  readonly onAnswer: (answer: FromTranslator) => void;
  /** It ended though nobody told it to. */
  readonly onDeath: (error: unknown) => void;
}) => TranslatorThread;
