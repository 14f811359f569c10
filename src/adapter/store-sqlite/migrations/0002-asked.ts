import type { Migration } from './migration.ts';

/** The name that a client asked for, beside the model that it means. Null in what was recorded before. */
export const asked: Migration = {
  version: 2,
  name: 'asked',
  sql: 'ALTER TABLE requests ADD COLUMN asked TEXT',
};
