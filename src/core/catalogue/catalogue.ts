import type { Outcome } from '../failure/outcome.ts';
import type { ListedModel } from './listed-model.ts';

/** What a provider listed when it last did so. */
export type Listing = {
  /** In the provider's own order, each once. */
  readonly models: readonly ListedModel[];
  /** Entries that no request could name or no chat is held with. */
  readonly leftOut: number;
  /** Epoch ms. */
  readonly at: number;
};

/** What is known of one provider's models. An answer that is no list changes nothing of the list before. */
export type CatalogueEntry = {
  /** Null: it never gave one. */
  readonly listing: Listing | null;
  /** How it last failed; null: it did not. */
  readonly error: Outcome | null;
};

/** By the provider's name. Whoever is not in it has not answered yet. */
export type Catalogue = ReadonlyMap<string, CatalogueEntry>;

export const EMPTY_CATALOGUE: Catalogue = new Map();
