import { GoogleGenAI } from '@google/genai';
import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { AnswerEvent } from '../../src/core/model/answer.ts';
import type { CanonicalPrompt } from '../../src/core/model/prompt.ts';
import { responseFromStream } from '../../src/protocol/gemini/convert.ts';
import { decodeRequestFor } from '../../src/protocol/gemini/request.ts';
import { createStreamDecoder } from '../../src/protocol/gemini/stream-decode.ts';
import { translation } from '../../src/protocol/gemini/translation.ts';
import { concatBytes, decodeUtf8, encodeUtf8 } from '../../src/protocol/json/index.ts';
import type { AnswerOptions, PromptEgress } from '../../src/protocol/translation.ts';
import { assertProperty } from '../kit/assert-property.ts';
import { DECODER_OPTIONS } from '../kit/decoder-run.ts';
import { geminiAnswers, wildEvents } from '../kit/gemini-answers.ts';
import { geminiPrompts } from '../kit/gemini-arbitrary.ts';
import { validateGemini } from '../kit/gemini-validator.ts';

const EGRESS: PromptEgress = {
  model: 'gemini-3-flash',
  stream: true,
  askUsage: true,
  capabilities: {},
  defaults: {},
};
const OPTIONS: AnswerOptions = { model: 'm', usageAsked: true, createId: (prefix) => `${prefix}made`, now: 0 };

const write = (prompt: CanonicalPrompt, egress = EGRESS) => {
  const { body, dropped } = translation.writePrompt(prompt, egress);
  return { text: decodeUtf8(concatBytes(body)), dropped };
};

function read(text: string): CanonicalPrompt {
  const decoded = decodeRequestFor('m', true, encodeUtf8(text), {});
  if (!decoded.ok) throw new Error(decoded.problem.message);
  const prompt = translation.readPrompt(decoded.request);
  if (!prompt.ok) throw new Error(prompt.problem.message);
  return prompt.prompt;
}

describe('prompts', () => {
  it('are read as they were written', () => {
    assertProperty(
      fc.property(geminiPrompts, (prompt) => {
        const { text, dropped } = write(prompt);
        expect(dropped).toEqual([]);
        expect(translation.lacks(prompt)).toEqual([]);
        expect(read(text)).toEqual(prompt);
      }),
      120,
    );
  });

  it('are written the same again', () => {
    assertProperty(
      fc.property(geminiPrompts, (prompt) => {
        const { text } = write(prompt);
        expect(write(read(text)).text).toBe(text);
      }),
      40,
    );
  });
});

/** Events in pushes of these sizes. */
function inPushes<T>(events: readonly T[], sizes: readonly number[]): T[][] {
  const pushes: T[][] = [];
  for (let at = 0, turn = 0; at < events.length; turn++) {
    const size = 1 + (sizes.length === 0 ? 0 : (sizes[turn % sizes.length] ?? 0));
    pushes.push(events.slice(at, at + size));
    at += size;
  }
  return pushes;
}

function stream(events: readonly AnswerEvent[], sizes: readonly number[] = []): string {
  const encoder = translation.createAnswerEncoder(OPTIONS);
  return inPushes(events, sizes)
    .map((each) => decodeUtf8(encoder.push(each)))
    .join('');
}

/** The frames of a stream as the relay's decoder gives them, pushed one by one or all in one. */
function unstream(text: string, isJoined: boolean): AnswerEvent[] {
  const relay = createStreamDecoder({ ...DECODER_OPTIONS, choices: 2 });
  const frames = [...relay.push(encodeUtf8(text)), ...relay.end(true)].map(({ bytes }) => bytes);
  const decoder = translation.createAnswerDecoder();
  const pushed = (isJoined ? [concatBytes(frames)] : frames).flatMap((frame) => decoder.push(frame));
  return [...pushed, ...decoder.end()];
}

type Told = Record<string, unknown> & { text: string; citations: string[]; isEnded: boolean };

function tellOf(block: Told | undefined, event: AnswerEvent): void {
  if (block === undefined) return;
  if (event.type === 'delta') {
    block.text += event.text;
    if (event.section !== undefined) block['section'] = event.section;
  } else if (event.type === 'citation') block.citations.push(JSON.stringify(event.citation));
  else if (event.type === 'state') block['state'] = event.state;
  else if (event.type === 'block_end') block.isEnded = true;
}

type Whole<T extends AnswerEvent['type']> = Extract<AnswerEvent, { type: T }>[];

type Rest = { [T in 'start' | 'usage' | 'finish' | 'end' | 'logprobs']: Whole<T> };

/** What events say, whatever the pieces are that they say it in; citations in any order. */
function tell(events: readonly AnswerEvent[]) {
  const blocks = new Map<number, Told>();
  const rest: Rest = { start: [], usage: [], finish: [], end: [], logprobs: [] };
  for (const event of events) {
    if (event.type === 'block_start') {
      const { choice, content } = event;
      blocks.set(event.block, { choice, content, text: '', citations: [], isEnded: false });
    } else if ('block' in event) tellOf(blocks.get(event.block), event);
    else if (event.type === 'usage') rest.usage = [event];
    else (rest[event.type] as AnswerEvent[]).push(event);
  }
  for (const { citations } of blocks.values()) citations.sort();
  const inOrder = [...blocks.values()].map(({ choice, ...told }) => [choice, told] as const);
  return { ...rest, blocks: [0, 1].map((choice) => inOrder.filter(([own]) => own === choice)) };
}

const sizes = fc.array(fc.nat({ max: 5 }), { maxLength: 4 });

