import { describe, expect, it } from 'vitest';
import {
  added,
  CREATED,
  call,
  completed,
  delta,
  done,
  event,
  failed,
  message,
  numbers,
  OPENED,
  OPTIONS,
  read,
  run,
  textDone,
} from '../../../test/kit/responses-stream.ts';
import { encodeUtf8 } from '../json/index.ts';
import { createStreamDecoder } from './stream-decode.ts';

const BROKEN = 'event: response.output_text.delta\ndata: {"type":"response.output_text.del\n\n';

describe('a damaged frame', () => {
  const head = [CREATED, OPENED, delta('Hel')];

  it('is left out where the next number is the one that was due', () => {
    const [a, b, c, d, e, f] = numbers([...head, delta('lo'), textDone('Hello'), completed([message('Hello')])]);
    const { text, types, edits } = run([a, b, c, BROKEN, d, e, f].join(''));
    expect(text).toBe([a, b, c, d, e, f].join(''));
    expect(types.slice(3, 5)).toEqual(['noise', 'text']);
    expect(edits).toEqual(['malformed_left_out']);
  });

  it('is left out where the part that it came in is whole all the same', () => {
    const stream = (...rest: string[]): string => [...head, BROKEN, delta('lo'), ...rest].join('');
    const want = [...head, delta('lo')].join('');
    for (const proof of [
      textDone('Hello'),
      event('response.content_part.done', { part: { type: 'output_text', text: 'Hello' } }),
      done(message('Hello')),
      completed([message('Hello')]),
    ]) {
      const isLast = proof.includes('response.completed');
      const { text, types, edits } = run(stream(proof) + (isLast ? '' : completed([message('Hello')])));
      expect(text.startsWith(want + proof)).toBe(true);
      expect(types.slice(-2)).toEqual(['finish:stop', 'done']);
      expect(edits).toEqual(['malformed_left_out']);
    }
    // A number is missing, but it was nothing that the text lacks.
    const [a, b, c, , d, e] = numbers([...head, 'lost', delta('lo'), textDone('Hello')]);
    expect(run([a, b, c, BROKEN, d, e].join('')).types).not.toContain('malformed');
  });

  it('is a failure where something is missing, or nothing can tell; nothing behind it is given out', () => {
    const types = (...rest: string[]): string[] => {
      const seen = run([...head, BROKEN, ...rest].join(''));
      expect(seen.text).toBe(head.join(''));
      return seen.types.slice(3);
    };
    expect(types(delta('o'), textDone('Hello'))).toEqual(['malformed']);
    expect(types(delta('o'), completed([message('Hello')]))[0]).toBe('malformed');
    expect(types(completed([]))[0]).toBe('malformed');
    expect(types(delta('lo'))).toEqual(['malformed']);
    expect(types(delta('lo'), added(call(''), 1))).toEqual(['malformed']);
    expect(types(added(call(''), 1), textDone('Hel'))[0]).toBe('malformed');
    expect(types(failed({ code: 'c', message: 'm' }))).toEqual(['error']);
    const [k, l, m, , n, o] = numbers([...head, 'lost', delta('o'), textDone('Hello')]);
    expect(run([k, l, m, BROKEN, n, o].join('')).types.slice(3)).toEqual(['malformed']);
    const [a, b, c, d] = numbers([CREATED, OPENED, done(message('x')), 'lost', completed([message('x')])]);
    expect(run([a, b, c, BROKEN, d].join('')).types.slice(-1)).toEqual(['malformed']);
  });

  it('is a failure before output, and in a tool call', () => {
    expect(run(numbers([CREATED]).join('') + BROKEN + numbers([OPENED], 1).join('')).types).toEqual([
      'start',
      'malformed',
    ]);
    const inCall = numbers([...head, added(call(''), 1)]).join('') + BROKEN;
    expect(run(inCall).types.slice(-1)).toEqual(['malformed']);
    expect(run(inCall, { onMalformed: 'drop' }).types.slice(-1)).toEqual(['malformed']);
    const behindCall = [...head, added(call(''), 1), done(call(), 1), BROKEN, delta('o')].join('');
    expect(run(behindCall, { onMalformed: 'drop' }).types.slice(-2)).toEqual(['noise', 'text']);
    const unseen =
      delta('x') + event('response.function_call_arguments.delta', { output_index: 1, delta: '{' }) + BROKEN;
    expect(run(unseen, { onMalformed: 'drop' }).types.slice(-1)).toEqual(['malformed']);
    const decoder = createStreamDecoder(OPTIONS);
    decoder.relax();
    expect(read(decoder.push(encodeUtf8(unseen))).types).toEqual(['malformed']);
  });

  it('is dropped at once where that is wanted', () => {
    const { text, types } = run([...head, BROKEN, delta('o')].join(''), { onMalformed: 'drop' });
    expect(text).toBe([...head, delta('o')].join(''));
    expect(types.slice(3)).toEqual(['noise', 'text']);
  });

  it('does not make the decoder keep more than one frame may be', () => {
    const long = delta('y'.repeat(300));
    expect(run([...head, BROKEN, long, long, textDone('x')].join(''), { maxFrameBytes: 600 }).types).toContain(
      'malformed',
    );
  });

  it('counts on from events that were only looked at', () => {
    const [a, b, c, d, e, f] = numbers([...head, delta('l'), delta('o'), delta('!')]);
    const decoder = createStreamDecoder(OPTIONS);
    decoder.push(encodeUtf8([a, b, c].join('')));
    decoder.relax();
    const { types, text } = read(decoder.push(encodeUtf8([d, e, BROKEN, f].join(''))));
    expect([types, text]).toEqual([['noise', 'text'], [d, e, f].join('')]);
  });

  it('adds up deltas that were only counted', () => {
    const decoder = createStreamDecoder(OPTIONS);
    decoder.push(encodeUtf8(head.join('')));
    decoder.relax();
    const quiet = delta('l\u00e9"\n') + delta('\ud83d') + delta('\ude00');
    const frames = decoder.push(encodeUtf8(quiet + BROKEN + textDone('Hell\u00e9"\n\u{1f600}')));
    expect(read(frames).types).toEqual(['noise', 'text']);
  });
});
