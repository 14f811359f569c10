import { type ListedModel, type ListedPrice, MODEL_ID } from '../../core/catalogue/listed-model.ts';
import type { Capabilities } from '../../core/model/capability.ts';
import { looksSecret } from '../../core/redact/looks-secret.ts';
import { decodeUtf8 } from '../json/index.ts';
import type { ListedPage } from '../model-list.ts';
import { isObject } from './value.ts';

/** More than any vendor has; what comes behind them is left out. */
export const MAX_LISTED = 2000;
/** All names of a page together. It takes a while to see that a long one is no secret. */
const MAX_NAMES_LENGTH = 100_000;

/** Names of what answers no chat, where a list does not say what each model is for. */
const NOT_FOR_CHAT =
  /(?:^|[-_/.:])(?:text-)?(?:embed\w*|whisper|tts|rerank\w*|moderation|dall-e|imagen|veo|sora|transcribe|stable-diffusion|gpt-image|gpt-realtime|realtime)(?=$|[-_/.:\d])/i;

/** What a list says of one entry; null: it is for something else. */
export type ReadEntry = (entry: Readonly<Record<string, unknown>>) => {
  readonly id: unknown;
  readonly price: ListedPrice;
  readonly capabilities: Capabilities;
} | null;

/** The JSON of a page; undefined: it is none. */
export function parseList(body: Uint8Array): unknown {
  try {
    return JSON.parse(decodeUtf8(body));
  } catch {
    return undefined;
  }
}

/**
 * The models among the entries of a list. What is no model, can't be named, is not for chats, may be a secret, or stands
 * twice is left out and counted.
 */
export function readEntries(entries: readonly unknown[], read: ReadEntry): Omit<ListedPage, 'next'> {
  const models = new Map<string, ListedModel>();
  let length = 0;
  for (const entry of entries.slice(0, MAX_LISTED)) {
    const said = isObject(entry) ? read(entry) : null;
    if (said === null || typeof said.id !== 'string' || !MODEL_ID.test(said.id)) continue;
    length += said.id.length;
    const model = length > MAX_NAMES_LENGTH ? null : readModel(said.id, said);
    if (model !== null && !models.has(model.id)) models.set(model.id, model);
  }
  return { models: [...models.values()], leftOut: entries.length - models.size };
}

function readModel(id: string, { price, capabilities }: NonNullable<ReturnType<ReadEntry>>): ListedModel | null {
  if (NOT_FOR_CHAT.test(id) || looksSecret(id)) return null;
  return Object.keys(capabilities).length === 0 ? { id, price } : { id, price, capabilities };
}

const MAX_WINDOW = 1_000_000_000;

/** The first of these that is a number of tokens, as a capability. */
export function windowOf(...values: readonly unknown[]): Pick<Capabilities, 'contextWindow'> {
  const contextWindow = values.find(
    (value): value is number =>
      typeof value === 'number' && Number.isSafeInteger(value) && value > 0 && value <= MAX_WINDOW,
  );
  return contextWindow === undefined ? {} : { contextWindow };
}

/** Those that are said, yes or no; what is no boolean is not said. */
export function saidOf(said: { readonly [C in keyof Capabilities]?: unknown }): Capabilities {
  return Object.fromEntries(Object.entries(said).filter(([, value]) => typeof value === 'boolean'));
}

/** The texts of a list; null: it is none. */
export const wordsOf = (value: unknown): readonly string[] | null =>
  Array.isArray(value) ? value.filter((word) => typeof word === 'string') : null;