describe('answers', () => {
  it('as streams are read as they were written, in any pieces', () => {
    assertProperty(
      fc.property(geminiAnswers, sizes, fc.boolean(), (events, pushes, isJoined) => {
        const text = stream(events, pushes);
        expect(validateGemini(text)).toEqual([]);
        expect(tell(unstream(text, isJoined))).toEqual(tell(events));
      }),
      200,
    );
  });

  it('as JSON are read as they were written', () => {
    assertProperty(
      fc.property(geminiAnswers, (events) => {
        const body = translation.writeAnswer(events, OPTIONS);
        expect(tell(translation.readAnswer(body))).toEqual(tell(events));
        expect(validateGemini(`data: ${decodeUtf8(body)}\n\n`)).toEqual([]);
      }),
      200,
    );
  });

  it('say the same as JSON and as the stream that was put together', () => {
    assertProperty(
      fc.property(geminiAnswers, (events) => {
        const whole = responseFromStream([encodeUtf8(stream(events))]);
        expect(tell(translation.readAnswer(whole))).toEqual(tell(events));
      }),
    );
  });

  it('are valid whatever comes in', () => {
    assertProperty(
      fc.property(wildEvents, sizes, (events, pushes) => {
        const ended: AnswerEvent[] = [...events, { type: 'end' }];
        expect(validateGemini(stream(ended, pushes))).toEqual([]);
        expect(validateGemini(`data: ${decodeUtf8(translation.writeAnswer(ended, OPTIONS))}\n\n`)).toEqual([]);
      }),
      200,
    );
  });

  it('without an end have no reason', () => {
    assertProperty(
      fc.property(
        wildEvents.map((events) => events.filter(({ type }) => type !== 'end')),
        (events) => {
          expect(stream(events)).not.toContain('finishReason');
        },
      ),
    );
  });

  it('are each event once, however often a decoder is asked', () => {
    assertProperty(
      fc.property(wildEvents, (events) => {
        const told = tell(unstream(stream([...events, { type: 'end' }]), false));
        expect(told.end).toHaveLength(1);
        expect(told.start).toHaveLength(1);
        expect(told.blocks.flat().every(([, { isEnded }]) => isEnded)).toBe(true);
      }),
    );
  });
});

/** The official library over bytes of ours. */
function libraryOver(body: string, contentType: string): GoogleGenAI {
  const answer = () => Promise.resolve(new Response(body, { status: 200, headers: { 'content-type': contentType } }));
  return new GoogleGenAI({ apiKey: 'k', httpOptions: { baseUrl: 'http://localhost', fetch: answer } });
}

const ASK = { model: 'm', contents: 'hi' };

/** Bytes have no halves of letters. */
const wellFormed = (text: string): string => decodeUtf8(encodeUtf8(text));

const said = (events: readonly AnswerEvent[]) => {
  const { blocks } = tell(events);
  const own = (blocks[0] ?? []).map(([, told]) => told);
  const kind = ({ content }: Told): unknown => (content as { type: string }).type;
  return {
    text: own
      .filter((told) => kind(told) === 'text')
      .map(({ text }) => text)
      .join(''),
    calls: own.filter((told) => kind(told) === 'tool_call').map(({ text }) => JSON.parse(text) as unknown),
  };
};

describe("Google's library", () => {
  it('reads every stream', async () => {
    await fc.assert(
      fc.asyncProperty(geminiAnswers, async (events) => {
        const library = libraryOver(stream(events), 'text/event-stream');
        let text = '';
        const calls: unknown[] = [];
        let last: { finish: unknown; tokens: unknown } | null = null;
        for await (const chunk of await library.models.generateContentStream(ASK)) {
          const { candidates = [], usageMetadata } = chunk;
          const own = candidates.find(({ index }) => index === 0);
          for (const part of own?.content?.parts ?? []) {
            if (part.thought !== true) text += part.text ?? '';
            if (part.functionCall !== undefined) calls.push(part.functionCall.args);
          }
          last = { finish: own?.finishReason, tokens: usageMetadata?.promptTokenCount };
        }
        const { usage, finish } = tell(events);
        expect({ text: wellFormed(text), calls }).toEqual({ ...said(events), text: wellFormed(said(events).text) });
        expect(last).toEqual({ finish: finish[0]?.raw, tokens: usage[0]?.usage.inputTokens ?? undefined });
      }),
      { numRuns: 30 },
    );
  });

  it('reads every JSON answer', async () => {
    await fc.assert(
      fc.asyncProperty(geminiAnswers, async (events) => {
        const body = decodeUtf8(translation.writeAnswer(events, OPTIONS));
        const answer = await libraryOver(body, 'application/json').models.generateContent(ASK);
        const calls = (answer.candidates?.[0]?.content?.parts ?? []).flatMap(
          ({ functionCall }) => functionCall?.args ?? [],
        );
        expect(calls).toEqual(said(events).calls);
        expect(answer.responseId).toBe('r1');
      }),
      { numRuns: 20 },
    );
  });

  it('keeps the history of a chat', async () => {
    const events: AnswerEvent[] = [
      { type: 'block_start', block: 0, choice: 0, content: { type: 'text' } },
      { type: 'delta', block: 0, text: 'Hello' },
      { type: 'finish', choice: 0, reason: 'stop', raw: null },
      { type: 'end' },
    ];
    const chat = libraryOver(stream(events), 'text/event-stream').chats.create({ model: 'm' });
    for await (const _chunk of await chat.sendMessageStream({ message: 'hi' }));
    expect(chat.getHistory(true).map(({ role }) => role)).toContain('model');
  });

  it('throws at an error in a stream', async () => {
    const error = 'data: {"error":{"code":502,"message":"gone","status":"INTERNAL"}}\n\n';
    const library = libraryOver(error, 'text/event-stream');
    await expect(
      (async () => {
        for await (const _chunk of await library.models.generateContentStream(ASK));
      })(),
    ).rejects.toThrow('gone');
  });
});
