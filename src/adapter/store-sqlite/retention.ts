import type { DatabaseSync } from 'node:sqlite';
import { inTransaction } from './database.ts';
import { number } from './rows.ts';

export type RetentionLimits = {
  /** Requests that began longer ago are dropped once they have ended. Infinity: none. */
  readonly keepMs: number;
  /** What the ledger may take on the disk; the oldest make room. Infinity: no bound. */
  readonly maxBytes: number;
};

/** Small steps: whoever waits for the writer waits for one of them. */
const STEP_REQUESTS = 250;
const STEP_PAGES = 256;

/** Room that is made once there is none, so that it is not made for each request. */
const SLACK = 0.05;

/** More refused facts than this are a flood; the first ones tell enough. */
const MAX_VIOLATIONS = 10_000;

export interface Retention {
  /** Does a part of what is to be done: false when nothing is left. Throws what SQLite throws. */
  step(now: number): boolean;
}

export function createRetention(db: DatabaseSync, { keepMs, maxBytes }: RetentionLimits): Retention {
  const dropOlder = db.prepare(
    'DELETE FROM requests WHERE id IN (SELECT id FROM requests ' +
      'WHERE started_at < ? AND ended_at IS NOT NULL ORDER BY started_at, id LIMIT ?)',
  );
  const dropOldest = db.prepare(
    'DELETE FROM requests WHERE id IN (SELECT id FROM requests ' +
      'WHERE ended_at IS NOT NULL ORDER BY started_at, id LIMIT ?)',
  );
  const dropViolations = db.prepare(
    'DELETE FROM violations WHERE at < ? OR (at, request, fact, law) IN ' +
      '(SELECT at, request, fact, law FROM violations ORDER BY at DESC LIMIT -1 OFFSET ?)',
  );
  const dropOwners = db.prepare(
    'DELETE FROM owners WHERE last_seen_at < ? AND NOT EXISTS ' +
      '(SELECT 1 FROM requests WHERE ended_at IS NULL AND owner_boot = owners.boot)',
  );
  const pragma = (name: string): number => number(db.prepare(`PRAGMA ${name}`).get() ?? {}, name);
  const usedBytes = (): number => (pragma('page_count') - pragma('freelist_count')) * pragma('page_size');
  let isMakingRoom = false;

  const makeRoom = (): boolean => {
    const used = usedBytes();
    isMakingRoom = used > (isMakingRoom ? maxBytes * (1 - SLACK) : maxBytes);
    if (!isMakingRoom) return false;
    isMakingRoom = Number(inTransaction(db, () => dropOldest.run(STEP_REQUESTS)).changes) > 0;
    return isMakingRoom;
  };
  /** Pages are reused before the file grows: only many free ones are worth giving back. */
  const giveBack = (): boolean => {
    const free = pragma('freelist_count');
    const isOver = pragma('page_count') * pragma('page_size') > maxBytes;
    if (free === 0 || (!isOver && free < pragma('page_count') / 4)) return false;
    db.exec(`PRAGMA incremental_vacuum(${STEP_PAGES})`);
    return pragma('freelist_count') < free;
  };

  return {
    step(now) {
      const before = now - keepMs;
      if (Number.isFinite(before)) {
        const dropped = inTransaction(db, () => dropOlder.run(before, STEP_REQUESTS)).changes;
        if (Number(dropped) > 0) return true;
        dropOwners.run(before);
      }
      dropViolations.run(Number.isFinite(before) ? before : 0, MAX_VIOLATIONS);
      return makeRoom() || giveBack();
    },
  };
}
