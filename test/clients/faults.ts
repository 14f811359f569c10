/** Where the first target of a model fails, and how. */
export type FaultPlan = {
  /** The column of the table in which it is told. */
  readonly column: 'none' | 'a' | 'b' | 'c';
  readonly strike: Strike | null;
  /** After output only a client can ask again; what it asks then, the first target answers. */
  readonly once: boolean;
  /** What the struck answer is: the turn that was due, or a text that is cut before any tool is called. */
  readonly reply: 'due' | 'text';
};

/** `status`: a 503. `error`: an event in the stream that says so. `cut`: the socket is destroyed, before or within output. */
export type Strike = 'status' | 'error-before' | 'cut-before' | 'cut-within';

export const FAULTS = {
  none: { column: 'none', strike: null, once: false, reply: 'due' },
  'a-status': { column: 'a', strike: 'status', once: false, reply: 'due' },
  'b-error': { column: 'b', strike: 'error-before', once: false, reply: 'due' },
  'b-cut': { column: 'b', strike: 'cut-before', once: false, reply: 'due' },
  'c-text': { column: 'c', strike: 'cut-within', once: true, reply: 'text' },
  'c-call': { column: 'c', strike: 'cut-within', once: true, reply: 'due' },
} as const satisfies Readonly<Record<string, FaultPlan>>;

export type FaultName = keyof typeof FAULTS;
export const FAULT_NAMES = Object.keys(FAULTS) as readonly FaultName[];
