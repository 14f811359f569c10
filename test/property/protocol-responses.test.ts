import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { CanonicalEvent } from '../../src/core/model/event.ts';
import { concatBytes, decodeUtf8, encodeUtf8 } from '../../src/protocol/json/index.ts';
import { expandRequest } from '../../src/protocol/openai-responses/history.ts';
import { openaiResponses } from '../../src/protocol/openai-responses/index.ts';
import type { DecoderOptions, Egress } from '../../src/protocol/types.ts';
import { assertProperty } from '../kit/assert-property.ts';
import { cutAt, cutStreams } from './cuts.ts';

const text = fc.string({ unit: 'binary', maxLength: 6 });
const place = fc.constantFrom(0, 0, 0, 1);

const part = fc.oneof(
  fc.record({ type: fc.constant('output_text'), text, annotations: fc.constant([]) }),
  fc.record({ type: fc.constant('refusal'), refusal: text }),
  fc.record({ type: fc.constant('summary_text'), text }),
);
const item = fc.oneof(
  fc.record({ id: fc.constant('msg_1'), type: fc.constant('message'), content: fc.array(part, { maxLength: 2 }) }),
  fc.record({ type: fc.constant('reasoning'), summary: fc.array(part, { maxLength: 1 }) }),
  fc.record({
    id: fc.constantFrom('fc_1', ''),
    type: fc.constantFrom('function_call', 'custom_tool_call', 'mcp_call'),
    call_id: fc.constantFrom('c', ''),
    name: fc.constantFrom('f', ''),
    arguments: fc.constantFrom<unknown>('', '{}', { n: 1 }, null),
  }),
  fc.constantFrom<unknown>({ type: 'web_search_call', action: { query: 'q' } }, { type: 'odd', x: 1 }, null, 'x'),
);
const answer = fc.record({
  id: fc.constant('resp_1'),
  model: fc.constant('m'),
  status: fc.constantFrom('completed', 'in_progress', 'incomplete', 'failed'),
  output: fc.oneof(fc.array(item, { maxLength: 2 }), fc.constant(null)),
  incomplete_details: fc.constantFrom(null, { reason: 'max_output_tokens' }, { reason: 'x' }),
  usage: fc.constantFrom(null, { input_tokens: 1, output_tokens: 2 }),
});

const DELTAS = [
  'response.output_text.delta',
  'response.refusal.delta',
  'response.reasoning_summary_text.delta',
  'response.function_call_arguments.delta',
];
const body = fc.oneof(
  {
    weight: 8,
    arbitrary: fc.record(
      { type: fc.constantFrom(...DELTAS), output_index: place, content_index: place, delta: text, obfuscation: text },
      { requiredKeys: ['type', 'delta'] },
    ),
  },
  fc.record({
    type: fc.constantFrom('response.output_item.added', 'response.output_item.done'),
    output_index: place,
    item,
  }),
  fc.record({ type: fc.constantFrom('response.content_part.added', 'response.content_part.done'), part }),
  fc.record({ type: fc.constant('response.output_text.done'), output_index: place, text }),
  fc.record({ type: fc.constantFrom('response.created', 'response.queued'), response: answer }),
  fc.record({
    type: fc.constantFrom('response.completed', 'response.incomplete', 'response.failed'),
    response: answer,
  }),
  fc.constantFrom(
    { type: 'error', code: 'c', message: 'm' },
    { type: 'keepalive' },
    { type: 'response.x', y: 'z' },
    {},
  ),
);
/** Numbers that rise by one, that have gaps, or none at all. */
const events = fc
  .tuple(fc.array(fc.tuple(body, fc.constantFrom(1, 1, 1, 2)), { maxLength: 10 }), fc.boolean())
  .map(([list, isCounted]) => {
    let next = -1;
    return list.map(([value, step]) => {
      next += step;
      return JSON.stringify(isCounted ? { ...value, sequence_number: next } : value);
    });
  });
const DAMAGED = ['{"type":"response.output_text.del', 'keep-alive', '', '[DONE]', '{"error":{"message":"m"}}'];

