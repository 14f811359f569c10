import type { Headers, Protocol } from '../core/model/protocol.ts';
import { CODECS } from './index.ts';
import { encodeUtf8 } from './json/index.ts';
import type { Decoded, ProtocolCodec } from './types.ts';

const ASK = 'Reply with OK.';

type Smallest = { readonly headers?: Headers; readonly body: object };

/**
 * The smallest streamed request that each protocol allows. How long the answer may be stands here only where the protocol
 * insists; elsewhere it is a default of the target (`maxOutputTokens`), which its codec spells as the model wants it.
 */
const SMALLEST: Readonly<Partial<Record<Protocol, (model: string, tokens: number) => Smallest>>> = {
  'openai-chat': (model) => ({ body: { model, stream: true, messages: [{ role: 'user', content: ASK }] } }),
  'openai-responses': (model) => ({ body: { model, stream: true, store: false, input: ASK } }),
  'anthropic-messages': (model, tokens) => ({
    body: { model, stream: true, max_tokens: tokens, messages: [{ role: 'user', content: ASK }] },
  }),
  gemini: (model) => ({
    headers: { ':path': `/v1beta/models/${encodeURIComponent(model)}:streamGenerateContent?alt=sse` },
    body: { contents: [{ role: 'user', parts: [{ text: ASK }] }] },
  }),
};

/** A request by which a route shows that it answers; null: this version does not speak the protocol. */
export function probeRequest(
  protocol: Protocol,
  model: string,
  tokens: number,
): { readonly codec: ProtocolCodec; readonly decoded: Decoded } | null {
  const codec = CODECS.get(protocol);
  const smallest = SMALLEST[protocol]?.(model, tokens);
  if (codec === undefined || smallest === undefined) return null;
  const { headers = {}, body } = smallest;
  return { codec, decoded: codec.decodeRequest(encodeUtf8(JSON.stringify(body)), headers) };
}
