export type AuditBy = 'token' | 'session' | 'local' | 'none';

/** One thing that somebody did, or tried to, by the management API. Nothing secret is in it. */
export type AuditRecord = {
  /** Epoch ms. */
  readonly at: number;
  readonly action: string;
  readonly subject: string | null;
  readonly result: 'done' | 'refused';
  readonly status: number;
  readonly by: AuditBy;
  /** Null: nobody knows. */
  readonly address: string | null;
  readonly request: string;
};

/** Keeps what was done, as long as there is room. */
export interface AuditLog {
  /** Never throws and never waits. */
  add(record: AuditRecord): void;
  /** Newest first. `cursor` is the one of the page before; one that is unknown gives an empty page. */
  list(query: { readonly limit: number; readonly cursor?: string }): Promise<{
    readonly data: readonly AuditRecord[];
    readonly next: string | null;
  }>;
}
