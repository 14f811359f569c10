import { describe, expect, it } from 'vitest';
import { CODECS } from '../../protocol/index.ts';
import { DEMO_TEXT, type DemoModel, demoScript } from '../demo-script.ts';
import { isAsExpected, judgeAnswer, type Shape } from './judge.ts';
import { DRILL_PROTOCOLS, type DrillProtocol, pathTo } from './protocols.ts';

/** What a client gets that asks the demo provider itself. */
function playBare({ protocol }: DrillProtocol, model: DemoModel, shape: Shape) {
  const steps = demoScript({ model, stream: shape === 'stream', wantsUsage: false, protocol });
  const head = steps.find((step) => step.kind === 'head');
  return {
    status: head?.status ?? null,
    contentType: head?.headers['content-type'] ?? '',
    body: steps.map((step) => (step.kind === 'text' ? step.text : '')).join(''),
    isClean: steps.at(-1)?.kind === 'end',
  };
}

describe.each(DRILL_PROTOCOLS)('a client of $protocol', (protocol) => {
  it.each<[DemoModel, string, string]>([
    ['ok', 'whole', 'whole'],
    ['slow-first-token', 'whole', 'whole'],
    ['error-503', 'error', 'error'],
    ['rate-limited', 'error', 'error'],
    ['retired-410', 'error', 'error'],
    ['error-after-200', 'error', 'error'],
    ['cut-after-20-words', 'cut', 'cut'],
    ['stall', 'cut', 'cut'],
    ['silent', 'cut', 'cut'],
    ['html-200', 'cut', 'cut'],
    ['empty', 'lie', 'lie'],
    ['damaged-frame', 'lie', 'cut'],
  ])('without a gateway sees %s: stream %s, JSON %s', (model, stream, json) => {
    expect(judgeAnswer(protocol, playBare(protocol, model, 'stream')).seen).toBe(stream);
    expect(judgeAnswer(protocol, playBare(protocol, model, 'json')).seen).toBe(json);
  });

  it('is not taken in by half an answer that ends well, or by an end behind an error', () => {
    const whole = playBare(protocol, 'ok', 'stream');
    const lastWords = /(?:event: [^\n]*\n)?data: [^\n]*"(?:stalls|praise) "[^\n]*\n\n/g;
    const half = { ...whole, body: whole.body.replaceAll(lastWords, '') };
    expect(half.body.length).toBeLessThan(whole.body.length);
    expect(judgeAnswer(protocol, half).seen).toBe('lie');
    expect(judgeAnswer(protocol, { ...whole, isClean: false }).seen).toBe('lie');
    const error = playBare(protocol, 'error-after-200', 'stream').body.split('\n\n').at(-2);
    expect(judgeAnswer(protocol, { ...whole, body: `${error}\n\n${whole.body}` }).seen).toBe('lie');
  });

  it('and the gateway read the same out of it', () => {
    const codec = CODECS.get(protocol.protocol);
    if (codec === undefined) return;
    const options = {
      usageAsked: false,
      choices: 1,
      renameModel: null,
      onMalformed: 'fail' as const,
      maxFrameBytes: 1 << 20,
    };
    const decoder = codec.createStreamDecoder(options);
    const { body } = playBare(protocol, 'ok', 'stream');
    const frames = [...decoder.push(new TextEncoder().encode(body)), ...decoder.end(true)];
    expect(frames.flatMap((frame) => frame.edits)).toEqual([]);
    const events = frames.flatMap((frame) => frame.events);
    expect(events.filter(({ type }) => type === 'error' || type === 'malformed')).toEqual([]);
    expect(events.map(({ type }) => type)).toContain('finish');
    const asked = new TextEncoder().encode(JSON.stringify(protocol.body('m', true)));
    const headers = { ':path': pathTo(protocol, 'm', true) };
    expect(codec.decodeRequest(asked, headers)).toMatchObject({ ok: true, request: { model: 'm', stream: true } });
    const json = new TextEncoder().encode(playBare(protocol, 'ok', 'json').body);
    const decoded = codec.decodeResponse(json, { renameModel: null, choices: 1 });
    expect(decoded.usage?.outputTokens).toBe(DEMO_TEXT.split(' ').length);
    expect(decoded.events.map(({ type }) => type)).toContain('finish');
  });
});

it('better than expected is fine, worse is not', () => {
  expect(isAsExpected('whole', 'error')).toBe(true);
  expect(isAsExpected('error', 'error')).toBe(true);
  for (const seen of ['error', 'cut', 'lie'] as const) expect(isAsExpected(seen, 'whole')).toBe(false);
  for (const seen of ['cut', 'lie'] as const) expect(isAsExpected(seen, 'error')).toBe(false);
});
