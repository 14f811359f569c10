import { isDeepStrictEqual } from 'node:util';
import type { CanonicalPrompt } from '../../src/core/model/prompt.ts';
import type { Protocol } from '../../src/core/model/protocol.ts';
import { PROTOCOL_NAMES } from '../../src/core/model/protocol-names.ts';
import type { CanonicalRequest } from '../../src/core/model/request.ts';

import { CODECS } from '../../src/protocol/index.ts';
import { translatorOf } from '../../src/protocol/translate/index.ts';
import type { PromptEgress, Translation } from '../../src/protocol/translation.ts';
import { FEATURES, type Feature } from './features.ts';
import { readAddressed } from './read-addressed.ts';

export const SPEAKERS: readonly Protocol[] = [...CODECS.values()].flatMap(({ protocol, translation }) =>
  translation === undefined ? [] : [protocol],
);

/** Models whose families can do most. */
const MODELS: { readonly [P in Protocol]?: string } = {
  'openai-chat': 'gpt-5.6',
  'openai-responses': 'gpt-5.6',
  // Newer ones take no temperature, top_p and top_k.
  'anthropic-messages': 'claude-sonnet-4-5',
  gemini: 'gemini-2.5-pro',
};

const egressTo = (protocol: Protocol): PromptEgress => ({
  model: MODELS[protocol] ?? 'm',
  stream: false,
  askUsage: false,
  capabilities: {},
  defaults: {},
});

const translationOf = (protocol: Protocol): Translation => {
  const translation = CODECS.get(protocol)?.translation;
  if (translation === undefined) throw new Error(`${protocol} is not translated`);
  return translation;
};

/** A prompt as a client of this protocol sends it; null: it has no words for it. */
function ask(feature: Feature, client: Protocol): CanonicalRequest | null {
  const translation = translationOf(client);
  if (translation.lacks(feature.prompt).length > 0) return null;
  const request = readAddressed(client, translation.writePrompt(feature.prompt, egressTo(client)));
  const read = translation.readPrompt(request);
  return read.ok && feature.probe(read.prompt) !== null ? request : null;
}

const readBack = (protocol: Protocol, written: Parameters<typeof readAddressed>[1]): CanonicalPrompt | null => {
  const read = translationOf(protocol).readPrompt(readAddressed(protocol, written));
  return read.ok ? read.prompt : null;
};

/** `carried`: the same; `mapped`: said in other words; else what becomes of it. `–`: the client can't ask for it. */
export function cellOf(feature: Feature, client: Protocol, provider: Protocol): string {
  const request = ask(feature, client);
  if (request === null) return '–';
  const asked = translationOf(client).readPrompt(request);
  if (!asked.ok) return '–';
  const translator = translatorOf(request);
  const lacks = translator.lacks(provider);
  if (lacks.length > 0)
    return `not eligible: ${lacks.map((each) => each.replace(/( \([^)]*\))? in \w+$/, '')).join(', ')}`;
  const egress = egressTo(provider);
  const codec = translator.codec(provider, { createId: (prefix) => `${prefix}1`, now: 0 });
  const written = codec.encodeRequest(request, { ...egress, withoutState: false });
  const dropped = written.dropped ?? [];
  const got = readBack(provider, { ...written, dropped });
  const [before, after] = [feature.probe(asked.prompt), got === null ? null : feature.probe(got)];
  const note = dropped.length === 0 ? '' : ` (without \`${dropped.join('`, `')}\`)`;
  if (after === null) return dropped.length === 0 ? 'mapped' : `dropped: \`${dropped.join('`, `')}\``;
  return `${isDeepStrictEqual(plain(before), plain(after)) ? 'carried' : 'mapped'}${note}`;
}

const plain = (value: unknown): unknown =>
  JSON.parse(JSON.stringify(value, (_key, each: unknown) => each ?? undefined) ?? 'null');

const short = (protocol: Protocol): string => PROTOCOL_NAMES[protocol].short;

/** A table for each protocol of clients. */
export function writeTables(): string {
  return SPEAKERS.map((client) => {
    const others = SPEAKERS.filter((each) => each !== client);
    const head = [
      `| from ${short(client)} | ${others.map((each) => `to ${short(each)}`).join(' | ')} |`,
      `|---|${others.map(() => '---|').join('')}`,
    ];
    const rows = FEATURES.map((feature) => [feature.name, ...others.map((to) => cellOf(feature, client, to))])
      .filter(([, ...cells]) => cells.some((cell) => cell !== '–'))
      .map((cells) => `| ${cells.join(' | ')} |`);
    return [`### From ${PROTOCOL_NAMES[client].full}`, '', ...head, ...rows].join('\n');
  }).join('\n\n');
}
