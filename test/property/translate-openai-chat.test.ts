import * as fc from 'fast-check';
import OpenAI from 'openai';
import { describe, expect, it } from 'vitest';
import type { AnswerEvent } from '../../src/core/model/answer.ts';
import type { CanonicalPrompt } from '../../src/core/model/prompt.ts';
import { concatBytes, decodeUtf8, encodeUtf8 } from '../../src/protocol/json/index.ts';
import { decodeRequest } from '../../src/protocol/openai-chat/request.ts';
import { translation } from '../../src/protocol/openai-chat/translation.ts';
import { isJsonObject } from '../../src/protocol/shared/json-object.ts';
import type { AnswerOptions } from '../../src/protocol/translation.ts';
import { assertProperty } from '../kit/assert-property.ts';
import { chatAnswer, MODEL, nonsense } from '../kit/openai-chat-answers.ts';
import { chatPrompt } from '../kit/openai-chat-arbitrary.ts';
import { validateChatStream } from '../kit/openai-chat-validator.ts';
import { takeRuns } from '../kit/seed.ts';

/** Deep equality that sees members called `__proto__` and numbers beyond doubles, and no order of members. */
const spelt = (value: unknown): string =>
  JSON.stringify(value, (_name, each: unknown) => {
    return isJsonObject(each)
      ? Object.fromEntries(Object.entries(each).toSorted(([a], [b]) => (a < b ? -1 : 1)))
      : each;
  });

function read(body: string): CanonicalPrompt {
  const decoded = decodeRequest(encodeUtf8(body), {});
  if (!decoded.ok) throw new Error(decoded.problem.message);
  const prompt = translation.readPrompt(decoded.request);
  if (!prompt.ok) throw new Error(prompt.problem.message);
  return prompt.prompt;
}

const EGRESS = { model: 'a/claude-x', stream: true, askUsage: true, capabilities: {}, defaults: {} } as const;

function options(usageAsked = true): AnswerOptions {
  let ids = 0;
  return { model: MODEL, usageAsked, createId: (prefix) => `${prefix}new${ids++}`, now: 1_700_000_000_000 };
}

/** Cut anywhere into as many pushes. */
function decode(bytes: Uint8Array, cuts: readonly number[]): readonly AnswerEvent[] {
  const decoder = translation.createAnswerDecoder();
  const places = [0, ...cuts.map((cut) => cut % (bytes.length + 1)).toSorted((a, b) => a - b), bytes.length];
  const events = places.slice(1).flatMap((end, at) => decoder.push(bytes.subarray(places[at], end)));
  return [...events, ...decoder.end()];
}

const encode = (events: readonly AnswerEvent[], usageAsked = true): string => {
  const encoder = translation.createAnswerEncoder(options(usageAsked));
  return decodeUtf8(concatBytes(events.map((event) => encoder.push([event]))));
};

/** What an answer holds, whatever the order of its blocks' ends and the length of its pieces. */
function sum(events: readonly AnswerEvent[]): unknown {
  const blocks = new Map<number, { text: string; rest: AnswerEvent[] }>();
  const others: AnswerEvent[] = [];
  const logprobs: [number, unknown][] = [];
  for (const event of events) {
    if (event.type === 'block_start') blocks.set(event.block, { text: '', rest: [event] });
    else if (event.type === 'delta') (blocks.get(event.block) ?? { text: '' }).text += event.text;
    else if (event.type === 'citation' || event.type === 'state') blocks.get(event.block)?.rest.push(event);
    else if (event.type === 'logprobs')
      logprobs.push(...event.content.map((each) => [event.choice, each] as [number, unknown]));
    else if (event.type !== 'block_end') others.push(event);
  }
  return { blocks: [...blocks], others, logprobs };
}

/** Is each block opened once, closed once, and filled between? */
function isInOrder(events: readonly AnswerEvent[]): boolean {
  const open = new Map<number, number>();
  let next = 0;
  for (const event of events) {
    if (event.type === 'block_start') {
      if (event.block !== next++) return false;
      open.set(event.block, event.choice);
    } else if ('block' in event && !open.has(event.block)) return false;
    if (event.type === 'block_end') open.delete(event.block);
    if (event.type === 'finish' && [...open.values()].includes(event.choice)) return false;
  }
  return events[0]?.type === 'start' && events.at(-1)?.type === 'end' && open.size === 0;
}

describe('prompts', () => {
  it('come back as they were written', () => {
    assertProperty(
      fc.property(chatPrompt, (prompt) => {
        const written = translation.writePrompt(prompt, EGRESS);
        expect(written.dropped).toEqual([]);
        expect(spelt(read(decodeUtf8(concatBytes(written.body))))).toBe(spelt(prompt));
      }),
      200,
    );
  });

  it('are never refused for what only this protocol says', () => {
    assertProperty(
      fc.property(chatPrompt, (prompt) => {
        expect(translation.lacks(prompt)).toEqual([]);
      }),
    );
  });
});

