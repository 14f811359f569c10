import type { Capabilities, Feature } from '../model/capability.ts';
import type { ModelSettings } from '../model/settings.ts';

/** One `discover` among a model's targets: which models of which lists become targets there, and how. */
export type Selector = {
  /** How many targets that the configuration names itself stand before it. */
  readonly at: number;
  readonly providers: readonly string[];
  /** Patterns; one is enough. Those of an earlier one come first. */
  readonly match: readonly string[];
  readonly price: 'free' | 'any';
  /** `true`: what is known to lack it is left out; `false`: what is known to have it. */
  readonly wants: { readonly [F in Feature]?: boolean };
  /** Tokens; a window that is known must be at least as wide. */
  readonly minContextWindow: number | null;
  /** Most targets, over all of its providers. */
  readonly max: number;
  readonly tier: number;
  readonly weight: number;
  /** Stands above what a list says. */
  readonly capabilities: Capabilities;
  /** Effective settings of its targets, by provider. */
  readonly settings: ReadonlyMap<string, ModelSettings>;
};

/** A model that takes targets out of lists. */
export type DiscoveringModel = {
  readonly selectors: readonly Selector[];
  /** `retry.maxAttempts` is the number of its targets. */
  readonly hasAttemptPerTarget: boolean;
};

/** What a configuration wants of providers' lists. */
export type CatalogueSettings = {
  /** Who is asked, in the order of the file. */
  readonly providers: readonly string[];
  /** Of these, those whose listed models clients may name as `provider/model`. */
  readonly named: readonly string[];
  /** By the model's name. */
  readonly models: ReadonlyMap<string, DiscoveringModel>;
};
