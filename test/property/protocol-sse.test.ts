import { createParser, type EventSourceMessage } from 'eventsource-parser';
import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { decodeUtf8, encodeUtf8 } from '../../src/protocol/json/index.ts';
import { blockStart, createFrameSplitter, readBlock } from '../../src/protocol/sse/index.ts';
import { assertProperty } from '../kit/assert-property.ts';
import { bytewise, cutAt } from './cuts.ts';

const line = fc.oneof(
  fc.string({ unit: 'grapheme', maxLength: 8 }).map((text) => `data: ${text}`),
  fc.string({ unit: 'grapheme', maxLength: 8 }).map((text) => `data:${text}`),
  fc.constantFrom(
    'data',
    'data:',
    ': comment',
    ':',
    'event: ping',
    'event:x',
    'id: 1',
    'retry: 10',
    'unknown: x',
    'dat',
    ' data: x',
    '',
  ),
);

/** Streams with line ends of every kind, each whole frame closed. */
const stream = fc
  .tuple(fc.boolean(), fc.array(fc.tuple(line, fc.constantFrom('\n', '\r', '\r\n')), { maxLength: 20 }))
  .map(
    ([bom, lines]) => `${bom ? '\ufeff' : ''}${lines.map(([text, end]) => text.replace(/[\r\n]/g, '') + end).join('')}`,
  );

type Event = { event: string; data: string };

function reference(text: string): Event[] {
  const events: Event[] = [];
  const parser = createParser({
    onEvent: (event: EventSourceMessage) => void events.push({ event: event.event ?? '', data: event.data }),
  });
  parser.feed(text);
  return events;
}

const BLANKS = /^[\r\n]+$/;

function ours(chunks: readonly Uint8Array[], max = 1 << 20): { events: Event[]; text: string; frames: string[] } {
  const splitter = createFrameSplitter(max);
  const events: Event[] = [];
  const frames: string[] = [];
  const pieces: Uint8Array[] = [];
  for (const chunk of chunks) {
    splitter.push(chunk, (bytes, start, end) => {
      pieces.push(bytes.slice(start, end));
      const text = decodeUtf8(bytes.subarray(start, end));
      // Blank lines come in runs, as far as one chunk goes.
      if (BLANKS.test(text) && BLANKS.test(frames.at(-1) ?? '')) frames[frames.length - 1] += text;
      else frames.push(text);
      const block = readBlock(bytes, blockStart(bytes, start, end), end);
      const data = block.data.map((span) => decodeUtf8(bytes.subarray(span.start, span.end))).join('\n');
      if (block.data.length > 0) events.push({ event: block.event, data });
    });
  }
  pieces.push(splitter.end().bytes);
  return { events, frames, text: decodeUtf8(Buffer.concat(pieces)) };
}

describe('event-stream framing', () => {
  it('sees the events that eventsource-parser sees, and loses no byte', () => {
    assertProperty(
      fc.property(stream, (text) => {
        const { events, text: out } = ours([encodeUtf8(text)]);
        expect(events).toEqual(reference(text));
        expect(out).toBe(text);
      }),
      400,
    );
  });

  it('gives the same frames however the bytes are cut', () => {
    assertProperty(
      fc.property(stream, fc.array(fc.nat()), fc.constantFrom(1 << 20, 16), (text, cuts, max) => {
        const bytes = encodeUtf8(text);
        const whole = ours([bytes], max);
        for (const chunks of [cutAt(bytes, cuts), bytewise(bytes)]) {
          const cut = ours(chunks, max);
          expect(cut.text).toBe(whole.text);
          if (max > 16) expect(cut).toEqual(whole);
        }
      }),
      200,
    );
  });
});