const stream = fc
  .tuple(
    events,
    fc.array(fc.tuple(fc.nat(), fc.constantFrom(...DAMAGED)), { maxLength: 2 }),
    fc.array(fc.constantFrom('name', 'name', 'name', 'bare', 'comment', 'lines'), { minLength: 1 }),
    fc.constantFrom('\n', '\n', '\r\n', '\r'),
    fc.constantFrom(
      '',
      '',
      'data: [DONE]',
      'data: {"x',
      'event: response.completed\ndata: {"type":"response.completed"}',
    ),
  )
  .map(([list, damages, forms, eol, tail]) => {
    const datas = [...list];
    for (const [at, damaged] of damages) datas.splice(at % (datas.length + 1), 0, damaged);
    return datas.map((data, i) => frame(data, forms[i % forms.length] as string, eol)).join('') + tail;
  });

function frame(data: string, form: string, eol: string): string {
  const name = /^\{"type":"([^"]*)"/.exec(data)?.[1];
  const lines =
    form === 'lines' && data.startsWith('{"type":')
      ? [`data: ${data.slice(0, 8)}`, `data: ${data.slice(8)}`]
      : [`data: ${data}`];
  const ahead = form === 'comment' ? [': c'] : form === 'bare' || name === undefined ? [] : [`event: ${name}`];
  return [...ahead, ...lines, '', ''].join(eol);
}

const options = fc.record<DecoderOptions>({
  usageAsked: fc.boolean(),
  choices: fc.constant(1),
  renameModel: fc.constantFrom(null, 'main'),
  onMalformed: fc.constantFrom('fail', 'fail', 'drop'),
  maxFrameBytes: fc.constantFrom(1 << 20, 160),
});

type Seen = { text: string; events: CanonicalEvent[]; edits: string[]; count: number; last: number | null };

function decode(chunks: readonly Uint8Array[], settings: DecoderOptions, clean: boolean, relaxed: boolean): Seen {
  const decoder = openaiResponses.createStreamDecoder(settings);
  if (relaxed) decoder.relax();
  const frames = chunks.flatMap((bytes) => decoder.push(bytes));
  frames.push(...decoder.end(clean));
  return {
    text: decodeUtf8(concatBytes(frames.map(({ bytes }) => bytes))),
    events: frames.flatMap((each) => each.events),
    edits: frames.flatMap((each) => each.edits),
    count: frames.reduce((sum, { count }) => sum + count, 0),
    last: frames.findLast(({ sequence }) => sequence !== undefined)?.sequence ?? null,
  };
}

/** What decides something, whether the decoder is relaxed or not. */
const DECISIVE = new Set(['finish', 'done', 'error', 'usage', 'cut', 'noise', 'malformed', 'tool_end', 'comment']);

