import { cleanName, cleanText } from '../../core/redact/index.ts';
import { ATTRIBUTES, type Attribute, type AttributeName } from './conventions.ts';
import type { Attributes, Value } from './draft.ts';

export type Names = 'current' | 'former' | 'both';

export type WireValue = string | number | boolean | string[];
export type WireAttributes = Readonly<Record<string, WireValue>>;

type Clean = (text: string) => string;

/** Names and sentences come back all the time; what they look like cleaned is kept, of so many and so long ones. */
const MAX_KNOWN = 2_000;
const MAX_KNOWN_LENGTH = 200;

export type AttributeWriter = {
  readonly attributes: (attributes: Attributes) => WireAttributes;
  readonly name: Clean;
  readonly text: Clean;
};

/** Puts attributes under the names that are wanted, clean. `scrub` takes known secrets out. */
export function createAttributeWriter(names: Names, scrub: Clean): AttributeWriter {
  const name = keepKnown((text) => cleanName(text, { scrub }));
  const text = keepKnown((sentence) => cleanText(sentence, { scrub }));
  /** All others are names, and words of tables. The ids of requests never come back, and hold nothing of anybody's. */
  const cleaners: { readonly [A in Attribute]?: Clean } = { why: text, reason: text, request: scrub };
  return {
    name,
    text,
    attributes(attributes) {
      const out: Record<string, WireValue> = {};
      for (const key in attributes) {
        const value = attributes[key as Attribute];
        if (value === null || value === undefined) continue;
        const cleaned = cleanValue(value, cleaners[key as Attribute] ?? name);
        const { current, former }: AttributeName = ATTRIBUTES[key as Attribute];
        if (former === null || names !== 'former') out[current] = cleaned;
        if (former !== null && names !== 'current') out[former] = cleaned;
      }
      return out;
    },
  };
}

function cleanValue(value: Value, clean: Clean): WireValue {
  if (typeof value === 'string') return clean(value);
  return typeof value === 'object' ? value.map(clean) : value;
}

function keepKnown(clean: Clean): Clean {
  const known = new Map<string, string>();
  return (text) => {
    const found = known.get(text);
    if (found !== undefined) return found;
    const cleaned = clean(text);
    if (text.length <= MAX_KNOWN_LENGTH && known.size < MAX_KNOWN) known.set(text, cleaned);
    return cleaned;
  };
}
