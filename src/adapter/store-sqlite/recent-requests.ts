import type { RequestLedger } from '../../core/attempt/ledger.ts';
import { comparePlaces } from './cursor.ts';
import type { LedgerQuery } from './queries.ts';

export type RecentLimits = {
  /** Requests that stay readable from memory after the database has them, plans included. */
  readonly maxRequests: number;
  /** Bound on all ended ones, whether the database has them or not. */
  readonly maxBytes: number;
};

export type RecentRequest = {
  ledger: RequestLedger;
  /** An estimate. */
  bytes: number;
  /** Plans that were handed on for keeping. */
  keptPlans: number;
  isWritten: boolean;
};

/** Requests under way, and those that ended last. */
export interface RecentRequests {
  find(id: string): RecentRequest | undefined;
  /** Takes the state of a request after a fact of about so many bytes. */
  put(entry: RecentRequest | undefined, ledger: RequestLedger, bytes: number): RecentRequest;
  markWritten(ids: readonly string[]): void;
  list(query: LedgerQuery): RequestLedger[];
  /** Of all ended ones. */
  bytes(): number;
}

/** What an object in memory takes more than its text. */
const WEIGHT = 3;

export function createRecentRequests({ maxRequests, maxBytes }: RecentLimits): RecentRequests {
  const open = new Map<string, RecentRequest>();
  /** In the order of their ends. */
  const ended = new Map<string, RecentRequest>();
  let endedBytes = 0;

  const makeRoom = (): void => {
    for (const [id, entry] of ended) {
      const isMany = ended.size > maxRequests && entry.isWritten;
      if (!isMany && endedBytes <= maxBytes) return;
      ended.delete(id);
      endedBytes -= entry.bytes;
    }
  };

  return {
    find: (id) => open.get(id) ?? ended.get(id),
    put(known, ledger, bytes) {
      const entry = known ?? { ledger, bytes: 0, keptPlans: 0, isWritten: false };
      entry.ledger = ledger;
      entry.bytes += bytes * WEIGHT;
      if (ledger.ended === null) {
        open.set(ledger.id, entry);
      } else {
        open.delete(ledger.id);
        ended.set(ledger.id, entry);
        endedBytes += entry.bytes;
        makeRoom();
      }
      return entry;
    },
    markWritten(ids) {
      for (const id of ids) {
        const entry = ended.get(id);
        if (entry !== undefined) entry.isWritten = true;
      }
      makeRoom();
    },
    list(query) {
      const found: RequestLedger[] = [];
      for (const entries of [open, ended]) {
        for (const { ledger } of entries.values()) if (isWanted(ledger, query)) found.push(ledger);
      }
      return found.sort((one, other) => comparePlaces(placeOf(one), placeOf(other))).slice(0, query.limit);
    },
    bytes: () => endedBytes,
  };
}

export const placeOf = ({ id, started }: RequestLedger): { at: number; id: string } => ({ at: started.at, id });

function isWanted(ledger: RequestLedger, query: LedgerQuery): boolean {
  const { started, ended, attempts } = ledger;
  const isNamed = <T>(wanted: T | undefined, is: T | undefined): boolean => wanted === undefined || wanted === is;
  return (
    isNamed(query.model, started.model) &&
    isNamed(query.key, started.key ?? undefined) &&
    isNamed(query.outcome, ended?.outcome) &&
    (query.kinds === undefined || query.kinds.includes(started.kind ?? 'answer')) &&
    (query.since === undefined || started.at >= query.since) &&
    (query.target === undefined || attempts.some(({ target }) => target === query.target)) &&
    (query.after === null || comparePlaces(query.after, placeOf(ledger)) < 0)
  );
}