describe('the Responses stream decoder', () => {
  it('gives the same bytes, events, edits and numbers however the stream was cut', () => {
    assertProperty(
      fc.property(cutStreams(stream, options), ({ bytes, cuts, settings, clean, relaxed }) => {
        const whole = decode([bytes], settings, clean, relaxed);
        for (const chunks of cuts) expect(decode(chunks, settings, clean, relaxed)).toEqual(whole);
      }),
      400,
    );
  });

  it('delivers the same when it is relaxed, and sees all that decides', () => {
    assertProperty(
      fc.property(stream, options, fc.boolean(), (wire, settings, clean) => {
        const bytes = [encodeUtf8(wire)];
        const strict = decode(bytes, settings, clean, false);
        const relaxed = decode(bytes, settings, clean, true);
        const decisive = (seen: Seen): unknown[] => seen.events.filter(({ type }) => DECISIVE.has(type));
        expect({ ...relaxed, events: decisive(relaxed) }).toEqual({ ...strict, events: decisive(strict) });
      }),
      400,
    );
  });

  it('relays a stream without faults byte for byte, and what it adds up to is its text', () => {
    assertProperty(
      fc.property(
        fc.array(
          fc.oneof(fc.string({ unit: 'binary' }), fc.constantFrom('error', '[DONE]', '\n\n', '\u2028', '\ud83d')),
          { minLength: 1 },
        ),
        fc.array(fc.nat()),
        fc.boolean(),
        fc.constantFrom('\n', '\r\n'),
        (texts, cuts, relaxed, eol) => {
          const said = texts.join('');
          const list: object[] = [
            { type: 'response.created', response: { id: 'resp_1', status: 'in_progress', output: [] } },
            ...texts.map((delta) => ({ type: 'response.output_text.delta', output_index: 0, content_index: 0, delta })),
            { type: 'response.completed', response: { id: 'resp_1', status: 'completed', output: [] } },
          ];
          const datas = list.map((value, i) => JSON.stringify({ ...value, sequence_number: i }));
          const wire = datas.map((data) => frame(data, 'name', eol)).join('');
          const settings: DecoderOptions = {
            usageAsked: true,
            choices: 1,
            renameModel: null,
            onMalformed: 'fail',
            maxFrameBytes: 1 << 20,
          };
          const seen = decode(cutAt(encodeUtf8(wire), cuts), settings, true, relaxed);
          expect([seen.text, seen.edits, seen.last]).toEqual([wire, [], list.length - 1]);
          const built = JSON.parse(decodeUtf8(openaiResponses.responseFromStream([encodeUtf8(seen.text)])));
          expect(built.output[0].content[0].text).toBe(said);
        },
      ),
      200,
    );
  });

  it('lets a damaged frame pass only where the text is what its deltas add up to', () => {
    assertProperty(
      fc.property(
        fc.array(text, { minLength: 1, maxLength: 5 }),
        fc.nat(),
        fc.boolean(),
        fc.boolean(),
        (texts, at, isLost, relaxed) => {
          const lost = at % texts.length;
          const said = texts.join('');
          const delta = (value: string): string =>
            frame(JSON.stringify({ type: 'response.output_text.delta', delta: value }), 'name', '\n');
          const wire = [
            delta('a'),
            ...texts.flatMap((value, i) =>
              i !== lost
                ? [delta(value)]
                : [frame(DAMAGED[0] as string, 'bare', '\n'), ...(isLost ? [] : [delta(value)])],
            ),
            frame(JSON.stringify({ type: 'response.output_text.done', text: `a${said}` }), 'name', '\n'),
          ].join('');
          const settings: DecoderOptions = {
            usageAsked: true,
            choices: 1,
            renameModel: null,
            onMalformed: 'fail',
            maxFrameBytes: 1 << 20,
          };
          const isWhole = !isLost || texts[lost] === '';
          const failed = decode([encodeUtf8(wire)], settings, false, relaxed).events.some(
            ({ type }) => type === 'malformed',
          );
          expect(failed).toBe(!isWhole);
        },
      ),
      200,
    );
  });
});

const input = fc.oneof(
  fc.constantFrom<unknown>('hi', [], null, 7),
  fc.array(
    fc.oneof(
      item,
      fc.record({
        role: fc.constantFrom('user', 'developer', 'assistant'),
        content: fc.oneof(text, fc.array(part, { maxLength: 2 })),
      }),
      fc.constantFrom<unknown>(
        { type: 'reasoning', id: 'rs_1', encrypted_content: 'SEALED' },
        { type: 'item_reference', id: 'rs_1' },
        { type: 'function_call_output', id: 'x', call_id: 'c', output: 'y' },
      ),
    ),
    { maxLength: 5 },
  ),
);
const request = fc
  .record(
    {
      model: fc.constantFrom<unknown>('m', '', 1),
      input,
      stream: fc.constantFrom<unknown>(true, false, 'x'),
      tools: fc.constantFrom<unknown>([], null, [{ type: 'mcp' }], [{ type: 'namespace', tools: [{}] }], {}),
      reasoning: fc.constantFrom<unknown>(null, {}, { effort: 'low' }, 'x'),
      max_output_tokens: fc.constantFrom<unknown>(1, null, 'x'),
      previous_response_id: fc.constantFrom<unknown>('resp_1', null, 1),
      metadata: fc.jsonValue(),
      seed: fc.constant(1),
    },
    { requiredKeys: ['model', 'input'] },
  )
  .map((value) => JSON.stringify(value, null, 1).replace('"seed": 1', '"seed": 9007199254740993'));

const EGRESS: Egress = { model: 'up', capabilities: {}, askUsage: true, withoutState: false, defaults: {} };
const HISTORY = [
  encodeUtf8('{"type":"reasoning","id":"rs_9","encrypted_content":"SEALED"}'),
  encodeUtf8('{"role":"user","content":"h"}'),
];

