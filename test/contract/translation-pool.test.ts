import { createSystemClock } from '../../src/adapter/clock-system/index.ts';
import { createThreadPool } from '../../src/adapter/translation-thread/index.ts';
import { startTranslationThread } from '../../src/app/translation-thread.ts';
import { createTranslationsHere } from '../../src/engine/translate-here.ts';
import { translationPoolContract } from './translation-pool.ts';

translationPoolContract('here', createTranslationsHere);
translationPoolContract('in a thread', () =>
  createThreadPool({ clock: createSystemClock(), start: startTranslationThread }),
);
