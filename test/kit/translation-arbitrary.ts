import * as fc from 'fast-check';
import type { AnswerEvent } from '../../src/core/model/answer.ts';
import type { Message, Part, ToolCallPart } from '../../src/core/model/content.ts';
import type { FinishReason } from '../../src/core/model/finish.ts';
import type { CanonicalPrompt } from '../../src/core/model/prompt.ts';
import type { ToolDefinition } from '../../src/core/model/tool.ts';

// Prompts and answers that every protocol has words for: what is asked and said must get through whole.

const words = fc.oneof(
  { weight: 4, arbitrary: fc.string({ unit: 'grapheme', minLength: 1, maxLength: 12 }) },
  fc.constantFrom('{"a":1}', 'data: x\n\n', '\u2028', 'Zeile 1\nZeile 2', '[DONE]', 'null', 'event: error'),
);
/** Blank texts are nothing to some protocols. */
export const said = words.filter((text) => text.trim() !== '').map((text) => `<${text}>`);

const name = fc.constantFrom('read_file', 'run', 'constructor', 'get-weather');
const scalar = fc.oneof(fc.string({ maxLength: 6 }), fc.integer(), fc.boolean(), fc.constant(null));
const input = fc
  .dictionary(fc.constantFrom('a', 'b', 'path', '__proto__'), scalar, { noNullPrototype: true })
  .map((value) => JSON.stringify(value));

const ids = (count: number): readonly string[] => Array.from({ length: count }, (_, i) => `call_${i}`);

const calls = fc.array(fc.record({ name, input }), { minLength: 1, maxLength: 3 });

type Call = { readonly name: string; readonly input: string };

const callPart = ({ name: tool, input: text }: Call, id: string): ToolCallPart => ({
  type: 'tool_call',
  kind: 'function',
  id,
  name: tool,
  input: text,
});

const image: Part = { type: 'image', source: { kind: 'base64', data: 'iVBORw0KGgo=', mediaType: 'image/png' } };

const userTurn: fc.Arbitrary<Message> = fc
  .tuple(fc.array(said, { minLength: 1, maxLength: 2 }), fc.boolean())
  .map(([texts, hasImage]) => ({
    role: 'user',
    parts: [...texts.map((text): Part => ({ type: 'text', text })), ...(hasImage ? [image] : [])],
  }));

type Turn = {
  readonly user: Message;
  readonly answer: string | null;
  readonly made: readonly Call[];
  readonly results: readonly string[];
};

const turn: fc.Arbitrary<Turn> = fc.record({
  user: userTurn,
  answer: fc.option(said),
  made: fc.oneof(fc.constant([]), calls),
  results: fc.array(said, { minLength: 3, maxLength: 3 }),
});

function messagesOf(turns: readonly Turn[]): Message[] {
  let next = 0;
  return turns.flatMap(({ user, answer, made, results }) => {
    const own = made.map((call) => callPart(call, `call_${next++}`));
    const text: Part[] = answer === null && own.length > 0 ? [] : [{ type: 'text', text: answer ?? '<ok>' }];
    const given: Message[] =
      own.length === 0
        ? []
        : [
            {
              role: 'tool',
              parts: own.map(
                ({ id, name: tool }, i): Part => ({
                  type: 'tool_result',
                  kind: 'function',
                  callId: id,
                  name: tool,
                  content: [{ type: 'text', text: results[i] ?? '<r>' }],
                }),
              ),
            },
          ];
    return [user, { role: 'assistant', parts: [...text, ...own] }, ...given];
  });
}

const tools: readonly ToolDefinition[] = ['read_file', 'run', 'constructor', 'get-weather'].map((tool) => ({
  type: 'function',
  name: tool,
  description: `Does ${tool}.`,
  parameters: { type: 'object', properties: { a: { type: 'string' } } },
  strict: null,
}));

export const commonPrompt: fc.Arbitrary<CanonicalPrompt> = fc
  .record({
    system: fc.option(said),
    turns: fc.array(turn, { maxLength: 3 }),
    last: userTurn,
    // Responses takes no less than 16.
    maxOutputTokens: fc.integer({ min: 16, max: 9000 }),
  })
  .map(({ system, turns, last, maxOutputTokens }) => ({
    messages: [
      ...(system === null ? [] : [{ role: 'system' as const, parts: [{ type: 'text' as const, text: system }] }]),
      ...messagesOf(turns),
      last,
    ],
    tools,
    settings: { maxOutputTokens },
  }));

type Piece = { readonly text: string } | { readonly call: Call; readonly at: number };

const pieces: fc.Arbitrary<readonly Piece[]> = fc
  .tuple(fc.option(fc.array(said, { minLength: 1, maxLength: 4 })), fc.oneof(fc.constant([]), calls), fc.nat(20))
  .map(([texts, made, at]) => [...(texts ?? []).map((text) => ({ text })), ...made.map((call) => ({ call, at }))]);

/** Messages has no word for unknown: an input of nothing reads so. */
const count = fc.integer({ min: 1, max: 5000 });

/** Text, then calls, in pieces; at least one of both. */
export const commonAnswer: fc.Arbitrary<readonly AnswerEvent[]> = fc
  .record({ all: pieces.filter(({ length }) => length > 0), input: count, output: count, isCut: fc.boolean() })
  .map(({ all, input: inputTokens, output: outputTokens, isCut }) => {
    const events: AnswerEvent[] = [{ type: 'start', id: 'answer_1', model: 'up-1', createdAt: 1_764_000_000_000 }];
    const texts = all.flatMap((piece) => ('text' in piece ? [piece.text] : []));
    if (texts.length > 0) {
      events.push({ type: 'block_start', block: 0, choice: 0, content: { type: 'text' } });
      for (const text of texts) events.push({ type: 'delta', block: 0, text });
      events.push({ type: 'block_end', block: 0 });
    }
    let block = 1;
    const names = ids(all.length);
    for (const piece of all) {
      if ('text' in piece) continue;
      const { call, at } = piece;
      const cut = Math.min(at, call.input.length);
      events.push({
        type: 'block_start',
        block,
        choice: 0,
        content: { type: 'tool_call', kind: 'function', id: names[block] ?? `call_x${block}`, name: call.name },
      });
      for (const text of [call.input.slice(0, cut), call.input.slice(cut)])
        if (text !== '') events.push({ type: 'delta', block, text });
      events.push({ type: 'block_end', block });
      block += 1;
    }
    const reason: FinishReason = block > 1 ? 'tool_calls' : isCut ? 'length' : 'stop';
    const usage = {
      inputTokens,
      outputTokens,
      reasoningTokens: null,
      cachedTokens: null,
      cacheWriteTokens: null,
      source: 'reported' as const,
    };
    return [...events, { type: 'usage', usage }, { type: 'finish', choice: 0, reason, raw: null }, { type: 'end' }];
  });
