import type { Capabilities } from '../model/capability.ts';

/**
 * `free`: a price for what goes in and one for what comes out are both published, and zero. Where nothing is published,
 * nothing is known, and that is not free.
 */
export type ListedPrice = 'free' | 'priced' | 'unknown';

/** One model of a provider's list, as far as the provider says something of it. */
export type ListedModel = {
  /** As requests name it. It has the form of `MODEL_ID`. */
  readonly id: string;
  readonly price: ListedPrice;
  /** What the list says; what it does not say is absent. */
  readonly capabilities?: Capabilities;
};

/** What a model's name may look like, whoever made it up: it ends in records, in requests and on screens. */
export const MODEL_ID = /^[A-Za-z0-9@][A-Za-z0-9._:/@+-]{0,255}$/;
