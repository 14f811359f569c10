import { describe, expect, it } from 'vitest';
import { DONE, delta, STOP } from '../../../test/kit/chat-stream.ts';
import { completion, text } from '../../../test/kit/plays.ts';
import { decodeUtf8, encodeUtf8 } from '../../protocol/json/index.ts';
import { openaiChat } from '../../protocol/openai-chat/index.ts';
import { type AnswerReader, chooseReader, type ReaderEnd, type ReaderInput } from './index.ts';

type Change = Partial<Omit<ReaderInput, 'sink'>> & { readonly maxJson?: number };

function open({ maxJson = 10_000, ...change }: Change = {}) {
  const said: string[] = [];
  const input: ReaderInput = {
    codec: openaiChat,
    decoder: { usageAsked: false, choices: 1, renameModel: null, onMalformed: 'fail', maxFrameBytes: 10_000 },
    policy: {
      commitOn: 'output',
      onContentPolicy: 'stop',
      holdToolEnd: true,
      preflight: { maxBytes: 10_000, maxEvents: 100, maxJson },
      acceptEmpty: false,
    },
    wantsStream: true,
    status: 200,
    headers: {},
    ...change,
    sink: {
      commit: (form) => void said.push(`commit ${form}`),
      frames: (frames) => void said.push(frames.map(({ bytes }) => decodeUtf8(bytes)).join('')),
      json: (bytes, isLast) => void said.push(`${decodeUtf8(bytes)}${isLast ? '|' : ''}`),
    },
  };
  const read = (
    body: string,
    isClean: boolean | 'clock' = true,
    pieces = 1,
  ): { end: ReaderEnd; reader: AnswerReader } => {
    const bytes = encodeUtf8(body);
    const reader = chooseReader(input, bytes);
    if (reader === null) throw new Error('undecided');
    const size = Math.max(1, Math.ceil(bytes.length / pieces));
    for (let at = 0; at < bytes.length; at += size) {
      const end = reader.push(bytes.subarray(at, at + size));
      if (end !== null) return { end, reader };
    }
    return { end: isClean === 'clock' ? reader.clock() : reader.end(isClean), reader };
  };
  return { said, input, read };
}

const failed = (cause: object) => ({ type: 'failed', cause });
const fault = (name: string) => failed({ kind: 'fault', fault: name });

describe('chooseReader', () => {
  it.each([
    ['{', 'JsonReader'],
    [' \n[', 'JsonReader'],
    ['data: x', 'StreamReader'],
    ['event: x', 'StreamReader'],
    [': x', 'StreamReader'],
    ['\ufeffdata', 'StreamReader'],
    ['<html>', 'FailureReader'],
    ['Hello', 'FailureReader'],
  ])('by the first byte that is no blank: %j', (first, name) => {
    expect(chooseReader(open().input, encodeUtf8(first))?.constructor.name).toBe(name);
  });

  it('waits for such a byte', () => {
    expect(chooseReader(open().input, null)).toBeNull();
    expect(chooseReader(open().input, encodeUtf8(' \r\n\t'))).toBeNull();
  });

  it('but the status stands above it', () => {
    for (const status of [199, 301, 400, 500]) {
      expect(chooseReader(open({ status }).input, null)?.constructor.name).toBe('FailureReader');
    }
    expect(chooseReader(open({ status: 201 }).input, null)).toBeNull();
  });

  it('content types are not believed', () => {
    const { input } = open({ headers: { 'content-type': 'application/json' } });
    expect(chooseReader(input, encodeUtf8('data:'))?.constructor.name).toBe('StreamReader');
  });
});

describe('FailureReader', () => {
  it.each([true, false, 'clock'] as const)('however the body ends (%s), the status told', (how) => {
    const { end, reader } = open({ status: 503 }).read('{"error":{"message":"m","code":"c"}}', how);
    expect(end).toEqual(failed({ kind: 'status' }));
    expect(reader.error).toMatchObject({ code: 'c', message: 'm' });
    expect(reader.body).toBe('json');
    expect(reader.isToldFailure).toBe(true);
  });

  it.each([
    ['', 'empty'],
    [' \n', 'empty'],
    ['<p>', 'html'],
    ['{}', 'json'],
    ['[]', 'json'],
    ['nope', 'text'],
  ])('knows what %j is', (body, kind) => {
    const { reader } = open({ status: 500 }).read(body || ' ');
    expect(reader.body).toBe(kind);
  });

  it('reads no more than 256 KiB, and keeps what it has read', () => {
    const { end, reader } = open({ status: 500 }).read(`<html>${'x'.repeat(1_000_000)}`, true, 3);
    expect(end).toEqual(failed({ kind: 'status' }));
    expect(reader.body).toBe('html');
    expect(reader.heldBytes).toBe(256 * 1024);
  });

  it('with a good status it is the content that is wrong', () => {
    expect(open().read('Hello').end).toEqual(fault('wrong_content'));
  });
});