const cutsOf = fc.array(fc.nat(5000), { maxLength: 4 });

describe('answers', () => {
  it('come back from a stream as they were written, however it was cut', () => {
    assertProperty(
      fc.property(chatAnswer, cutsOf, (events, cuts) => {
        const decoded = decode(encodeUtf8(encode(events)), cuts);
        expect(spelt(sum(decoded))).toBe(spelt(sum(events)));
        expect(isInOrder(decoded)).toBe(true);
      }),
      200,
    );
  });

  it('are the same in one piece or many', () => {
    assertProperty(
      fc.property(chatAnswer, (events) => {
        const whole = decodeUtf8(translation.createAnswerEncoder(options()).push(events));
        expect(spelt(sum(decode(encodeUtf8(whole), [])))).toBe(spelt(sum(events)));
        expect(validateChatStream(whole, { usageAsked: true })).toEqual([]);
      }),
    );
  });

  it('are as documented, whatever the events', () => {
    assertProperty(
      fc.property(fc.oneof(nonsense, chatAnswer), fc.boolean(), (events, usageAsked) => {
        expect(validateChatStream(encode(events, usageAsked), { usageAsked, isWhole: false })).toEqual([]);
        expect(validateChatStream(encode([...events, { type: 'end' }], usageAsked), { usageAsked })).toEqual([]);
      }),
      200,
    );
  });

  it('decode to an order that holds, whatever was written', () => {
    assertProperty(
      fc.property(nonsense, cutsOf, (events, cuts) => {
        expect(isInOrder(decode(encodeUtf8(encode([...events, { type: 'end' }])), cuts))).toBe(true);
        expect(isInOrder(translation.readAnswer(translation.writeAnswer(events, options())))).toBe(true);
      }),
    );
  });
});

type Completion = OpenAI.Chat.Completions.ChatCompletion;

/** The parts of an answer that the library puts together itself. */
const heart = ({ choices }: Completion): unknown =>
  choices.filter(Boolean).map(({ index, finish_reason: finish, message, logprobs }) => ({
    index,
    finish,
    content: message.content,
    refusal: message.refusal,
    calls: message.tool_calls?.map((call) =>
      call.type === 'function'
        ? [call.id, call.function.name, call.function.arguments]
        : [call.id, call.custom.name, call.custom.input],
    ),
    annotations: message.annotations,
    logprobs: (logprobs?.content ?? []).length + (logprobs?.refusal ?? []).length,
  }));

const clientOf = (...streams: readonly string[]): OpenAI => {
  const left = [...streams];
  const fetch = async (): Promise<Response> =>
    new Response(left.shift() ?? '', { headers: { 'content-type': 'text/event-stream' } });
  return new OpenAI({ apiKey: 'none', baseURL: 'http://127.0.0.1/v1', fetch, maxRetries: 0 });
};

const ASKED = { model: MODEL, messages: [{ role: 'user', content: 'x' }] } as const;

describe('the official library', () => {
  it('reads every stream, and puts it together like the JSON answer', async () => {
    await fc.assert(
      fc.asyncProperty(fc.oneof(nonsense, chatAnswer), async (events) => {
        const stream = clientOf(encode([...events, { type: 'end' }])).chat.completions.stream({
          ...ASKED,
          messages: [...ASKED.messages],
        });
        const json = JSON.parse(decodeUtf8(translation.writeAnswer(events, options()))) as Completion;
        const completion = await stream.finalChatCompletion();
        expect(spelt(heart(completion))).toBe(spelt(heart(json)));
        expect(completion.id).toBe(json.id);
      }),
      { numRuns: takeRuns(100) },
    );
  });

  it('runs a tool, and asks again', async () => {
    const call = encode([
      {
        type: 'block_start',
        block: 0,
        choice: 0,
        content: { type: 'tool_call', kind: 'function', id: 'c', name: 'add' },
      },
      { type: 'delta', block: 0, text: '{"a":1,' },
      { type: 'delta', block: 0, text: '"b":2}' },
      { type: 'finish', choice: 0, reason: 'tool_calls', raw: 'tool_use' },
      { type: 'end' },
    ]);
    const words = encode([
      { type: 'block_start', block: 0, choice: 0, content: { type: 'text' } },
      { type: 'delta', block: 0, text: 'three' },
      { type: 'end' },
    ]);
    const asked: string[] = [];
    const runner = clientOf(call, words).chat.completions.runTools({
      model: MODEL,
      stream: true,
      messages: [{ role: 'user', content: 'add' }],
      tools: [
        {
          type: 'function',
          function: {
            name: 'add',
            description: 'Adds.',
            parameters: {},
            function: (input: string) => {
              asked.push(input);
              return '3';
            },
          },
        },
      ],
    });
    expect(await runner.finalContent()).toBe('three');
    expect(asked).toEqual(['{"a":1,"b":2}']);
  });
});
