import { randomBytes } from 'node:crypto';
import { setImmediate as nextTurn } from 'node:timers/promises';
import { addUsageGroups, countUsage } from '../../core/attempt/count-usage.ts';
import type { Fact, RequestLedger } from '../../core/attempt/ledger.ts';
import {
  addReconciliations,
  EMPTY_RECONCILIATION,
  type Reconciliation,
  reconcileRequests,
} from '../../core/attempt/reconcile.ts';
import { recordFact } from '../../core/attempt/record-fact.ts';
import type { LedgerStore, Page, RequestQuery } from '../../port/ledger-store.ts';
import { createRefusedFacts } from './refused-facts.ts';

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
 * The ledger of one process, gone with it. Appending takes the same time however much is kept; when it is full, the
 * request that ended the longest ago makes room.
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
  const refused = createRefusedFacts();

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
    refused.add({ at: fact.at, request: fact.request, fact: fact.type, law: violation });
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
    list: async (query) => listFrom(newest, query, mark),
    async get(id) {
      return entries.get(id)?.ledger;
    },
    violations: () => violations,
    async reconcile(since) {
      return { ...(await reconcileInParts(ledgersSince(newest, since))), since, violations: refused.since(since) };
    },
    async usage({ since, by, kinds }) {
      return addUsageGroups(await inParts(ledgersSince(newest, since), (some) => countUsage(some, by, kinds)));
    },
    backlog: () => null,
    async close() {},
  };
}

/** A page from the newest on. */
function listFrom(newest: Entry | null, query: RequestQuery, mark: string): Page<RequestLedger> {
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
}

/** Requests that are checked in one go; between two of them others get their turn. */
const PART = 500;

/** What this process began may still end: nobody else writes here, so no owner is dead. */
const isAlive = (): boolean => true;

async function reconcileInParts(ledgers: readonly RequestLedger[]): Promise<Reconciliation> {
  const parts = await inParts(ledgers, (some) => reconcileRequests(some, isAlive));
  return parts.reduce(addReconciliations, EMPTY_RECONCILIATION);
}

async function inParts<T>(
  ledgers: readonly RequestLedger[],
  look: (part: readonly RequestLedger[]) => T,
): Promise<readonly T[]> {
  const parts: T[] = [];
  for (let from = 0; from < ledgers.length; from += PART) {
    if (from > 0) await nextTurn();
    parts.push(look(ledgers.slice(from, from + PART)));
  }
  return parts;
}

/** The oldest first. */
function ledgersSince(newest: Entry | null, since: number): readonly RequestLedger[] {
  const ledgers: RequestLedger[] = [];
  for (let entry = newest; entry !== null; entry = entry.older) {
    if (entry.ledger.started.at >= since) ledgers.push(entry.ledger);
  }
  return ledgers.reverse();
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
    (query.kinds === undefined || query.kinds.includes(started.kind ?? 'answer')) &&
    (query.since === undefined || started.at >= query.since) &&
    (query.outcome === undefined || ended?.outcome === query.outcome) &&
    (query.target === undefined || attempts.some(({ target }) => target === query.target))
  );
}
