import type { FromTranslator, ToTranslator, TranslationAsk } from '../adapter/translation-thread/index.ts';
import { estimateHere, findLacksHere, writeHere } from '../engine/translate-here.ts';
import { createTranslator, type Translator } from '../protocol/translate/index.ts';

export type TranslationDesk = {
  /** Null: nothing was asked. */
  take(message: ToTranslator): FromTranslator | null;
};

function answerTo(ask: TranslationAsk, translator: Translator): FromTranslator {
  if (ask.what === 'estimate') return estimateHere(translator);
  return ask.what === 'lacks' ? findLacksHere(translator, ask.to) : writeHere(translator, ask.to, ask.egress);
}

/** What the thread does with what it is told. */
export function createTranslationDesk(): TranslationDesk {
  const translators = new Map<number, Translator>();
  return {
    take(message) {
      const { id } = message;
      if (message.type === 'forget') {
        translators.delete(id);
        return null;
      }
      const translator = message.request === null ? translators.get(id) : createTranslator(message.request);
      if (translator === undefined) return { ok: false, trouble: 'failed', fault: null };
      translators.set(id, translator);
      return answerTo(message.ask, translator);
    },
  };
}