describe('JsonReader', () => {
  const whole = completion('hi');

  it('delivers a whole answer as it came, however it was cut', () => {
    for (const pieces of [1, 3, 1000]) {
      const { said, read } = open({ wantsStream: false });
      const { end, reader } = read(whole, true, pieces);
      expect(end).toEqual({ type: 'complete', outcome: 'ok' });
      expect(said).toEqual(['commit json', `${whole}|`]);
      expect(reader.hasOutput).toBe(true);
    }
  });

  it.each([
    ['a cut', whole.slice(0, 40), false, failed({ kind: 'outside' })],
    ['a cut behind the last brace', whole, false, failed({ kind: 'outside' })],
    ['a clock', whole, 'clock', failed({ kind: 'outside' })],
    ['half of it', whole.slice(0, 40), true, fault('malformed')],
    ['an error', '{"error":{"message":"m","code":"c"}}', true, failed({ kind: 'error_body' })],
    ['no output', completion(''), true, fault('no_output')],
  ] as const)('%s delivers nothing', (_, body, how, end) => {
    const { said, read } = open({ wantsStream: false });
    expect(read(body, how).end).toEqual(end);
    expect(said).toEqual([]);
  });

  it('an empty answer that the settings accept has no output', () => {
    const { read, input } = open({ wantsStream: false });
    const accepting = open({ wantsStream: false, policy: { ...input.policy, acceptEmpty: true } });
    expect(read(completion('')).end.type).toBe('failed');
    const { end, reader } = accepting.read(completion(''));
    expect(end).toEqual({ type: 'complete', outcome: 'ok' });
    expect(reader.hasOutput).toBe(false);
  });

  it('becomes frames for a stream client', () => {
    const { said, read } = open();
    const { end, reader } = read(whole);
    expect(end).toEqual({ type: 'complete', outcome: 'ok' });
    expect(said[0]).toBe('commit stream');
    expect(said[1]).toContain('"content":"hi"');
    expect(said[1]?.endsWith(DONE)).toBe(true);
    expect([...reader.edits]).toContain('converted_to_stream');
  });

  it('above maxJson it goes through, and is cut where it is cut', () => {
    const { said, read } = open({ wantsStream: false, maxJson: 50 });
    expect(read(whole, true, 4).end).toEqual({ type: 'complete', outcome: 'ok' });
    expect(said[0]).toBe('commit json');
    expect(said.slice(1).join('')).toBe(`${whole}|`);
    const cut = open({ wantsStream: false, maxJson: 50 });
    expect(cut.read(whole, false, 4).end).toEqual({ type: 'interrupted', cause: { kind: 'outside' } });
    expect(cut.said.join('')).not.toContain('|');
  });

  it('above maxJson it is nothing for a stream client', () => {
    const { said, read } = open({ maxJson: 50 });
    expect(read(whole).end).toEqual(fault('wrong_content'));
    expect(said).toEqual([]);
  });
});

describe('StreamReader', () => {
  const whole = `${text('one')}${text('two')}${STOP}${DONE}`;

  it('relays whole frames, however they were cut', () => {
    for (const pieces of [1, 7, whole.length]) {
      const { said, read } = open();
      const { end, reader } = read(whole, true, pieces);
      expect(end).toEqual({ type: 'complete', outcome: 'ok' });
      expect(said.slice(1).join('')).toBe(whole);
      const { hasOutput, anyEvent, anyItem } = reader;
      expect({ hasOutput, anyEvent, anyItem }).toEqual({ hasOutput: true, anyEvent: true, anyItem: true });
    }
  });

  it('has a terminal from the finish on', () => {
    const { input } = open();
    const reader = chooseReader(input, encodeUtf8('data'));
    expect(reader?.push(encodeUtf8(text('one')))).toBeNull();
    expect(reader?.terminal).toBeNull();
    expect(reader?.push(encodeUtf8(delta({}, 'length')))).toBeNull();
    expect(reader?.terminal).toBe('ok_truncated');
  });
});

describe('StreamAsJsonReader', () => {
  it('is judged whole: nothing goes out before', () => {
    const { said, read } = open({ wantsStream: false });
    const { end } = read(`${text('one ')}${text('two')}${STOP}${DONE}`, true, 9);
    expect(end).toEqual({ type: 'complete', outcome: 'ok' });
    expect(said[0]).toBe('commit json');
    expect(JSON.parse((said[1] ?? '').slice(0, -1))).toMatchObject({ choices: [{ message: { content: 'one two' } }] });
  });

  it.each([
    ['a cut', false],
    ['a clean end without a terminal', true],
    ['a clock', 'clock'],
  ] as const)('%s behind output is a failure that another target may cure', (_, how) => {
    const { said, read } = open({ wantsStream: false });
    expect(read(text('one'), how).end.type).toBe('failed');
    expect(said).toEqual([]);
  });

  it('holds no more than maxJson', () => {
    const { said, read } = open({ wantsStream: false, maxJson: 300 });
    expect(read(text('x').repeat(20), true, 20).end).toEqual(fault('wrong_content'));
    expect(said).toEqual([]);
  });

  it('usage goes into the body, whether the client asked for it in a stream or not', () => {
    const usage = `data: ${JSON.stringify({ choices: [], usage: { prompt_tokens: 1, completion_tokens: 2, total_tokens: 3 } })}\n\n`;
    const { said, read } = open({ wantsStream: false });
    read(`${text('one')}${STOP}${usage}${DONE}`);
    expect(JSON.parse((said[1] ?? '').slice(0, -1))).toMatchObject({ usage: { total_tokens: 3 } });
  });
});

describe('the body of a failure', () => {
  it('is read up to its bound, and no further', () => {
    const { input } = open({ status: 500 });
    const reader = chooseReader(input, null);
    const half = new Uint8Array(128 * 1024).fill(0x78);
    expect([reader?.push(half), reader?.push(half)]).toEqual([null, null]);
    expect(reader?.push(half)).toEqual(failed({ kind: 'status' }));
    expect(reader?.heldBytes).toBe(256 * 1024);
  });
});
