import type { Migration } from './migration.ts';

/** What was asked for beside answers: a probe, a count, a compaction. Null for answers, and in what was recorded before. */
export const kind: Migration = {
  version: 3,
  name: 'kind',
  sql: `
    ALTER TABLE requests ADD COLUMN kind TEXT;
    CREATE INDEX requests_by_kind ON requests (kind, started_at DESC, id DESC) WHERE kind IS NOT NULL;
  `,
};
