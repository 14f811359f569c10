import { afterAll, describe, expect, it } from 'vitest';
import { settingPart } from '../../src/core/model/capability.ts';
import type { PooledRequest, Translated, TranslationPool } from '../../src/port/translation-pool.ts';
import { concatBytes, decodeUtf8 } from '../../src/protocol/json/index.ts';
import { createTranslator, writtenCodec } from '../../src/protocol/translate/index.ts';
import { DECODER_OPTIONS } from '../kit/decoder-run.ts';
import { largeRequest } from '../kit/large-request.ts';
import { delta, event, open as openBlock, STOP, start } from '../kit/messages-stream.ts';

const EGRESS = { model: 'up', askUsage: false, capabilities: {}, defaults: {} };
const SCRIBE = { createId: (prefix: string) => `${prefix}1`, now: 0 };
const CLOSED = { ok: false, trouble: 'closed', fault: null };

function valueIn<T>(answer: Translated<T>): T {
  if (!answer.ok) throw new Error(answer.trouble);
  return answer.value;
}

const written = async (pooled: PooledRequest, to: 'anthropic-messages' | 'gemini' | 'openai-chat') => {
  const { body, ...rest } = valueIn(await pooled.write(to, EGRESS));
  return { ...rest, body: decodeUtf8(concatBytes(body)) };
};

/** What the translator itself says, in one thread. */
const expected = (request: ReturnType<typeof largeRequest>, to: 'anthropic-messages' | 'gemini' | 'openai-chat') => {
  const { body, ...rest } = createTranslator(request).write(to, EGRESS);
  return { ...rest, body: decodeUtf8(concatBytes(body)) };
};

/** `create`: a new one; those that tests leave open share one, since threads are slow to start. */
export function translationPoolContract(name: string, create: () => TranslationPool): void {
  const shared = create();
  afterAll(() => shared.close());

  describe(`TranslationPool: ${name}`, () => {
    it('finds what each protocol lacks, as the translator does', async () => {
      const request = largeRequest(undefined, { background: true, store: true });
      const pooled = shared.open(request);
      const to = ['anthropic-messages', 'gemini', 'openai-chat'] as const;
      const lacks = valueIn(await pooled.findLacks(to));
      for (const each of to) expect(lacks[each]).toEqual(createTranslator(request).lacks(each));
      expect(lacks['gemini']).not.toEqual([]);
      pooled.close();
    });

    it('writes as the translator does, again and for others, and leaves the request as it was', async () => {
      const request = largeRequest();
      const before = decodeUtf8(request.original);
      const pooled = shared.open(request);
      expect(await written(pooled, 'anthropic-messages')).toEqual(expected(request, 'anthropic-messages'));
      expect(await written(pooled, 'gemini')).toEqual(expected(request, 'gemini'));
      expect(await written(pooled, 'anthropic-messages')).toEqual(expected(request, 'anthropic-messages'));
      expect((await written(pooled, 'anthropic-messages')).dropped).toEqual(['text.verbosity']);
      expect(decodeUtf8(request.original)).toBe(before);
      pooled.close();
    });

    it('writes with settings of the target, and says what it left out for it', async () => {
      const request = largeRequest(undefined, { temperature: 0.5 });
      const pooled = shared.open(request);
      const egress = {
        ...EGRESS,
        capabilities: { leaveOut: [settingPart('temperature')] },
        defaults: { maxOutputTokens: 7 },
      };
      const { leftOut, body } = valueIn(await pooled.write('anthropic-messages', egress));
      expect(leftOut).toEqual([settingPart('temperature')]);
      expect(JSON.parse(decodeUtf8(concatBytes(body)))).toMatchObject({ model: 'up', max_tokens: 7 });
      pooled.close();
    });

    it('gives what it takes to read the answer back: tools have their own names', async () => {
      const pooled = shared.open(largeRequest());
      const foreign = valueIn(await pooled.write('anthropic-messages', EGRESS));
      pooled.close();
      const codec = writtenCodec('openai-responses', 'anthropic-messages', foreign, SCRIBE);
      const decoder = codec.createStreamDecoder({ ...DECODER_OPTIONS, usageAsked: true });
      const answer = [
        start(),
        openBlock({ type: 'tool_use', id: 'toolu_1', name: 'files__read', input: {} }),
        delta({ type: 'input_json_delta', partial_json: '{}' }),
        event('content_block_stop', { index: 0 }),
        event('message_delta', { delta: { stop_reason: 'tool_use' }, usage: { output_tokens: 1 } }),
        STOP,
      ];
      const frames = decoder.push(new TextEncoder().encode(answer.join('')));
      const text = frames.map(({ bytes }) => decodeUtf8(bytes)).join('');
      expect(text).toContain('"namespace":"files"');
      expect(text).toContain('"name":"read"');
    });

    it('guesses the tokens as the translator does', async () => {
      const request = largeRequest();
      const pooled = shared.open(request);
      expect(valueIn(await pooled.estimate())).toBe(createTranslator(request).tokens());
      pooled.close();
    });

    it('answers each ask of many that are open at once', async () => {
      const requests = [1, 2, 3].map((n) => largeRequest(270_000, { instructions: `number ${n}` }));
      const pooled = requests.map((request) => shared.open(request));
      const answers = await Promise.all(
        [0, 1, 2, 0, 1, 2].map((n) => written(pooled[n] as PooledRequest, n === 1 ? 'gemini' : 'openai-chat')),
      );
      expect(answers.map(({ body }) => /number (\d)/.exec(body)?.[1])).toEqual(['1', '2', '3', '1', '2', '3']);
      for (const each of pooled) each.close();
    });

    it('tells of what threw without a word of the request', async () => {
      const pooled = shared.open(largeRequest());
      const answer = await pooled.write('bedrock-converse', EGRESS);
      expect(answer).toMatchObject({ ok: false, trouble: 'failed', fault: { name: 'TypeError' } });
      expect(JSON.stringify(answer)).not.toContain('no play');
      expect((await pooled.findLacks(['gemini'])).ok).toBe(true);
      pooled.close();
    });

    it('counts what a request takes from its first ask until it is closed', async () => {
      const request = largeRequest();
      const pooled = shared.open(request);
      await pooled.findLacks(['gemini']);
      expect(pooled.heldBytes).toBeGreaterThanOrEqual(request.original.length);
      pooled.close();
      expect(pooled.heldBytes).toBe(0);
    });

    it('ends what is asked of a request that is closed, and answers others', async () => {
      const [gone, other] = [shared.open(largeRequest()), shared.open(largeRequest())];
      const asks = [gone.findLacks(['gemini']), gone.write('gemini', EGRESS)];
      const kept = other.findLacks(['gemini']);
      gone.close();
      gone.close();
      for (const answer of await Promise.all(asks)) if (!answer.ok) expect(answer).toEqual(CLOSED);
      expect(await gone.findLacks(['gemini'])).toEqual(CLOSED);
      expect((await kept).ok).toBe(true);
      other.close();
    });

    it('ends all that is open when it is closed itself, and opens nothing more', async () => {
      const pool = create();
      const pooled = pool.open(largeRequest());
      const ask = pooled.write('gemini', EGRESS);
      await Promise.all([pool.close(), pool.close()]);
      const answer = await ask;
      if (!answer.ok) expect(answer).toEqual(CLOSED);
      expect(await pooled.findLacks(['gemini'])).toEqual(CLOSED);
      expect(await pool.open(largeRequest()).findLacks(['gemini'])).toEqual(CLOSED);
    });
  });
}
