import { createHash } from 'node:crypto';
import type { RuntimeConfig } from '../config/runtime.ts';
import type { CatalogueEntry } from '../core/catalogue/catalogue.ts';
import type { ListedModel } from '../core/catalogue/listed-model.ts';
import type { KeptListing } from '../core/catalogue/read-catalogue.ts';
import type { ReportedProvider } from '../core/readiness/report.ts';
import type { ProviderRuntime } from '../core/routing/provider.ts';
import type { Discovered } from '../prober/index.ts';

/** What is known of a provider's models, and whose list it is. */
export type Known = CatalogueEntry & { readonly place: string };
/** By the provider's name. */
export type KnownLists = ReadonlyMap<string, Known>;

/** What a list is of: an address and a way to speak. Addresses may hold what is nobody's business. */
export const placeOf = ({ protocol, origin, basePath }: ProviderRuntime): string =>
  createHash('sha256').update(`${protocol} ${origin}${basePath}`).digest('hex');

/** Who is to be asked for a list. */
export const askedProviders = ({ catalogue, providers }: RuntimeConfig): readonly ProviderRuntime[] =>
  catalogue.providers.flatMap((name) => providers.get(name) ?? []);

export const recallLists = (kept: ReadonlyMap<string, KeptListing>): KnownLists =>
  new Map([...kept].map(([name, { place, ...listing }]) => [name, { place, listing, error: null }] as const));

/** Of these, those of providers that a configuration asks, at the place that it has for them. */
export function keepWanted(known: KnownLists, config: RuntimeConfig): KnownLists {
  return new Map(
    askedProviders(config).flatMap((provider): (readonly [string, Known])[] => {
      const entry = known.get(provider.name);
      return entry?.place === placeOf(provider) ? [[provider.name, entry]] : [];
    }),
  );
}

/** What was found, noted under the place that was asked. A failure leaves the list before as it was. */
export function noteFound(
  known: KnownLists,
  found: readonly (Discovered & { place: string })[],
  now: number,
): KnownLists {
  const noted = found.map((each): readonly [string, Known] => {
    const former = known.get(each.provider)?.listing ?? null;
    const { place } = each;
    if (!each.ok) return [each.provider, { place, listing: former, error: each.reason }];
    // Who names the same models in another order has no news.
    const models = former !== null && hasSameModels(former.models, each.models) ? former.models : each.models;
    return [each.provider, { place, listing: { models, leftOut: each.leftOut, at: now }, error: null }];
  });
  return new Map([...known, ...noted]);
}

function hasSameModels(a: readonly ListedModel[], b: readonly ListedModel[]): boolean {
  if (a.length !== b.length) return false;
  const texts = new Set(a.map((model) => JSON.stringify(model)));
  return b.every((model) => texts.has(JSON.stringify(model)));
}

/** Names of providers of which something that targets are made of has changed, or is known for the first time. */
export const changedLists = (before: KnownLists, now: KnownLists): readonly string[] =>
  [...now].flatMap(([name, { listing }]) => {
    const entry = before.get(name);
    return entry !== undefined && entry.listing?.models === listing?.models ? [] : [name];
  });

/** As they are written down. */
export function listingsOf(known: KnownLists): ReadonlyMap<string, KeptListing> {
  return new Map(
    [...known].flatMap(([name, { place, listing }]): (readonly [string, KeptListing])[] =>
      listing === null ? [] : [[name, { ...listing, place }]],
    ),
  );
}

export function reportOf(provider: string, entry: Known | undefined, now: number): ReportedProvider {
  const listing = entry?.listing ?? null;
  return {
    provider,
    discovered: listing?.models.length ?? null,
    ...(entry?.error == null ? {} : { error: entry.error }),
    ...(listing === null ? {} : { age_ms: Math.max(0, Math.round(now - listing.at)) }),
  };
}
