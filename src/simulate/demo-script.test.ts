import { describe, expect, it } from 'vitest';
import { DEMO_MODELS, DEMO_TEXT, demoScript } from './demo-script.ts';

const play = (model: string, stream: boolean, wantsUsage = true) => {
  const steps = demoScript({ model, stream, wantsUsage });
  const text = steps.map((step) => (step.kind === 'text' ? step.text : '')).join('');
  return { steps, text, last: steps.at(-1)?.kind, head: steps.find((step) => step.kind === 'head') };
};

const contents = (text: string): string =>
  text
    .split('\n\n')
    .filter((frame) => frame.startsWith('data: {'))
    .map((frame) => JSON.parse(frame.slice(6)).choices[0]?.delta?.content ?? '')
    .join('');

describe('the demo provider', () => {
  it('ok streams the whole text, a finish, the usage and the end mark', () => {
    const { text, last } = play('ok', true);
    expect(contents(text)).toBe(DEMO_TEXT);
    expect(text).toContain('"finish_reason":"stop"');
    expect(text).toContain('"total_tokens"');
    expect(text.endsWith('data: [DONE]\n\n')).toBe(true);
    expect(last).toBe('end');
    expect(play('ok', true, false).text).not.toContain('total_tokens');
  });

  it('ok answers in JSON', () => {
    expect(JSON.parse(play('ok', false).text).choices[0].message.content).toBe(DEMO_TEXT);
  });

  it.each([
    ['error-503', 503],
    ['rate-limited', 429],
    ['retired-410', 410],
    ['html-200', 200],
    ['nobody', 404],
  ])('%s answers %i', (model, status) => {
    for (const stream of [true, false]) expect(play(model, stream).head).toMatchObject({ status });
  });

  it('cut-after-20-words says twenty words and breaks off', () => {
    const { text, last } = play('cut-after-20-words', true);
    expect(contents(text).trim().split(/\s+/)).toHaveLength(20);
    expect(last).toBe('cut');
  });

  it('silent and stall never end', () => {
    expect(play('silent', true)).toMatchObject({ last: 'hang', head: undefined });
    expect(play('stall', true)).toMatchObject({ last: 'hang', head: { status: 200 } });
  });

  it('the rest fails before any word', () => {
    for (const model of ['error-after-200', 'empty', 'damaged-frame'] as const) {
      const frames = play(model, true).text.split('\n\n');
      const said = frames.filter((frame) => /"content":"[^"]+"/.test(frame));
      expect(said).toEqual([]);
    }
  });

  it('every model has a script for streams and for JSON', () => {
    for (const model of DEMO_MODELS) {
      for (const stream of [true, false]) expect(play(model, stream).steps.length).toBeGreaterThan(0);
    }
  });
});
