import { expandTargets } from '../config/expand-targets.ts';
import type { RuntimeConfig } from '../config/runtime.ts';
import { keepWanted, recallLists } from './known-lists.ts';
import { createSavedCatalogue } from './saved-catalogue.ts';

/** A configuration to look at, with the lists that a gateway of its state directory has kept worked in. Asks nobody. */
export function withSavedLists(config: RuntimeConfig): RuntimeConfig {
  if (config.catalogue.providers.length === 0 || config.store.kind === 'memory') return config;
  const saved = createSavedCatalogue(config.stateDir, { notice: () => {} });
  return expandTargets(config, keepWanted(recallLists(saved.read(Date.now())), config));
}
