import { randomBytes } from 'node:crypto';
import type { Fact, RequestLedger } from '../../core/attempt/ledger.ts';
import { recordFact } from '../../core/attempt/record-fact.ts';
import type { LedgerStore, RequestQuery } from '../../port/ledger-store.ts';

export type MemoryLedgerStoreOptions = {
  /** Requests that are kept; those that are under way are never dropped. Default: 10,000. */
  readonly maxRequests?: number;
  /** A fact that would have broken a law, and which. It was refused. */
  readonly onViolation?: (violation: string, fact: Fact) => void;
};

/** Requests hang in a chain in the order of their start; a place in it never changes while others come and go. */
type Entry = {
  readonly serial: number;
  ledger: RequestLedger;
  older: Entry | null;
  newer: Entry | null;
};

/**
 * The ledger of one process, gone with it. Appending takes the same time however much is kept; when it is full, the request
 * that ended the longest ago makes room.
 */
export function createMemoryLedgerStore(options: MemoryLedgerStoreOptions = {}): LedgerStore {
  const { maxRequests = 10_000, onViolation } = options;
  const entries = new Map<string, Entry>();
  /** Ids of ended requests; a set keeps them in the order of their ends. */
  const ended = new Set<string>();
  // Cursors of another process's ledger mean nothing here.
  const mark = randomBytes(6).toString('base64url');
  let newest: Entry | null = null;
  let serials = 0;
  let violations = 0;

  const add = (ledger: RequestLedger) => {
    const entry: Entry = { serial: ++serials, ledger, older: newest, newer: null };
    if (newest) newest.newer = entry;
    newest = entry;
    entries.set(ledger.id, entry);
  };
  const drop = (id: string, entry: Entry) => {
    if (entry.newer) entry.newer.older = entry.older;
    else newest = entry.older;
    if (entry.older) entry.older.newer = entry.newer;
    entries.delete(id);
    ended.delete(id);
  };
  const makeRoom = () => {
    for (const id of ended) {
      if (entries.size <= maxRequests) return;
      const entry = entries.get(id);
      if (entry) drop(id, entry);
    }
  };
  const refuse = (violation: string, fact: Fact) => {
    violations += 1;
    try {
      onViolation?.(violation, fact);
    } catch {
      // Appending never throws, and the count has it.
    }
  };

  return {
    append(fact) {
      const entry = entries.get(fact.request);
      const { ledger, violation } = recordFact(entry?.ledger ?? null, fact);
      if (ledger !== null) {
        if (entry) entry.ledger = ledger;
        else add(ledger);
        if (ledger.ended !== null) ended.add(ledger.id);
      }
      makeRoom();
      if (violation !== null) refuse(violation, fact);
    },
    async list(query) {
      const before = query.cursor === undefined ? Number.POSITIVE_INFINITY : readCursor(query.cursor, mark);
      const limit = Math.max(1, Math.floor(query.limit));
      const found: Entry[] = [];
      for (let entry = newest; entry !== null && found.length <= limit; entry = entry.older) {
        if (entry.serial < before && isWanted(entry.ledger, query)) found.push(entry);
      }
      const page = found.slice(0, limit);
      const last = page.at(-1);
      const next = found.length > limit && last ? `${mark}.${last.serial.toString(36)}` : null;
      return { data: page.map(({ ledger }) => ledger), next };
    },
    async get(id) {
      return entries.get(id)?.ledger;
    },
    violations: () => violations,
    async close() {},
  };
}

/** The serial number behind which a page begins; 0, before all of them, for a cursor that was not made here. */
function readCursor(cursor: string, mark: string): number {
  const [own, serial, ...rest] = cursor.split('.');
  if (own !== mark || serial === undefined || rest.length > 0 || !/^[0-9a-z]{1,11}$/.test(serial)) return 0;
  return Number.parseInt(serial, 36);
}

function isWanted(ledger: RequestLedger, query: RequestQuery): boolean {
  const { started, ended, attempts } = ledger;
  return (
    (query.model === undefined || started.model === query.model) &&
    (query.key === undefined || started.key === query.key) &&
    (query.since === undefined || started.at >= query.since) &&
    (query.outcome === undefined || ended?.outcome === query.outcome) &&
    (query.target === undefined || attempts.some(({ target }) => target === query.target))
  );
}
