import { describe, expect, it } from 'vitest';
import { DECODER_OPTIONS } from '../../test/kit/decoder-run.ts';
import { VOICED } from '../../test/kit/provider-bench.ts';
import type { Protocol } from '../core/model/protocol.ts';
import { CODECS } from './index.ts';
import { encodeUtf8 } from './json/index.ts';
import { codecBetween } from './translate/codec-between.ts';
import { DIALECTS } from './translate/dialects.ts';
import { recallToolNames } from './translate/tool-names.ts';
import type { ProtocolCodec } from './types.ts';

const NAME = 'm-2026-01';
const OTHER = '"model":"of the text"';

/** The first frame of an answer, and a whole one; words of the answer look like a name, too. */
const ANSWERS: { readonly [P in (typeof VOICED)[number]]: readonly [frame: object, whole: object] } = {
  'openai-chat': [
    { id: 'c', model: NAME, choices: [{ index: 0, delta: { content: OTHER } }] },
    { id: 'c', choices: [{ index: 0, message: { content: OTHER }, finish_reason: 'stop' }], model: NAME },
  ],
  'openai-responses': [
    { type: 'response.created', response: { id: 'r', model: NAME, status: 'in_progress', output: [] } },
    { id: 'r', object: 'response', status: 'completed', output: [], model: NAME },
  ],
  'anthropic-messages': [
    { type: 'message_start', message: { id: 'm', model: NAME, role: 'assistant', content: [] } },
    { id: 'm', content: [{ type: 'text', text: OTHER }], stop_reason: 'end_turn', model: NAME },
  ],
  gemini: [
    { candidates: [{ content: { parts: [{ text: OTHER }] } }], modelVersion: NAME },
    { candidates: [{ content: { parts: [{ text: OTHER }] }, finishReason: 'STOP' }], modelVersion: NAME },
  ],
};

const codecOf = (protocol: Protocol): ProtocolCodec => CODECS.get(protocol) as ProtocolCodec;
const OPTIONS = { ...DECODER_OPTIONS, renameModel: 'main' };

function servedIn(codec: ProtocolCodec, [frame, whole]: readonly [object, object]): readonly unknown[] {
  const decoder = codec.createStreamDecoder(OPTIONS);
  const before = decoder.servedModel?.();
  decoder.push(encodeUtf8(`data: ${JSON.stringify(frame)}\n\n`));
  const { servedModel } = codec.decodeResponse(encodeUtf8(JSON.stringify(whole)), OPTIONS);
  return [before, decoder.servedModel?.(), servedModel];
}

describe('the model that a provider says it was', () => {
  it.each(VOICED)('%s', (protocol) => {
    expect(servedIn(codecOf(protocol), ANSWERS[protocol])).toEqual([null, NAME, NAME]);
  });

  it.each(VOICED)('%s, for a client of another protocol', (protocol) => {
    const client = protocol === 'gemini' ? 'openai-chat' : 'gemini';
    const scribe = { createId: () => 'id', now: 0, isStored: false };
    const parts = { names: recallToolNames(DIALECTS[protocol], []), scribe };
    const write = (): never => {
      throw new Error('nothing is sent');
    };
    const codec = codecBetween(client, protocol, { ...parts, write });
    expect(servedIn(codec, ANSWERS[protocol])).toEqual([null, NAME, NAME]);
  });

  it.each(VOICED)('%s, where it does not say', (protocol) => {
    const [frame, whole] = JSON.parse(JSON.stringify(ANSWERS[protocol]).replaceAll(`"${NAME}"`, '7'));
    expect(servedIn(codecOf(protocol), [frame, whole])).toEqual([null, null, null]);
  });
});
