import type { Headers } from '../../core/model/protocol.ts';
import type { CanonicalRequest } from '../../core/model/request.ts';
import { concatBytes, encodeUtf8, memberOf, NONE } from '../json/index.ts';
import { createCountCodec } from '../shared/count-codec.ts';
import { problem } from '../shared/request-shape.ts';
import type { Decoded, Egress, EncodedRequest, ProtocolCodec } from '../types.ts';
import { readCounted } from './count.ts';
import { modelPath, readTarget } from './path.ts';
import { decodeRequestFor, type GeminiExtension } from './request.ts';

/** `isWrapped`: what is counted stood under `generateContentRequest`, and goes on so. */
type CountExtension = GeminiExtension & { readonly isWrapped: boolean };

/** `POST /v1beta/models/{model}:countTokens`. */
export const createGeminiCount = (base: ProtocolCodec): ProtocolCodec =>
  createCountCodec({
    base,
    decode,
    write: encode,
    read: ({ totalTokens }) => totalTokens,
    answer: (tokens) => ({ totalTokens: tokens }),
  });

function decode(body: Uint8Array, headers: Headers): Decoded {
  const target = readTarget(headers[':path'] ?? '');
  if (target?.method !== 'countTokens') {
    return { ok: false, problem: problem('The path must be /v1beta/models/{model}:countTokens.', 'model') };
  }
  const counted = readCounted(body);
  if (!(counted instanceof Uint8Array)) return { ok: false, problem: counted };
  const decoded = decodeRequestFor(target.model, false, counted, headers);
  if (!decoded.ok) return decoded;
  const { request } = decoded;
  const extension: CountExtension = {
    ...(request.extensions.gemini as GeminiExtension),
    isWrapped: counted.length !== body.length,
  };
  return { ok: true, request: { ...request, extensions: { gemini: extension } } };
}

const HEAD = encodeUtf8('{"generateContentRequest":');
const TAIL = encodeUtf8('}');

function encode(written: EncodedRequest, { extensions }: CanonicalRequest, { model }: Egress): EncodedRequest {
  const { index, isWrapped } = extensions.gemini as CountExtension;
  const path = modelPath(model, 'countTokens');
  if (!isWrapped) return { ...written, path };
  // Inside, a request must name its model.
  const hasModel = memberOf(index, 0, 'model') !== NONE;
  const named = hasModel ? written.body : withModel(concatBytes(written.body), model);
  return { ...written, path, body: [HEAD, ...named, TAIL] };
}

const withModel = (body: Uint8Array, model: string): readonly Uint8Array[] => [
  encodeUtf8(`{"model":${JSON.stringify(`models/${model}`)},`),
  body.subarray(1),
];
