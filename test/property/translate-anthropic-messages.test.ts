import Anthropic from '@anthropic-ai/sdk';
import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { AnswerEvent } from '../../src/core/model/answer.ts';
import type { Citation } from '../../src/core/model/content.ts';
import type { CanonicalPrompt } from '../../src/core/model/prompt.ts';
import { UNKNOWN_USAGE } from '../../src/core/model/usage.ts';
import { decodeRequest } from '../../src/protocol/anthropic-messages/request.ts';
import { translation } from '../../src/protocol/anthropic-messages/translation.ts';
import { concatBytes, decodeUtf8, encodeUtf8, parseExact, stringifyExact } from '../../src/protocol/json/index.ts';
import type { AnswerOptions, PromptEgress } from '../../src/protocol/translation.ts';
import { messagesAnswer, messagesPrompt } from '../kit/anthropic-messages-arbitrary.ts';
import { messagesFaults } from '../kit/anthropic-messages-validator.ts';
import { assertProperty } from '../kit/assert-property.ts';
import { takeRuns } from '../kit/seed.ts';

const egress = (model: string): PromptEgress => ({
  model,
  stream: false,
  askUsage: true,
  capabilities: {},
  defaults: {},
});
const OPTIONS: AnswerOptions = { model: 'm', usageAsked: true, createId: (prefix) => `${prefix}new`, now: 0 };

function reread(prompt: CanonicalPrompt, model: string): { prompt: CanonicalPrompt; dropped: readonly string[] } {
  const { body, dropped } = translation.writePrompt(prompt, egress(model));
  const decoded = decodeRequest(concatBytes(body), {});
  if (!decoded.ok) throw new Error(decoded.problem.message);
  const read = translation.readPrompt(decoded.request);
  if (!read.ok) throw new Error(read.problem.message);
  return { prompt: read.prompt, dropped };
}

/** Texts without what a relay or a splitter may join: one delta for each run, the last usage only. */
function normal(events: readonly AnswerEvent[]): readonly AnswerEvent[] {
  const out: AnswerEvent[] = [];
  const lastUsage = events.findLast(({ type }) => type === 'usage');
  for (const event of events) {
    const last = out.at(-1);
    if (event.type === 'usage' && event !== lastUsage) continue;
    if (event.type === 'delta' && last?.type === 'delta' && last.block === event.block) {
      out[out.length - 1] = { ...last, text: last.text + event.text };
    } else out.push(event);
  }
  return out;
}

const stream = (events: readonly AnswerEvent[], cut = events.length): string => {
  const encoder = translation.createAnswerEncoder(OPTIONS);
  return decodeUtf8(concatBytes([encoder.push(events.slice(0, cut)), encoder.push(events.slice(cut))]));
};

function decodeStream(text: string, join: readonly boolean[]): readonly AnswerEvent[] {
  const decoder = translation.createAnswerDecoder();
  const frames = text.split(/(?<=\n\n)/);
  const pushes: string[] = [];
  for (const [at, frame] of frames.entries()) {
    if (join[at % join.length] === true && pushes.length > 0) pushes[pushes.length - 1] += frame;
    else pushes.push(frame);
  }
  return [...pushes.flatMap((push) => decoder.push(encodeUtf8(push))), ...decoder.end()];
}

/** Inputs of calls are compared by meaning: what an object's text looks like is no part of it. */
const withCompactInputs = (events: readonly AnswerEvent[]): readonly AnswerEvent[] => {
  const calls = new Set(
    events.flatMap((event) =>
      event.type === 'block_start' && event.content.type === 'tool_call' ? [event.block] : [],
    ),
  );
  return events.map((event) =>
    event.type === 'delta' && calls.has(event.block)
      ? { ...event, text: stringifyExact(parseExact(event.text)) }
      : event,
  );
};

async function sdkMessage(text: string): Promise<Anthropic.Message> {
  const client = new Anthropic({
    apiKey: 'k',
    baseURL: 'http://127.0.0.1:9',
    maxRetries: 0,
    fetch: () => Promise.resolve(new Response(text, { headers: { 'content-type': 'text/event-stream' } })),
  });
  return client.messages
    .stream({ model: 'm', max_tokens: 1, messages: [{ role: 'user', content: 'x' }] })
    .finalMessage();
}

