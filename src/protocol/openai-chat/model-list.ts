import type { ListedPrice } from '../../core/catalogue/listed-model.ts';
import type { Capabilities } from '../../core/model/capability.ts';
import type { ListedPage, ModelListFormat } from '../model-list.ts';
import { parseList, type ReadEntry, readEntries, saidOf, windowOf, wordsOf } from '../shared/read-list.ts';
import { isObject } from '../shared/value.ts';

/** OpenAI's list holds names; what else its look-alikes say of a model is read where it is known how they say it. */
export const modelList: ModelListFormat = {
  path: (cursor) => (cursor === null ? '/models' : `/models?${cursor}`),
  headers: {},
  decode(body) {
    const list = parseList(body);
    const entries = entriesOf(list);
    return entries === null ? null : { ...readEntries(entries, readEntry), next: nextOf(list) };
  },
};

/** `data`, or the bare array of Together, or the `models` of Ollama. */
function entriesOf(list: unknown): readonly unknown[] | null {
  if (Array.isArray(list)) return list;
  if (!isObject(list)) return null;
  const entries = list['data'] ?? list['models'];
  return Array.isArray(entries) ? entries : null;
}

const QUERY = /\?([\w=&.%-]{1,256})$/;

/** OpenRouter names the page behind by its path, of which only the query is of use: the base URL is ours. */
function nextOf(list: unknown): ListedPage['next'] {
  const links = isObject(list) ? list['links'] : null;
  const next = isObject(links) ? links['next'] : null;
  return typeof next === 'string' ? (QUERY.exec(next)?.[1] ?? null) : null;
}

/** What a list calls things that hold no chats. */
const OTHER_TYPES: ReadonlySet<unknown> = new Set([
  'audio',
  'embedding',
  'embeddings',
  'image',
  'moderation',
  'rerank',
  'transcribe',
  'tts',
  'video',
]);

const readEntry: ReadEntry = (entry) => {
  if (isForSomethingElse(entry)) return null;
  return {
    id: entry['id'] ?? entry['model'] ?? entry['name'],
    price: priceOf(entry['pricing']),
    capabilities: {
      ...capabilitiesOf(entry),
      ...windowOf(
        entry['context_length'],
        entry['context_window'],
        entry['max_context_length'],
        entry['max_model_len'],
      ),
    },
  };
};

function isForSomethingElse(entry: Readonly<Record<string, unknown>>): boolean {
  const { architecture, capabilities } = entry as { readonly architecture?: unknown; readonly capabilities?: unknown };
  const outputs = wordsOf(isObject(architecture) ? architecture['output_modalities'] : entry['output_modalities']);
  if (outputs !== null && !outputs.includes('text')) return true;
  if (isObject(capabilities) && capabilities['completion_chat'] === false) return true;
  if (entry['active'] === false || entry['archived'] === true || entry['supports_chat'] === false) return true;
  return OTHER_TYPES.has(entry['type']);
}

/**
 * Whatever a vendor says in one of these ways: parameters and modalities (OpenRouter), a map of switches (Mistral), a
 * switch for each (Fireworks), a list of words (Ollama).
 */
function capabilitiesOf(entry: Readonly<Record<string, unknown>>): Capabilities {
  const { architecture, capabilities: said } = entry as {
    readonly architecture?: unknown;
    readonly capabilities?: unknown;
  };
  const inputs = wordsOf(isObject(architecture) ? architecture['input_modalities'] : entry['input_modalities']);
  const parameters = wordsOf(entry['supported_parameters']);
  const words = wordsOf(said);
  const features = wordsOf(entry['supported_features']);
  const switches = isObject(said) ? said : {};
  return {
    ...(words === null ? {} : ollamaWords(words)),
    ...(features === null ? {} : { tools: features.includes('tools') }),
    ...saidOf({ tools: switches['function_calling'], images: switches['vision'] }),
    ...saidOf({ tools: entry['supports_tools'], images: entry['supports_image_input'] }),
    ...(inputs === null ? {} : { images: inputs.includes('image'), audio: inputs.includes('audio') }),
    ...(parameters === null ? {} : parameterWords(parameters)),
  };
}

/**
 * Parameters that a model lacks are left out there without a word, so only those that change what comes back count as
 * lacking.
 */
const parameterWords = (words: readonly string[]): Capabilities => ({
  tools: words.includes('tools'),
  responseFormat: words.includes('response_format') || words.includes('structured_outputs'),
  ...(words.includes('reasoning') || words.includes('reasoning_effort') ? { reasoningEffort: true } : {}),
});

const ollamaWords = (words: readonly string[]): Capabilities => ({
  tools: words.includes('tools'),
  images: words.includes('vision'),
  ...(words.includes('thinking') ? { reasoningEffort: true } : {}),
});

const AMOUNT = /^\d{1,30}(?:\.\d{1,30})?(?:e[+-]?\d{1,3})?$/i;

/** Null: no amount is said. Negative ones stand for "it depends". */
function amountOf(value: unknown): number | null {
  if (typeof value === 'number') return Number.isFinite(value) && value >= 0 ? value : null;
  return typeof value === 'string' && AMOUNT.test(value) ? Number(value) : null;
}

/** No price, but how much less it is. */
const NO_PRICE = 'discount';

/**
 * `prompt` and `completion` per token, as OpenRouter says it. Zeros under other names (`input`, `output`) also stand for
 * "by the hour", so they prove nothing.
 */
function priceOf(pricing: unknown): ListedPrice {
  if (!isObject(pricing)) return 'unknown';
  const amounts = Object.entries(pricing).flatMap(([name, value]) =>
    name === NO_PRICE ? [] : (amountOf(value) ?? []),
  );
  if (amounts.some((amount) => amount > 0)) return 'priced';
  return amountOf(pricing['prompt']) === 0 && amountOf(pricing['completion']) === 0 ? 'free' : 'unknown';
}
