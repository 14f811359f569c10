/** `skipped`: not looked at, and why. */
export type FindingStatus = 'ok' | 'warning' | 'broken' | 'skipped';

export type Finding = {
  /** What was looked at: one word of a closed list. */
  readonly check: 'node' | 'configuration' | 'state' | 'port' | 'files' | 'provider' | 'clock';
  readonly status: FindingStatus;
  /** Which one, where there are several; else null. */
  readonly subject: string | null;
  readonly detail: string;
  /** What to do; null where there is nothing to do. */
  readonly remedy: string | null;
};

export type Found = Omit<Finding, 'check' | 'subject'>;

export const fine = (detail: string): Found => ({ status: 'ok', detail, remedy: null });
export const skipped = (detail: string): Found => ({ status: 'skipped', detail, remedy: null });
export const warning = (detail: string, remedy: string): Found => ({ status: 'warning', detail, remedy });
export const broken = (detail: string, remedy: string): Found => ({ status: 'broken', detail, remedy });
