import { describe, expect, it } from 'vitest';
import { createSeededRandom } from '../../../test/kit/seeded-random.ts';
import { isSampled, openTrace, readTraceparent, recordTrace, writeTraceHeaders } from './index.ts';

const TRACE = '0af7651916cd43dd8448eb211c80319c';
const SPAN = 'b7ad6b7169203331';
const PARENT = `00-${TRACE}-${SPAN}-01`;
const draws = (seed = 1) => {
  const random = createSeededRandom(seed);
  return () => random.next();
};

describe('readTraceparent', () => {
  it.each([
    [PARENT, 1],
    [`00-${TRACE}-${SPAN}-00`, 0],
    // Flags that nobody knows yet are not passed on; that ids are random is.
    [`00-${TRACE}-${SPAN}-ff`, 3],
    [`01-${TRACE}-${SPAN}-01`, 1],
    [`cc-${TRACE}-${SPAN}-01-what-the-future-will-be`, 1],
  ])('reads %s', (text, flags) => {
    expect(readTraceparent(text)).toEqual({ traceId: TRACE, parentId: SPAN, flags });
  });

  it.each([
    undefined,
    '',
    'no trace',
    `00-${TRACE}-${SPAN}`,
    `00-${TRACE}-${SPAN}-01-more`,
    `00-${TRACE}-${SPAN}-01.`,
    `01-${TRACE}-${SPAN}-01.`,
    `ff-${TRACE}-${SPAN}-01`,
    `00-${'0'.repeat(32)}-${SPAN}-01`,
    `00-${TRACE}-${'0'.repeat(16)}-01`,
    `00-${TRACE.toUpperCase()}-${SPAN}-01`,
    `00-${TRACE}a-${SPAN}-01`,
    `00-${TRACE}-${SPAN}-1`,
    ` ${PARENT}`,
    // Two headers, joined.
    `${PARENT}, ${PARENT}`,
  ])('does not read %j', (text) => {
    expect(readTraceparent(text)).toBeNull();
  });
});

describe('openTrace', () => {
  it("is in the client's trace, whatever the ratio says", () => {
    const headers = { traceparent: PARENT, tracestate: 'rojo=00f067aa0ba902b7 , congo@x=t61rcWkgMzE' };
    const trace = openTrace(headers, { ratio: 0 }, draws());
    expect(trace).toMatchObject({ traceId: TRACE, parentId: SPAN, flags: 1 });
    expect(trace.state).toBe('rojo=00f067aa0ba902b7,congo@x=t61rcWkgMzE');
    expect(trace.spanId).toMatch(/^[0-9a-f]{16}$/);
    expect(recordTrace(trace)).toEqual({ traceId: TRACE, spanId: trace.spanId, parentId: SPAN, isSampled: true });
    const own = writeTraceHeaders(trace, '00f067aa0ba902b7');
    expect(own).toEqual({ traceparent: `00-${TRACE}-00f067aa0ba902b7-01`, tracestate: trace.state });
  });

  it('does not record what the client does not record', () => {
    const trace = openTrace({ traceparent: `00-${TRACE}-${SPAN}-00` }, { ratio: 1 }, draws());
    expect([trace.traceId, isSampled(trace)]).toEqual([TRACE, false]);
    expect(writeTraceHeaders(trace, SPAN)).toEqual({ traceparent: `00-${TRACE}-${SPAN}-00` });
  });

  it('begins a trace where the client has none, by chance alone', () => {
    const one = openTrace({ traceparent: 'nonsense', tracestate: 'a=b' }, { ratio: 1 }, draws(7));
    expect(one).toMatchObject({ parentId: null, state: null, flags: 1 });
    expect(one.traceId).toMatch(/^[0-9a-f]{32}$/);
    expect(openTrace({}, { ratio: 1 }, draws(7))).toEqual(one);
    expect(openTrace({}, { ratio: 1 }, draws(8)).traceId).not.toBe(one.traceId);
  });

  it('never makes an id of zeros', () => {
    const trace = openTrace({}, { ratio: 1 }, () => 0);
    expect([trace.traceId, trace.spanId]).toEqual([`${'0'.repeat(31)}1`, `${'0'.repeat(15)}1`]);
  });

  it.each([0, 0.25, 1])('records a share of %d of those that begin here', (ratio) => {
    const draw = draws(3);
    const recorded = Array.from({ length: 4000 }, () => openTrace({}, { ratio }, draw)).filter(isSampled).length;
    expect(Math.abs(recorded / 4000 - ratio)).toBeLessThan(ratio % 1 === 0 ? 1e-9 : 0.03);
  });

  it.each([
    ['a=1', 'a=1'],
    ['a=1,,b=2,', 'a=1,b=2'],
    ['a=1,b', null],
    ['A=1', null],
    ['a=ünï', null],
    ['a=1=2', null],
    ['', null],
    [' , ', null],
    [Array.from({ length: 32 }, (_, i) => `k${i}=v`).join(), Array.from({ length: 32 }, (_, i) => `k${i}=v`).join()],
    [Array.from({ length: 33 }, (_, i) => `k${i}=v`).join(), null],
  ])('of the tracestate %j it passes on %j', (tracestate, state) => {
    expect(openTrace({ traceparent: PARENT, tracestate }, { ratio: 1 }, draws()).state).toBe(state);
  });
});