const number = fc.integer({ min: 0, max: 4 });
const foreign: Citation = { url: 'https://f.test/', title: null, citedText: null, start: 0, end: 1, source: null };
/** Events without any sense, over few blocks. */
const nonsense: fc.Arbitrary<AnswerEvent> = fc.oneof(
  fc
    .tuple(
      number,
      fc.constantFrom(0, 0, 0, 1),
      fc.constantFrom<Extract<AnswerEvent, { type: 'block_start' }>['content']>(
        { type: 'text' },
        { type: 'refusal' },
        { type: 'reasoning', isSummary: false },
        { type: 'reasoning', isSummary: true },
        { type: 'tool_call', kind: 'function', id: 'call_1', name: 'f' },
        { type: 'tool_call', kind: 'custom', id: '', name: 'g' },
        { type: 'image', data: 'aGk=', mediaType: 'image/png' },
        {
          type: 'native',
          protocol: 'anthropic-messages',
          what: 'server_tool_use',
          value: { id: 's', input: { q: 1 } },
        },
        { type: 'native', protocol: 'gemini', what: 'executableCode', value: {} },
      ),
    )
    .map(([block, choice, content]): AnswerEvent => ({ type: 'block_start', block, choice, content })),
  fc.tuple(number, fc.constantFrom('1', '', '2'), fc.constantFrom(undefined, 0, 1)).map(
    ([block, text, section]): AnswerEvent => ({
      type: 'delta',
      block,
      text,
      ...(section === undefined ? {} : { section }),
    }),
  ),
  number.map((block): AnswerEvent => ({ type: 'block_end', block })),
  number.map((block): AnswerEvent => ({ type: 'citation', block, citation: foreign })),
  fc
    .tuple(
      number,
      fc.constantFrom<'anthropic-messages' | 'openai-responses'>('anthropic-messages', 'openai-responses'),
      fc.constantFrom('S', 'redacted_thinking:D'),
    )
    .map(
      ([block, issuer, value]): AnswerEvent => ({
        type: 'state',
        block,
        state: { issuer, value },
      }),
    ),
  fc.constantFrom<AnswerEvent>(
    { type: 'start', id: 'chatcmpl-1', model: null, createdAt: 5 },
    { type: 'usage', usage: UNKNOWN_USAGE },
    { type: 'usage', usage: { ...UNKNOWN_USAGE, inputTokens: 9, outputTokens: 3, cachedTokens: 12 } },
    { type: 'finish', choice: 0, reason: 'tool_calls', raw: 'tool_calls' },
    { type: 'finish', choice: 1, reason: 'stop', raw: 'STOP' },
    { type: 'logprobs', choice: 0, content: [] },
    { type: 'end' },
  ),
);
const nonsenses = fc.array(nonsense, { maxLength: 24 });

describe('prompts of Messages', () => {
  it('are what they were when they are written and read', () => {
    assertProperty(
      fc.property(messagesPrompt, (prompt) => {
        const again = reread(prompt, 'claude-opus-9-any');
        const { settings } = prompt;
        // A model of the table, for what no setting of a prompt depends on; the others are in the next property.
        const { settings: read, ...rest } = again.prompt;
        expect(rest).toEqual({ messages: prompt.messages, tools: prompt.tools, ...kept(prompt) });
        expect(read.maxOutputTokens).toBe(settings.maxOutputTokens);
      }),
      100,
    );
  });

  it('keep their settings for a model that takes them', () => {
    assertProperty(
      fc.property(messagesPrompt, (prompt) => {
        const again = reread(prompt, 'novel-model');
        expect(again.prompt.settings).toEqual(prompt.settings);
        expect(again.dropped).toEqual([]);
        expect(translation.lacks(prompt)).toEqual([]);
      }),
      100,
    );
  });
});

const kept = ({ extensions }: CanonicalPrompt): object => (extensions === undefined ? {} : { extensions });

describe('answers of Messages', () => {
  it('are what they were as a stream, however its frames are joined', () => {
    assertProperty(
      fc.property(
        messagesAnswer,
        fc.array(fc.boolean(), { minLength: 1, maxLength: 7 }),
        fc.nat(9),
        (events, join, cut) => {
          const text = stream(events, cut);
          expect(messagesFaults(text)).toEqual([]);
          expect(normal(decodeStream(text, join))).toEqual(normal(events));
        },
      ),
      200,
    );
  });

  it('are what they were as JSON', () => {
    assertProperty(
      fc.property(messagesAnswer, (events) => {
        const read = translation.readAnswer(translation.writeAnswer(events, OPTIONS));
        expect(normal(read)).toEqual(withCompactInputs(normal(events)));
      }),
      200,
    );
  });
});

describe('streams of Messages', () => {
  it('are valid whatever comes in, and end with it', () => {
    assertProperty(
      fc.property(nonsenses, fc.nat(24), (events, cut) => {
        const text = stream([...events, { type: 'end' }], cut);
        expect(messagesFaults(text)).toEqual([]);
      }),
      200,
    );
  });

  it('are taken by the official library, which finds the same in them as in JSON', async () => {
    await fc.assert(
      fc.asyncProperty(fc.oneof(messagesAnswer, nonsenses), async (events) => {
        const whole: readonly AnswerEvent[] = [...events, { type: 'end' }];
        const message = await sdkMessage(stream(whole));
        const json = JSON.parse(decodeUtf8(translation.writeAnswer(whole, OPTIONS))) as Anthropic.Message;
        expect(message.content.map(comparable)).toEqual(json.content.map(comparable));
        expect(message.stop_reason).toBe(json.stop_reason);
        expect(message.usage.output_tokens).toBe(json.usage.output_tokens);
        expect(message.id).toBe(json.id);
      }),
      { numRuns: takeRuns(60) },
    );
  });
});

/** Of an input that a broken call leaves behind, each reads what it can. */
const comparable = (block: Anthropic.ContentBlock): unknown =>
  block.type === 'tool_use' ? { ...block, input: null } : JSON.parse(JSON.stringify(block));
