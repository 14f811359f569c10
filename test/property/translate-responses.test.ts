import * as fc from 'fast-check';
import OpenAI from 'openai';
import { describe, expect, it } from 'vitest';
import type { AnswerEvent } from '../../src/core/model/answer.ts';
import type { CanonicalPrompt } from '../../src/core/model/prompt.ts';
import { concatBytes, decodeUtf8 } from '../../src/protocol/json/index.ts';
import { openaiResponses } from '../../src/protocol/openai-responses/index.ts';
import { translation } from '../../src/protocol/openai-responses/translation.ts';
import type { AnswerOptions, PromptEgress } from '../../src/protocol/translation.ts';
import { assertProperty } from '../kit/assert-property.ts';
import { DECODER_OPTIONS } from '../kit/decoder-run.ts';
import { anyAnswer, responsesAnswer } from '../kit/responses-answer-arbitrary.ts';
import { responsesPrompt } from '../kit/responses-arbitrary.ts';
import { responsesFaults } from '../kit/responses-validator.ts';

const EGRESS: PromptEgress = { model: 'm', stream: true, askUsage: false, capabilities: {}, defaults: {} };

const options = (): AnswerOptions => {
  let count = 0;
  return { model: 'm', usageAsked: true, createId: (prefix) => `${prefix}${++count}`, now: 7_000 };
};

function read(body: Uint8Array): CanonicalPrompt {
  const decoded = openaiResponses.decodeRequest(body, {});
  if (!decoded.ok) throw new Error(`${decoded.problem.param}: ${decoded.problem.message}`);
  const prompt = translation.readPrompt(decoded.request);
  if (!prompt.ok) throw new Error(prompt.problem.message);
  return prompt.prompt;
}

/** What an answer says, without the borders of its deltas. */
function fold(events: readonly AnswerEvent[]): unknown {
  const blocks = new Map<
    number,
    { content: unknown; texts: string[]; citations: unknown[]; state: unknown; isOpen: boolean }
  >();
  const rest: unknown[] = [];
  const logprobs: unknown[] = [];
  for (const event of events) {
    if (event.type === 'block_start') {
      blocks.set(event.block, { content: event.content, texts: [], citations: [], state: null, isOpen: true });
    } else if (event.type === 'logprobs') logprobs.push(...event.content);
    else if ('block' in event) {
      const block = blocks.get(event.block);
      if (block === undefined || !block.isOpen) throw new Error(`${event.type} of no open block`);
      if (event.type === 'delta')
        block.texts[event.section ?? 0] = (block.texts[event.section ?? 0] ?? '') + event.text;
      if (event.type === 'citation') block.citations.push(event.citation);
      if (event.type === 'state') block.state = event.state;
      if (event.type === 'block_end') block.isOpen = false;
    } else rest.push(event);
  }
  return { blocks: [...blocks.values()], rest, logprobs };
}

function decode(stream: Uint8Array, cuts: readonly number[] = []): AnswerEvent[] {
  const frames = openaiResponses.createStreamDecoder(DECODER_OPTIONS);
  const decoder = translation.createAnswerDecoder();
  const events: AnswerEvent[] = [];
  const places = [0, ...cuts.map((cut) => cut % (stream.length + 1)).sort((a, b) => a - b), stream.length];
  for (const [i, start] of places.entries()) {
    for (const { bytes } of frames.push(stream.subarray(start, places[i + 1] ?? start)))
      events.push(...decoder.push(bytes));
  }
  for (const { bytes } of frames.end(true)) events.push(...decoder.push(bytes));
  return [...events, ...decoder.end()];
}

/** The stream of an answer whose events came in batches of these sizes. */
function encode(events: readonly AnswerEvent[], sizes: readonly number[] = []): Uint8Array {
  const encoder = translation.createAnswerEncoder(options());
  const batches: Uint8Array[] = [];
  let at = 0;
  for (const size of [...sizes, events.length]) {
    batches.push(encoder.push(events.slice(at, at + size)));
    at += size;
  }
  return concatBytes(batches);
}

const sizes = fc.array(fc.integer({ min: 1, max: 3 }), { maxLength: 10 });

async function askSdk(stream: Uint8Array): Promise<OpenAI.Responses.Response> {
  const client = new OpenAI({
    apiKey: 'k',
    maxRetries: 0,
    fetch: async () => new Response(stream.slice(), { headers: { 'content-type': 'text/event-stream' } }),
  });
  return client.responses.stream({ model: 'm', input: 'x' }).finalResponse();
}

const lastResponse = (stream: Uint8Array): Record<string, unknown> => {
  const data = decodeUtf8(stream).trimEnd().split('\ndata: ').at(-1) ?? '{}';
  return (JSON.parse(data) as { response: Record<string, unknown> }).response;
};

describe('prompts', () => {
  it('are read back as they were written', () => {
    assertProperty(
      fc.property(responsesPrompt, (prompt) => {
        const written = translation.writePrompt(prompt, EGRESS);
        expect(written.dropped).toEqual([]);
        expect(read(concatBytes(written.body))).toEqual(prompt);
        expect(translation.lacks(prompt)).toEqual([]);
      }),
      100,
    );
  });
});

describe('answers', () => {
  it('are read from their stream as they were written, however it was cut', () => {
    assertProperty(
      fc.property(responsesAnswer, sizes, fc.array(fc.nat(), { maxLength: 4 }), (events, batches, cuts) => {
        const stream = encode(events, batches);
        expect(responsesFaults(decodeUtf8(stream))).toEqual([]);
        expect(fold(decode(stream, cuts))).toEqual(fold(events));
      }),
      100,
    );
  });

  it('are read from JSON as they were written', () => {
    assertProperty(
      fc.property(responsesAnswer, (events) => {
        const body = translation.writeAnswer(events, options());
        expect(fold(translation.readAnswer(body))).toEqual(fold(events));
      }),
      100,
    );
  });

  it('are valid streams whatever comes in, and the same as their JSON', () => {
    assertProperty(
      fc.property(anyAnswer, sizes, (events, batches) => {
        const whole: AnswerEvent[] = [...events, { type: 'end' }];
        const stream = encode(whole, batches);
        expect(responsesFaults(decodeUtf8(stream))).toEqual([]);
        const json = JSON.parse(decodeUtf8(translation.writeAnswer(events, options()))) as unknown;
        expect(lastResponse(encode(whole))).toEqual(json);
      }),
      200,
    );
  });

  it('are taken by the SDK, which adds up the same', async () => {
    await fc.assert(
      fc.asyncProperty(fc.oneof(anyAnswer, responsesAnswer), async (events) => {
        const stream = encode([...events, { type: 'end' }]);
        const {
          output_parsed: _,
          output_text: __,
          ...answer
        } = (await askSdk(stream)) as unknown as Record<string, unknown>;
        const told = lastResponse(stream);
        expect(strip(answer)).toEqual(strip(told));
      }),
      { numRuns: 60 },
    );
  });

  it('of a stream without an end have none either', () => {
    const encoder = translation.createAnswerEncoder(options());
    const text = decodeUtf8(encoder.push([{ type: 'finish', choice: 0, reason: 'stop', raw: null }]));
    expect(responsesFaults(text)).toEqual(['no end']);
  });
});

/** Without what the SDK adds. */
const strip = (value: unknown): unknown =>
  JSON.parse(
    JSON.stringify(value, (name, member: unknown) =>
      name === 'parsed' || name === 'parsed_arguments' ? undefined : member,
    ),
  );
