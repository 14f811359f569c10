export type { Draw, RecordedTrace, Sampling, TraceContext } from './trace.ts';
export {
  isSampled,
  openTrace,
  readTraceparent,
  recordTrace,
  TRACE_HEADERS,
  writeTraceHeaders,
} from './trace-headers.ts';
export { createSpanId, createTraceId } from './trace-ids.ts';
