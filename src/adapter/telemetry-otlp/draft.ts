import type { Attribute } from './conventions.ts';

export type Value = string | number | boolean | readonly string[];

/** Null: it is not known, or there is none. */
export type Attributes = { readonly [A in Attribute]?: Value | null };

/** A span as the record tells it, its words not cleaned yet. Times are epoch ms. */
export type SpanDraft = {
  readonly name: string;
  /** `own`: nobody asked the gateway for it. */
  readonly kind: 'served' | 'sent' | 'own';
  readonly traceId: string;
  readonly spanId: string;
  readonly parentId: string | null;
  /** The parent is somebody else's. */
  readonly isParentRemote: boolean;
  readonly startedAt: number;
  readonly endedAt: number;
  readonly attributes: Attributes;
  /** Why it failed, in words; null: nobody can say. Undefined: it did not fail. */
  readonly failure: string | null | undefined;
};
