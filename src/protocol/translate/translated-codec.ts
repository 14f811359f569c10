import type { AnswerEvent } from '../../core/model/answer.ts';
import type { CanonicalPrompt } from '../../core/model/prompt.ts';
import type { Headers } from '../../core/model/protocol.ts';
import type { AnswerOptions, Translation } from '../translation.ts';
import type { DecodedResponse, Egress, EncodedRequest, ProtocolCodec, StreamDecoder } from '../types.ts';
import { createAnswerShim } from './shim-answer.ts';
import type { Shimmed } from './shim-prompt.ts';
import { TranslatedStream } from './translated-stream.ts';

type Speaker = ProtocolCodec & { readonly translation: Translation };

export type TranslatedParts = {
  readonly client: Speaker;
  readonly provider: Speaker;
  readonly shimmed: Shimmed;
  readonly stream: boolean;
  readonly scribe: Pick<AnswerOptions, 'createId' | 'now'>;
};

/**
 * A codec for one attempt on a target of another protocol: what goes up and what is read is the provider's, what goes
 * down is the client's.
 */
export function createTranslatedCodec({ client, provider, shimmed, stream, scribe }: TranslatedParts): ProtocolCodec {
  const { names } = shimmed;
  /** Only until it is written: an answer may take an hour. */
  let prompt: CanonicalPrompt | null = shimmed.prompt;
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
    decodeRequest: client.decodeRequest,
    encodeRequest(_request, egress: Egress): EncodedRequest {
      if (prompt === null) throw new TypeError('a translated request is written once');
      model = egress.model;
      const { capabilities, defaults, askUsage, headers } = egress;
      const egressed = {
        model,
        stream,
        askUsage,
        capabilities,
        defaults,
        ...(headers === undefined ? {} : { headers }),
      };
      const written = provider.translation.writePrompt(prompt, egressed);
      prompt = null;
      const dropped = [...new Set([...shimmed.dropped, ...written.dropped])];
      return { ...written, dropped: dropped.map((name) => spell(name, client.translation)) };
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
        return { events: decoded.events, usage: decoded.usage, body: written, edits: [] };
      } catch {
        return { ...decoded, events: [{ type: 'malformed' }] };
      }
    },
    // Both are about what the client gets, which is in its protocol already.
    streamFromResponse: client.streamFromResponse,
    responseFromStream: client.responseFromStream,
    decodeError: provider.decodeError,
    encodeError: client.encodeError,
    encodeStreamError: client.encodeStreamError,
    keepalive: client.keepalive,
    encodeComment: client.encodeComment,
  };
}

const spell = (name: string, { spelling }: Translation): string =>
  Object.hasOwn(spelling, name) ? (spelling[name] ?? name) : name;
