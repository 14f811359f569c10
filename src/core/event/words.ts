import type { RequestKind } from '../attempt/ledger.ts';
import { type Component, OUTCOMES, type Phase } from '../failure/outcome.ts';
import type { AvailabilityState } from '../health/availability.ts';
import { SCOPE_KINDS } from '../health/state.ts';
import { PROTOCOL_NAMES } from '../model/protocol-names.ts';

/** All words of a union, which the compiler counts. */
const wordsOf = <W extends string>(words: { readonly [K in W]: true }): readonly W[] => Object.keys(words) as W[];

export const STATES = wordsOf<AvailabilityState>({
  ready: true,
  slow: true,
  deferred: true,
  open: true,
  half_open: true,
  rejected: true,
  disabled: true,
});

export const COMPONENTS = wordsOf<Component>({
  client: true,
  gateway: true,
  credential: true,
  target: true,
  endpoint: true,
  policy: true,
  deadline: true,
});

export const PHASES = wordsOf<Phase>({ connecting: true, sent: true, preflight: true, streaming: true, done: true });

export const KINDS = wordsOf<RequestKind>({ answer: true, probe: true, count: true, compact: true });

export const PROTOCOLS: readonly string[] = Object.keys(PROTOCOL_NAMES);

export const SCOPES: readonly string[] = SCOPE_KINDS;

/** What puts a scope into a state. */
export const HEALTH_CAUSES: readonly string[] = [...OUTCOMES, 'operator'];
