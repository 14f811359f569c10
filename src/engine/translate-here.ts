import type { Protocol } from '../core/model/protocol.ts';
import { describeFault } from '../core/redact/index.ts';
import type {
  ForeignEgress,
  ForeignLacks,
  ForeignRequest,
  PooledRequest,
  Translated,
  TranslationPool,
} from '../port/translation-pool.ts';
import { concatBytes } from '../protocol/json/index.ts';
import { createTranslator, sizeOfTrees, type Translator } from '../protocol/translate/index.ts';

function attemptTo<T>(run: () => T): Translated<T> {
  try {
    return { ok: true, value: run() };
  } catch (error) {
    return { ok: false, trouble: 'failed', fault: describeFault(error) };
  }
}

/** In the thread that asks, while it waits. */
export const findLacksHere = (translator: Translator, to: readonly Protocol[]): Translated<ForeignLacks> =>
  attemptTo(() => Object.fromEntries(to.map((each) => [each, translator.lacks(each)])));

/** The same; the body is in one piece. */
export const writeHere = (translator: Translator, to: Protocol, egress: ForeignEgress): Translated<ForeignRequest> =>
  attemptTo(() => {
    const written = translator.write(to, egress);
    return { ...written, body: [concatBytes(written.body)] };
  });

export const estimateHere = (translator: Translator): Translated<number | null> => attemptTo(() => translator.tokens());

/** A pool without threads: for virtual time, and wherever nobody else waits. */
export function createTranslationsHere(): TranslationPool {
  const open = new Set<PooledRequest>();
  let isClosed = false;
  return {
    open(request) {
      let translator = isClosed ? null : createTranslator(request);
      let isRead = false;
      const answer = async <T>(find: (found: Translator) => Translated<T>): Promise<Translated<T>> => {
        if (translator === null) return { ok: false, trouble: 'closed', fault: null };
        isRead = true;
        return find(translator);
      };
      const pooled: PooledRequest = {
        findLacks: (to) => answer((found) => findLacksHere(found, to)),
        write: (to, egress) => answer((found) => writeHere(found, to, egress)),
        estimate: () => answer(estimateHere),
        get heldBytes() {
          return isRead ? sizeOfTrees(request) : 0;
        },
        close() {
          translator = null;
          isRead = false;
          open.delete(pooled);
        },
      };
      if (translator !== null) open.add(pooled);
      return pooled;
    },
    async close() {
      isClosed = true;
      for (const each of open) each.close();
    },
  };
}
