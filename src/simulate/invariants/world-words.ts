import type { Outcome } from '../../core/failure/outcome.ts';
import type { Behaviour, Fault, Quirk } from '../scenario/scenario.ts';

const SERVED: ReadonlySet<Outcome> = new Set(['ok', 'ok_truncated', 'ok_filtered', 'refused']);

/** The client has an answer. */
export const isServedOutcome = (outcome: Outcome): boolean => SERVED.has(outcome);

const STOPPED: ReadonlySet<Outcome> = new Set(['client_closed', 'abandoned', 'timeout_commit', 'timeout_total']);

/** It was ended from outside: what its provider did is not known to the end. */
export const isStoppedOutcome = (outcome: Outcome): boolean => STOPPED.has(outcome);

/** Faults and oddities that a client sees as they are, since a relay leaves a provider's bytes alone. */
const FORM_FAULTS: ReadonlySet<Fault> = new Set(['repeat', 'huge', 'html']);
const FORM_QUIRKS: ReadonlySet<Quirk> = new Set(['stray_stop']);

export const breaksForm = ({ fault, quirks, finish }: Behaviour): boolean =>
  finish === 'broken' ||
  (fault !== undefined && FORM_FAULTS.has(fault.kind)) ||
  (quirks?.some((quirk) => FORM_QUIRKS.has(quirk)) ?? false);
