import type { Headers } from '../model/protocol.ts';
import type { Draw, RecordedTrace, Sampling, TraceContext } from './trace.ts';
import { createSpanId, createTraceId, isWithin, isZero } from './trace-ids.ts';

/** https://www.w3.org/TR/trace-context/, section 3.2: what stands behind the flags belongs to versions to come. */
const PARENT = /^([0-9a-f]{2})-([0-9a-f]{32})-([0-9a-f]{16})-([0-9a-f]{2})(-.*)?$/;
const SAMPLED = 0b01;
/** Recorded; the digits of the trace's id are random (level 2). What others may come to mean is not passed on. */
const KNOWN_FLAGS = 0b11;

/** Section 3.3: `key=value`, with commas between them. */
const MEMBER = /^[a-z0-9][a-z0-9_\-*/@]{0,255}=[\x20-\x2b\x2d-\x3c\x3e-\x7e]{0,255}[\x21-\x2b\x2d-\x3c\x3e-\x7e]$/;
const MAX_MEMBERS = 32;

export const TRACE_HEADERS = ['traceparent', 'tracestate'] as const;

type Parent = Pick<TraceContext, 'traceId' | 'parentId' | 'flags'>;

/** The span that a client says it is in; null where it says none, or nothing that can be read. */
export function readTraceparent(text: string | undefined): Parent | null {
  const [, version = '', traceId = '', parentId = '', flags = '', rest] = PARENT.exec(text ?? '') ?? [];
  if (traceId === '' || isZero(traceId) || isZero(parentId)) return null;
  if (version === 'ff' || (version === '00' && rest !== undefined)) return null;
  return { traceId, parentId, flags: Number.parseInt(flags, 16) & KNOWN_FLAGS };
}

/** Null where it is not whole: half of one would say something else. */
function readTracestate(text: string | undefined): string | null {
  const members = (text ?? '').split(',').map((member) => member.trim());
  const filled = members.filter((member) => member !== '');
  const isWhole = filled.length > 0 && filled.length <= MAX_MEMBERS && filled.every((member) => MEMBER.test(member));
  return isWhole ? filled.join(',') : null;
}

/** The place of a request: in the client's trace, or at the beginning of one of its own. */
export function openTrace(headers: Headers, { ratio }: Sampling, draw: Draw): TraceContext {
  const parent = readTraceparent(headers['traceparent']);
  if (parent !== null) return { ...parent, spanId: createSpanId(draw), state: readTracestate(headers['tracestate']) };
  const traceId = createTraceId(draw);
  const flags = isWithin(traceId, ratio) ? SAMPLED : 0;
  return { traceId, spanId: createSpanId(draw), parentId: null, flags, state: null };
}

export const isSampled = ({ flags }: Pick<TraceContext, 'flags'>): boolean => (flags & SAMPLED) !== 0;

export const recordTrace = (trace: TraceContext): RecordedTrace => ({
  traceId: trace.traceId,
  spanId: trace.spanId,
  parentId: trace.parentId,
  isSampled: isSampled(trace),
});

/** What a provider is told: it works for this span, whoever asked for it. */
export function writeTraceHeaders({ traceId, flags, state }: TraceContext, spanId: string): Headers {
  const traceparent = `00-${traceId}-${spanId}-${flags.toString(16).padStart(2, '0')}`;
  return state === null ? { traceparent } : { traceparent, tracestate: state };
}
