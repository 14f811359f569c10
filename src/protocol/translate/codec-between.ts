import type { Protocol } from '../../core/model/protocol.ts';
import { CODECS } from '../index.ts';
import type { WrittenPrompt } from '../translation.ts';
import type { ProtocolCodec } from '../types.ts';
import { DIALECTS } from './dialects.ts';
import { type KnownTool, recallToolNames } from './tool-names.ts';
import { createTranslatedCodec, type TranslatedParts } from './translated-codec.ts';

/** A request in another protocol, with all that is needed of it to read its answer. Plain data. */
export type ForeignPrompt = WrittenPrompt & { readonly tools: readonly KnownTool[] };

/** Throws a TypeError where one of them is only relayed. */
export function codecBetween(
  from: Protocol,
  to: Protocol,
  parts: Pick<TranslatedParts, 'names' | 'write' | 'scribe'>,
): ProtocolCodec {
  const [client, provider] = [CODECS.get(from), CODECS.get(to)];
  if (client?.translation === undefined || provider?.translation === undefined)
    throw new TypeError(`no translation from ${from} to ${to}`);
  return createTranslatedCodec({
    client: { ...client, translation: client.translation },
    provider: { ...provider, translation: provider.translation },
    ...parts,
  });
}

/** For one attempt on a request that was written already, wherever that was. */
export function writtenCodec(
  from: Protocol,
  to: Protocol,
  { tools, ...written }: ForeignPrompt,
  scribe: TranslatedParts['scribe'],
): ProtocolCodec {
  return codecBetween(from, to, { names: recallToolNames(DIALECTS[to], tools), write: () => written, scribe });
}
