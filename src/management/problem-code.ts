import type { ErrorCode } from '../core/failure/client-error.ts';

/** Codes that only the management API has; all others are those of `core/failure/catalogue`. */
export const OWN_CODES = ['ledger_unavailable', 'config_invalid', 'config_changed', 'config_unavailable'] as const;

export type ProblemCode = ErrorCode | (typeof OWN_CODES)[number];
