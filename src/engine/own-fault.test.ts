import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { createEngineBench, type EngineBench } from '../../test/kit/engine-bench.ts';
import { STOP, said, start, stop } from '../../test/kit/messages-stream.ts';
import { completion, says } from '../../test/kit/plays.ts';
import { openaiChat } from '../protocol/openai-chat/index.ts';
import type { AnswerEncoder, Translation } from '../protocol/translation.ts';
import type { ProtocolCodec } from '../protocol/types.ts';
import type { Play } from '../simulate/world/network.ts';

// A good answer that the gateway fails to write: a client of Chat on targets of Messages, with an encoder that throws.

const PROMPT = 'The treasure lies under the seventh oak.';
const WORDS = 'Dig behind the mill.';
const foreign = (id: string) => ({ id, protocol: 'anthropic-messages' as const });

function translationOf({ translation }: ProtocolCodec): Translation {
  if (translation === undefined) throw new Error('it is only relayed');
  return translation;
}

const wire = translationOf(openaiChat);

const notices: { readonly message: string; readonly fields: unknown }[] = [];
let bench: EngineBench;
beforeEach(() => {
  notices.length = 0;
  bench = createEngineBench({
    targets: [foreign('a'), 'b'],
    ports: ({ telemetry }) => ({
      telemetry: { ...telemetry, notice: (_level, message, fields) => void notices.push({ message, fields }) },
    }),
  });
});
afterEach(async () => {
  vi.restoreAllMocks();
  await bench.quiet();
});

const boom = (): never => {
  throw new TypeError(`can't read ${WORDS} of ${PROMPT}`);
};

/** Writes so often and fails the next time. */
function breakEncoder(after: number): void {
  const create = wire.createAnswerEncoder.bind(wire);
  let writes = 0;
  vi.spyOn(wire, 'createAnswerEncoder').mockImplementation((options): AnswerEncoder => {
    const encoder = create(options);
    return {
      push(events) {
        if (events.length > 0 && writes++ >= after) boom();
        return encoder.push(events);
      },
    };
  });
}

const JSON_HEADERS = { 'content-type': 'application/json' };
const STREAMED: Play = { body: [start(), said(WORDS), said('More.', 1), stop() + STOP] };
const WHOLE: Play = {
  headers: JSON_HEADERS,
  body: [
    JSON.stringify({
      id: 'msg_1',
      type: 'message',
      role: 'assistant',
      model: 'm',
      content: [{ type: 'text', text: WORDS }],
      stop_reason: 'end_turn',
      usage: { input_tokens: 1, output_tokens: 2 },
    }),
  ],
};

const ask = (stream: boolean) => ({ stream, body: { messages: [{ role: 'user', content: PROMPT }] } });

/** The operator knows what failed and where; nobody knows what was said. */
function expectTold(): void {
  expect(notices.map(({ message }) => message)).toContain(
    'an answer could not be translated from anthropic-messages to openai-chat: TypeError',
  );
  expect(notices[0]?.fields).toMatchObject({
    request: expect.stringMatching(/^req_/),
    target: 'a/m',
    at: expect.stringMatching(/^at (Object\.)?boom .*own-fault\.test\.ts:\d+/),
  });
  expect(JSON.stringify([notices, bench.facts])).not.toMatch(/oak|mill/);
}

const reserve = (isStream: boolean): Play =>
  isStream ? says('from b') : { headers: JSON_HEADERS, body: [completion('from b')] };

describe('an answer that the gateway fails to write', () => {
  it.each([
    ['a stream', true, STREAMED],
    ['JSON', false, WHOLE],
    ['a stream for a JSON client', false, STREAMED],
    ['JSON for a stream client', true, WHOLE],
  ] as const)('before output (%s): the next target is asked, and nobody is charged', async (_, isStream, play) => {
    breakEncoder(0);
    vi.spyOn(wire, 'writeAnswer').mockImplementation(boom);
    bench.play('a', play);
    bench.play('b', reserve(isStream));
    for (let n = 0; n < 4; n++) {
      const asked = await bench.run(ask(isStream));
      expect(asked.outcomes).toEqual(['protocol_error', 'ok']);
      expect(asked.attempts[0]?.failure).toMatchObject({ row: 'own_fault', component: 'gateway', scope: 'none' });
      expect(asked.attempts[0]?.reason).toMatch(/^the gateway failed .*\(TypeError\)$/);
      expect(asked.client.text).toContain('from b');
    }
    expect(bench.word('a')).toBe('ready');
    expect(JSON.stringify(bench.health.snapshot())).not.toContain('protocol_error');
    expectTold();
  });

  it.each([3, 4])(
    'behind output (%i writes): the client gets the honest end, and nobody is charged',
    async (writes) => {
      bench.play('a', STREAMED);
      for (let n = 0; n < 4; n++) {
        breakEncoder(writes);
        const asked = await bench.run(ask(true));
        expect(asked.outcomes).toEqual(['interrupted']);
        expect(asked.error).toMatchObject({ code: 'stream_interrupted', understudy: { component: 'gateway' } });
        expect(asked.data).not.toContain('[DONE]');
        expect(asked.client.text).toContain('mill');
        expect(asked.ledger.ended).toMatchObject({ outcome: 'interrupted', component: 'gateway' });
        vi.restoreAllMocks();
      }
      expect(bench.word('a')).toBe('ready');
      expect(bench.sendsTo('b')).toHaveLength(0);
      expect(JSON.stringify(bench.health.snapshot())).not.toContain('protocol_error');
      expectTold();
    },
  );

  it('where nobody else is left, the component is told', async () => {
    breakEncoder(0);
    bench.play('a', STREAMED);
    bench.play('b', { status: 400, headers: JSON_HEADERS, body: ['{}'] });
    bench = createEngineBench({ targets: [foreign('a')] });
    bench.play('a', STREAMED);
    const asked = await bench.run(ask(true));
    expect(asked.client.status).toBe(502);
    expect(asked.error).toMatchObject({ code: 'upstream_error', understudy: { component: 'gateway' } });
  });

  it('what the provider itself failed with stands above it', async () => {
    breakEncoder(0);
    const error = 'event: error\ndata: {"type":"error","error":{"type":"overloaded_error","message":"x"}}\n\n';
    bench.play('a', { body: [error] });
    bench.play('b', says('from b'));
    const asked = await bench.run(ask(true));
    expect(asked.outcomes).toEqual(['overloaded', 'ok']);
    expect(notices).toEqual([]);
  });
});
