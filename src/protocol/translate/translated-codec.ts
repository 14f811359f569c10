import type { AnswerEvent } from '../../core/model/answer.ts';
import type { Headers } from '../../core/model/protocol.ts';
import { indexJson, memberOf, stringOf } from '../json/index.ts';
import type { AnswerOptions, PromptEgress, Translation, WrittenPrompt } from '../translation.ts';
import type { DecodedResponse, Egress, EncodedRequest, ProtocolCodec, StreamDecoder } from '../types.ts';
import { ownFault } from './own-fault.ts';
import { createAnswerShim } from './shim-answer.ts';
import type { ToolNames } from './tool-names.ts';
import { TranslatedStream } from './translated-stream.ts';

type Speaker = ProtocolCodec & { readonly translation: Translation };

export type TranslatedParts = {
  readonly client: Speaker;
  readonly provider: Speaker;
  readonly names: Pick<ToolNames, 'toClient'>;
  /** The request in the provider's protocol. */
  readonly write: (egress: Omit<PromptEgress, 'stream'>) => WrittenPrompt;
  readonly scribe: Pick<AnswerOptions, 'createId' | 'now' | 'isStored'>;
};

/** The id by which its client may name an answer later. */
function idOf(answer: Uint8Array): string | null {
  const index = indexJson(answer, 1);
  return index === null ? null : stringOf(index, memberOf(index, 0, 'id'));
}

/**
 * A codec for one attempt on a target of another protocol: what goes up and what is read is the provider's, what goes
 * down is the client's.
 */
export function createTranslatedCodec({ client, provider, names, write, scribe }: TranslatedParts): ProtocolCodec {
  /** It holds the request's tree; an answer may take an hour. */
  let writeOnce: TranslatedParts['write'] | null = write;
  let model = '';
  const answerOptions = (renameModel: string | null, usageAsked: boolean): AnswerOptions => ({
    ...scribe,
    model: renameModel ?? model,
    usageAsked,
  });
  const named = (events: readonly AnswerEvent[], name: string | null): readonly AnswerEvent[] =>
    name === null ? events : events.map((event) => (event.type === 'start' ? { ...event, model: name } : event));

  return {
    protocol: provider.protocol,
    isTranslated: true,
    decodeRequest: (body, headers) => client.decodeRequest(body, headers),
    encodeRequest(_request, egress: Egress): EncodedRequest {
      if (writeOnce === null) throw new TypeError('a translated request is written once for each attempt');
      model = egress.model;
      const { capabilities, defaults, askUsage, headers } = egress;
      const own = headers === undefined ? {} : { headers };
      const written = writeOnce({ model, askUsage, capabilities, defaults, ...own });
      writeOnce = null;
      return written;
    },
    authHeaders: (secret, scheme, headers?: Headers) => provider.authHeaders(secret, scheme, headers),
    ...(provider.failureRows === undefined ? {} : { failureRows: provider.failureRows }),
    createStreamDecoder(options): StreamDecoder {
      const { renameModel, maxFrameBytes, usageAsked } = options;
      return new TranslatedStream({
        upstream: provider.createStreamDecoder({ ...options, usageAsked: true, renameModel: null }),
        answer: provider.translation.createAnswerDecoder(),
        shim: createAnswerShim(names, client.protocol),
        encoder: client.translation.createAnswerEncoder(answerOptions(renameModel, usageAsked)),
        maxFrameBytes,
        renameModel,
      });
    },
    decodeResponse(body, options): DecodedResponse {
      const { renameModel } = options;
      const decoded = provider.decodeResponse(body, { ...options, renameModel: null });
      if (decoded.events.some(({ type }) => type === 'error' || type === 'malformed')) return decoded;
      try {
        const events = named(provider.translation.readAnswer(decoded.body), renameModel);
        const shim = createAnswerShim(names, client.protocol);
        const written = client.translation.writeAnswer(shim.push(events), answerOptions(renameModel, true));
        const answerId = client.conversation === undefined ? null : idOf(written);
        const { usage, servedModel = null } = decoded;
        return { events: decoded.events, usage, body: written, edits: [], answerId, servedModel };
      } catch (thrown) {
        return { ...decoded, events: [ownFault(thrown)] };
      }
    },
    // Both are about what the client gets, which is in its protocol already.
    streamFromResponse: (body, options) => client.streamFromResponse(body, options),
    responseFromStream: (frames) => client.responseFromStream(frames),
    decodeError: (status, headers, body) => provider.decodeError(status, headers, body),
    encodeError: (error, context) => client.encodeError(error, context),
    encodeStreamError: (error, context) => client.encodeStreamError(error, context),
    keepalive: client.keepalive,
    encodeComment: (text) => client.encodeComment(text),
  };
}
