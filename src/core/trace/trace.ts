/**
 * A request's place in a trace of the W3C (Trace Context, level 1). Ids are lower-case hex: 32 digits name a trace, 16 a
 * span.
 */
export type TraceContext = {
  readonly traceId: string;
  /** The request's own span. */
  readonly spanId: string;
  /** The client's span; null: the trace begins here. */
  readonly parentId: string | null;
  /** Bits that go on to providers; the lowest says that the trace is recorded. */
  readonly flags: number;
  /** `tracestate`, as the client sent it; null: none that may go on. */
  readonly state: string | null;
};

/** What of it stands on record: no word of the client, only ids. */
export type RecordedTrace = Pick<TraceContext, 'traceId' | 'spanId' | 'parentId'> & { readonly isSampled: boolean };

/** Which traces that begin here are recorded: this share of them, from 0 to 1. A client's own word goes before it. */
export type Sampling = { readonly ratio: number };

/** Uniform in [0, 1). */
export type Draw = () => number;
