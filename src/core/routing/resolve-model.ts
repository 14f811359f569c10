import type { VirtualModel } from './candidate.ts';
import { isGlob, literalLength, matchesGlob } from './glob.ts';

/**
 * The virtual model that a client's word means: the one of that name, else of that alias, else of the most specific alias
 * pattern (most literal characters, then first in the configuration), else the default model. Null: nobody's.
 */
export function resolveModel(
  name: string,
  models: ReadonlyMap<string, VirtualModel>,
  defaultModel: string | null = null,
): VirtualModel | null {
  const exact = models.get(name) ?? [...models.values()].find(({ aliases }) => aliases.some(isExactly(name)));
  if (exact !== undefined) return exact;
  return byPattern(name, models) ?? (defaultModel === null ? null : (models.get(defaultModel) ?? null));
}

function isExactly(name: string): (alias: string) => boolean {
  return (alias) => alias === name && !isGlob(alias);
}

function byPattern(name: string, models: ReadonlyMap<string, VirtualModel>): VirtualModel | null {
  let best: VirtualModel | null = null;
  let bestLength = -1;
  for (const model of models.values()) {
    for (const alias of model.aliases) {
      if (!isGlob(alias) || literalLength(alias) <= bestLength || !matchesGlob(alias, name)) continue;
      best = model;
      bestLength = literalLength(alias);
    }
  }
  return best;
}
