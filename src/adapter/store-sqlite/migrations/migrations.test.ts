import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { describe, expect, it } from 'vitest';
import { makeStateDir } from '../../../../test/kit/state-dir.ts';
import { migrate, openDatabase } from '../database.ts';
import { MIGRATIONS, type Migration } from './index.ts';

const schemaOf = (db: DatabaseSync): unknown =>
  db.prepare('SELECT type, name, sql FROM sqlite_schema WHERE sql IS NOT NULL ORDER BY type, name').all();

function latest(): unknown {
  const db = new DatabaseSync(':memory:');
  migrate(db, MIGRATIONS);
  return schemaOf(db);
}

const NEXT: Migration = { version: 99, name: 'later', sql: 'CREATE TABLE later (x TEXT) STRICT; DROP TABLE plans' };

describe('the schema', () => {
  it('is numbered without a gap', () => {
    expect(MIGRATIONS.map(({ version }) => version)).toEqual(MIGRATIONS.map((_, index) => index + 1));
  });

  // From nothing, and from each version that was ever released.
  for (const count of [0, ...MIGRATIONS.map(({ version }) => version)]) {
    it(`comes to the latest from version ${count}`, () => {
      const db = new DatabaseSync(':memory:');
      migrate(db, MIGRATIONS.slice(0, count));
      migrate(db, MIGRATIONS);
      expect(schemaOf(db)).toEqual(latest());
      expect(db.prepare('SELECT version FROM schema_versions').all()).toHaveLength(MIGRATIONS.length);
    });
  }

  it('is taken as it is when nothing is to be done', () => {
    const db = new DatabaseSync(':memory:');
    migrate(db, MIGRATIONS);
    migrate(db, MIGRATIONS);
    expect(schemaOf(db)).toEqual(latest());
  });

  it('is as it was when a step fails', () => {
    const db = new DatabaseSync(':memory:');
    migrate(db, MIGRATIONS);
    expect(() => migrate(db, [...MIGRATIONS, { ...NEXT, sql: `${NEXT.sql}; nonsense` }])).toThrow('syntax error');
    expect(schemaOf(db)).toEqual(latest());
    migrate(db, [...MIGRATIONS, NEXT]);
    expect(schemaOf(db)).not.toEqual(latest());
  });

  it('is not touched when a newer version made it', () => {
    const file = join(makeStateDir(), 'ledger.db');
    openDatabase(file, [...MIGRATIONS, NEXT]).close();
    expect(() => openDatabase(file)).toThrow('a newer version made it');
  });

  it('lets a file give pages back, and belongs to its owner alone', async () => {
    const { statSync } = await import('node:fs');
    const file = join(makeStateDir(), 'ledger.db');
    const db = openDatabase(file);
    expect(db.prepare('PRAGMA auto_vacuum').get()).toEqual({ auto_vacuum: 2 });
    expect(db.prepare('PRAGMA journal_mode').get()).toEqual({ journal_mode: 'wal' });
    expect(db.prepare('PRAGMA foreign_keys').get()).toEqual({ foreign_keys: 1 });
    for (const name of [file, `${file}-wal`]) expect(statSync(name).mode & 0o077, name).toBe(0);
    db.close();
  });
});
