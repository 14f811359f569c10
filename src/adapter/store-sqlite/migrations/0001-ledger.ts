import type { Migration } from './migration.ts';

/**
 * Requests, attempts and plans; who wrote them; how far each journal was recorded; facts that were refused. Numbers
 * that others told (tokens) are REAL, because anything may come; so are times, which may have fractions of a
 * millisecond.
 */
export const ledger: Migration = {
  version: 1,
  name: 'ledger',
  sql: `
    CREATE TABLE owners (
      boot TEXT NOT NULL,
      worker INTEGER NOT NULL,
      last_seen_at REAL NOT NULL,
      PRIMARY KEY (boot, worker)
    ) STRICT, WITHOUT ROWID;

    CREATE TABLE journals (
      name TEXT PRIMARY KEY,
      position INTEGER NOT NULL
    ) STRICT, WITHOUT ROWID;

    CREATE TABLE requests (
      id TEXT PRIMARY KEY,
      started_at REAL NOT NULL,
      owner_boot TEXT NOT NULL,
      owner_worker INTEGER NOT NULL,
      model TEXT NOT NULL,
      protocol TEXT NOT NULL,
      stream INTEGER NOT NULL,
      key TEXT,
      client_request_id TEXT,
      client_retry_of TEXT,
      committed INTEGER,
      ended_at REAL,
      outcome TEXT,
      status INTEGER,
      component TEXT,
      reason TEXT,
      served_by TEXT,
      edits TEXT,
      skipped TEXT,
      rejected INTEGER
    ) STRICT, WITHOUT ROWID;
    CREATE INDEX requests_by_time ON requests (started_at, id);
    CREATE INDEX requests_by_model ON requests (model, started_at, id);
    CREATE INDEX requests_by_key ON requests (key, started_at, id) WHERE key IS NOT NULL;
    CREATE INDEX requests_by_outcome ON requests (outcome, started_at, id) WHERE outcome IS NOT NULL;
    CREATE INDEX requests_open ON requests (owner_boot) WHERE ended_at IS NULL;

    CREATE TABLE attempts (
      request TEXT NOT NULL REFERENCES requests (id) ON DELETE CASCADE,
      n INTEGER NOT NULL,
      request_started_at REAL NOT NULL,
      route TEXT NOT NULL,
      target TEXT NOT NULL,
      credential TEXT NOT NULL,
      endpoint TEXT NOT NULL,
      why TEXT NOT NULL,
      charged INTEGER NOT NULL,
      trial INTEGER NOT NULL,
      started_at REAL NOT NULL,
      head_at REAL,
      status INTEGER,
      committed_at REAL,
      ended_at REAL,
      outcome TEXT,
      phase TEXT NOT NULL,
      failure TEXT,
      reason TEXT,
      input_tokens REAL,
      output_tokens REAL,
      reasoning_tokens REAL,
      cached_tokens REAL,
      cache_write_tokens REAL,
      usage_source TEXT,
      cooldown_until REAL,
      PRIMARY KEY (request, n)
    ) STRICT, WITHOUT ROWID;
    CREATE INDEX attempts_by_target ON attempts (target, request_started_at, request);

    CREATE TABLE plans (
      request TEXT NOT NULL REFERENCES requests (id) ON DELETE CASCADE,
      attempt INTEGER NOT NULL,
      plan BLOB NOT NULL,
      PRIMARY KEY (request, attempt)
    ) STRICT, WITHOUT ROWID;

    CREATE TABLE violations (
      at REAL NOT NULL,
      request TEXT NOT NULL,
      fact TEXT NOT NULL,
      law TEXT NOT NULL,
      PRIMARY KEY (at, request, fact, law)
    ) STRICT, WITHOUT ROWID;
  `,
};