describe('a Responses request', () => {
  it('goes on as it came but for the model', () => {
    assertProperty(
      fc.property(request, (wire) => {
        const decoded = openaiResponses.decodeRequest(encodeUtf8(wire), {});
        if (!decoded.ok) {
          expect(decoded.problem.message).not.toBe('');
          return;
        }
        const sent = decodeUtf8(concatBytes(openaiResponses.encodeRequest(decoded.request, EGRESS).body));
        expect(sent).toBe(wire.replace('"model": "m"', '"model": "up"'));
      }),
      300,
    );
  });

  it('stays one whole request whatever is taken out and put in', () => {
    const egress = fc.record({
      withoutState: fc.boolean(),
      history: fc.constantFrom(undefined, [], HISTORY),
      capabilities: fc.constantFrom({}, { developerRole: false, streamUsage: false }),
      defaults: fc.constantFrom({}, { reasoningEffort: 'high', maxOutputTokens: 9 }),
    });
    assertProperty(
      fc.property(request, egress, (wire, { history, ...rest }) => {
        const decoded = openaiResponses.decodeRequest(encodeUtf8(wire), {});
        if (!decoded.ok) return;
        const whole = history === undefined ? decoded : expandRequest(decoded.request, history);
        if (!whole.ok) throw new Error(whole.problem.message);
        const options: Egress = { ...EGRESS, ...rest };
        const sent = decodeUtf8(concatBytes(openaiResponses.encodeRequest(whole.request, options).body));
        const read = JSON.parse(sent) as { model: string; input: unknown; previous_response_id?: unknown };
        expect(read.model).toBe('up');
        if (rest.withoutState) expect(sent).not.toContain('SEALED');
        if (history !== undefined) expect(read).not.toHaveProperty('previous_response_id');
        const before = Array.isArray(JSON.parse(wire).input) ? JSON.parse(wire).input.length : 0;
        if (!rest.withoutState && history === HISTORY)
          expect(read.input).toHaveLength(HISTORY.length + (JSON.parse(wire).input === 'hi' ? 1 : before));
      }),
      300,
    );
  });

  it('is refused in words, or read, whatever the bytes are', () => {
    const noise = fc.oneof(fc.uint8Array({ maxLength: 60 }), request.map(encodeUtf8), fc.json().map(encodeUtf8));
    assertProperty(
      fc.property(noise, fc.nat(), fc.integer({ min: 0, max: 255 }), (bytes, at, value) => {
        const hostile = Uint8Array.from(bytes);
        if (hostile.length > 0) hostile[at % hostile.length] = value;
        const decoded = openaiResponses.decodeRequest(hostile, {});
        if (decoded.ok) expect(decoded.request.model).not.toBe('');
        else expect(decoded.problem.message).not.toBe('');
      }),
      500,
    );
  });
});

describe('a Responses answer', () => {
  it('is judged without a throw, and turns into a stream and back', () => {
    assertProperty(
      fc.property(
        fc.oneof(
          answer.map((value) => JSON.stringify(value)),
          fc.json(),
          fc.string(),
        ),
        (wire) => {
          const decoded = openaiResponses.decodeResponse(encodeUtf8(wire), { renameModel: null, choices: 1 });
          const isAnswer = decoded.events.at(-1)?.type === 'finish';
          if (!isAnswer) return;
          const frames = openaiResponses.streamFromResponse(decoded.body, { usageAsked: true, renameModel: null });
          const bytes = frames.map((each) => each.bytes);
          expect(decodeUtf8(openaiResponses.responseFromStream(bytes))).toBe(decodeUtf8(decoded.body));
          const settings: DecoderOptions = {
            usageAsked: true,
            choices: 1,
            renameModel: null,
            onMalformed: 'fail',
            maxFrameBytes: 1 << 20,
          };
          const seen = decode(bytes, settings, true, false);
          expect(seen.text).toBe(decodeUtf8(concatBytes(bytes)));
          expect(seen.events.filter(({ type }) => type === 'finish')).toEqual(decoded.events.slice(-1));
        },
      ),
      300,
    );
  });
});
