import { type Capabilities, FEATURES } from '../model/capability.ts';
import { looksSecret } from '../redact/looks-secret.ts';
import type { Listing } from './catalogue.ts';
import { type ListedModel, MODEL_ID } from './listed-model.ts';

/** A list that was kept, and whose it is: the provider's name alone does not say that it is still the same one. */
export type KeptListing = Listing & { readonly place: string };

const isRecord = (value: unknown): value is Readonly<Record<string, unknown>> =>
  typeof value === 'object' && value !== null && !Array.isArray(value);
const isCount = (value: unknown): value is number => Number.isSafeInteger(value) && (value as number) >= 0;

const PRICES: readonly unknown[] = ['free', 'priced', 'unknown'] satisfies readonly ListedModel['price'][];

/**
 * Lists that were written down, by provider. What is not as it must be is left out, the whole of a list with it: it is
 * asked for again in any case. A moment that lies ahead is a clock's mistake, and counts as now.
 */
export function readKeptListings(value: unknown, now: number): ReadonlyMap<string, KeptListing> {
  const kept = new Map<string, KeptListing>();
  if (!isRecord(value)) return kept;
  for (const [provider, list] of Object.entries(value)) {
    const read = readListing(list, now);
    if (read !== null) kept.set(provider, read);
  }
  return kept;
}

function readListing(value: unknown, now: number): KeptListing | null {
  if (!isRecord(value)) return null;
  const { place, at, left_out: leftOut, models } = value;
  if (typeof place !== 'string' || !isCount(at) || !isCount(leftOut) || !Array.isArray(models)) return null;
  const read = models.map(readModel);
  const sound = read.filter((model) => model !== null);
  return sound.length === read.length ? { place, at: Math.min(at, now), leftOut, models: sound } : null;
}

function readModel(value: unknown): ListedModel | null {
  if (!isRecord(value)) return null;
  const { id, price, capabilities } = value;
  if (typeof id !== 'string' || !MODEL_ID.test(id) || looksSecret(id) || !PRICES.includes(price)) return null;
  const model = { id, price: price as ListedModel['price'] };
  if (capabilities === undefined) return model;
  const read = readCapabilities(capabilities);
  return read === null ? null : { ...model, capabilities: read };
}

const SWITCHES: ReadonlySet<string> = new Set(FEATURES);

function readCapabilities(value: unknown): Capabilities | null {
  if (!isRecord(value)) return null;
  const isSound = Object.entries(value).every(([name, said]) =>
    name === 'contextWindow' ? isCount(said) : SWITCHES.has(name) && typeof said === 'boolean',
  );
  return isSound ? value : null;
}
