import { describe, expect, it } from 'vitest';
import { compareReports, writeRate } from './compare-reports.ts';
import { percentilesOf } from './measure-latency.ts';
import { readFrames } from './read-frames.ts';
import type { Report } from './report.ts';

describe('percentiles', () => {
  it('are values that came', () => {
    const values = Array.from({ length: 100 }, (_, i) => 100 - i);
    expect(percentilesOf(values)).toEqual({ count: 100, p50_ms: 50, p90_ms: 90, p99_ms: 99, max_ms: 100 });
    expect(percentilesOf([7])).toEqual({ count: 1, p50_ms: 7, p90_ms: 7, p99_ms: 7, max_ms: 7 });
    expect(percentilesOf([])).toEqual({ count: 0, p50_ms: null, p90_ms: null, p99_ms: null, max_ms: null });
  });
});

describe('a rate in words', () => {
  it.each([
    [1, '100 %'],
    [0.9999, '99.99 %'],
    [0.9, '90 %'],
    [0.123, '12.3 %'],
    [0.0001, '0.01 %'],
    [0, '0 %'],
  ])('%d is %s', (rate, words) => expect(writeRate(rate)).toBe(words));
});

describe('a comparison', () => {
  const none = { count: 0, p50_ms: null, p90_ms: null, p99_ms: null, max_ms: null };
  const reportOf = (rate: number, sends: number): Report => ({
    seed: 1,
    config: null,
    complete: true,
    lasted_ms: 1,
    requests: {
      total: 3,
      client_retries: 0,
      answered: 0,
      left: 0,
      failed: 0,
      success_rate: rate,
      first_route_rate: null,
      turns: 3,
      turn_success_rate: rate,
    },
    clients: [],
    served: [],
    latency: { whole: none, added: none, added_after_failover: none },
    routes: [{ route: 'r', target: 't', provider: 'p', sends, served: 0, outcomes: [] }],
    probes: [],
    attempts: [],
    outages: [],
    tokens: { input: 0, output: 0, wasted_input: 0, wasted_output: 0 },
    traffic: { bucket_ms: 1, series: [], failed: [] },
    shown: null,
    leftovers: [],
  });

  it('tells what is better and worse, and which requests went otherwise', () => {
    const here = { report: reportOf(0.5, 10), tries: [true, false, false] };
    const there = { report: reportOf(0.75, 12), tries: [false, true, true] };
    const { differences, only_here: onlyHere, only_there: onlyThere } = compareReports(here, there);
    expect(differences.map(({ words, better }) => [words, better])).toEqual([
      ['more requests are answered: 75 % instead of 50 %', true],
      ['more is sent to providers: 12 instead of 10', false],
    ]);
    expect([onlyHere, onlyThere]).toEqual([1, 2]);
    expect(compareReports(here, here).differences).toEqual([]);
  });
});

describe('frames', () => {
  const written = (...texts: readonly string[]) =>
    texts.map((text, i) => ({ at: 100 + i * 10, bytes: new TextEncoder().encode(text) }));
  const read = (...texts: readonly string[]) =>
    readFrames(written(...texts), true, 100).map(({ ms, what, text, frames, last_ms: last }) => [
      ms,
      what,
      text,
      frames,
      last,
    ]);

  it('of one kind in a row are one, however they were cut', () => {
    const delta = (text: string): string => `data: {"choices":[{"delta":{"content":"${text}"}}]}\n\n`;
    expect(
      read(
        ': keepalive\n\n',
        `${delta('a ')}${delta('b ').slice(0, 9)}`,
        `${delta('b ').slice(9)}${delta('c')}`,
        'data: [DONE]\n\n',
      ),
    ).toEqual([
      [0, 'comment', 'keepalive', 1, 0],
      [10, 'text', 'a b c', 3, 20],
      [30, 'done', '[DONE]', 1, 30],
    ]);
  });

  it('of Gemini are words as well', () => {
    const part = (text: string): string => `data: {"candidates":[{"content":{"parts":[{"text":"${text}"}]}}]}\n\n`;
    expect(read(part('a '), part('b'), 'data: {"candidates":[{"content":{"parts":[null]}}]}\n\n')).toEqual([
      [0, 'text', 'a b', 2, 10],
      [20, 'data', '{"candidates":[{"content":{"parts":[null]}}]}', 1, 20],
    ]);
  });

  it('have the names of their events', () => {
    expect(
      read(
        'event: content_block_delta\ndata: {"type":"content_block_delta","delta":{"type":"text_delta","text":"a"}}\n\n',
        'event: error\ndata: {"type":"error","error":{}}\n\n',
        'data: {"error":{"code":"x"}}\n\n',
        'data: {"choi',
      ).map(([, what]) => what),
    ).toEqual(['content_block_delta', 'error', 'half a frame']);
  });
});
