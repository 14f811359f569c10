import type { Fact, Owner, RequestLedger } from '../../core/attempt/ledger.ts';
import { recordFact } from '../../core/attempt/record-fact.ts';
import type { Clock, Timer } from '../../port/clock.ts';
import type { LedgerBacklog, LedgerStore, Page, RequestQuery } from '../../port/ledger-store.ts';
import { type Backlog, createBacklog } from './backlog.ts';
import { comparePlaces, readCursor, writeCursor } from './cursor.ts';
import { createDeferred, type Deferred } from './deferred.ts';
import { type ExplainPolicy, isExplained } from './explain.ts';
import { createFlusher, flushAll } from './flusher.ts';
import { createJournal, type Journal } from './journal.ts';
import { type JournalFiles, journalFolder, listJournals, measureJournals, NODE_FILES } from './journal-files.ts';
import { encodeLine, encodePlanLine, withoutPlan } from './journal-line.ts';
import { lockStateDir, type StateDirLock } from './lock.ts';
import type { Ask, Recorded } from './messages.ts';
import type { LedgerQuery } from './queries.ts';
import {
  createRecentRequests,
  placeOf,
  type RecentLimits,
  type RecentRequest,
  type RecentRequests,
} from './recent-requests.ts';
import { reconcileRows } from './reconcile.ts';
import { wordsOf } from './sqlite-error.ts';
import { createTroubleDesk, type StoreTrouble, type TroubleDesk } from './trouble.ts';
import { countRows } from './usage.ts';
import { createViolationCounter, type OnViolation, type ViolationCounter } from './violation-counter.ts';
import { createWorkerLink, type WorkerLink } from './worker-link.ts';
import { type StartThread, startWriterThread } from './worker-thread.ts';

export type SqliteLedgerStoreOptions = {
  /** Made if it is not there. One writer at a time. */
  readonly stateDir: string;
  /** `boot` must be new at each start: what owners of other boots left open is closed as `abandoned`. */
  readonly owner: Owner;
  readonly clock: Clock;
  /** Infinity: for ever. */
  readonly keepMs: number;
  /** Infinity: no bound. */
  readonly maxBytes: number;
  readonly explain: ExplainPolicy;
  /** Told of each fact that would have broken a law, and which. It was refused. */
  readonly onViolation?: OnViolation;
  /** Told once when something is wrong with the disk or the database, and once when it is right again. */
  readonly onTrouble?: (trouble: StoreTrouble) => void;
  readonly recent?: RecentLimits;
  readonly journal?: { readonly maxFileBytes?: number; readonly maxPendingBytes?: number };
  readonly files?: JournalFiles;
  readonly startThread?: StartThread;
};

export interface SqliteLedgerStore extends LedgerStore {
  /**
   * Resolves when the database is open, what others left in their journals is recorded, and what they left open is
   * closed; with the number of requests that were. Until then requests can be served and recorded all the same. Rejects
   * if the store is closed before.
   */
  readonly opened: Promise<{ readonly abandoned: number }>;
  /** Resolves when the database has all that was appended; rejects while it can't have it. */
  flush(): Promise<void>;
  backlog(): LedgerBacklog;
  /** Says where this gateway listens, to another one that is refused the directory. */
  announce(url: string): void;
}

const MIB = 1024 * 1024;
/** So much that waits is written at once. */
const BATCH_BYTES = 64 * 1024;
/** What is written into a directory that was deleted is lost with the process: somebody should know soon. */
const LOCK_EVERY_MS = 2_000;
const RETAIN_FIRST_MS = 10_000;
const RETAIN_EVERY_MS = 60_000;
const MAX_LIMIT = 1_000;
/** Names that clients make up may be as long as a body. */
const MAX_NAME = 1_024;
/** Refused facts belong to no request: they stand for themselves. */
const REFUSED = '\u0000refused';
/** Memory that a plan is taken for. */
const PLAN_BYTES = 2_048;

/**
 * The ledger on disk. A fact is folded in memory, which decides at once whether it breaks a law; goes to a journal
 * file, an `attempt_started` before `append` returns, others within 50 ms; and from there, read by a thread of its own,
 * into SQLite. The journal is the queue between the two: whatever ends this process or that thread, the rest is read
 * again. Throws StateDirError when another gateway has the directory or nothing can be written there.
 */
export function createSqliteLedgerStore(options: SqliteLedgerStoreOptions): SqliteLedgerStore {
  const lock = lockStateDir(options.stateDir);
  try {
    return openStore(options, lock);
  } catch (error) {
    lock.release();
    throw error;
  }
}

function openStore(options: SqliteLedgerStoreOptions, lock: StateDirLock): SqliteLedgerStore {
  const { clock } = options;
  const parts = createParts(options);
  const { recent, trouble, link, journal, opened } = parts;
  const flusher = createFlusher({ clock, journal, wake: link.wake });
  const watch = repeat(clock, LOCK_EVERY_MS, LOCK_EVERY_MS, () => {
    if (lock.isInPlace()) trouble.clear('lock');
    else trouble.raise('lock', { code: 'ELOCK', message: options.stateDir });
  });
  const retention = repeat(clock, RETAIN_FIRST_MS, RETAIN_EVERY_MS, () => link.retain(clock.now()));
  // A process that ends in haste still says what it knew.
  const leave = (): void => void flushAll(journal);
  process.once('exit', leave);
  let closing: Promise<void> | null = null;

  const flush = async (): Promise<void> => {
    flushAll(journal);
    await link.ask('sync', journal.position());
  };
  const close = async (): Promise<void> => {
    flusher.cancel();
    watch.cancel();
    retention.cancel();
    process.removeListener('exit', leave);
    const isWhole = flushAll(journal);
    journal.close();
    // What can't be recorded now is still in the journal: the next start records it.
    if (isWhole) await link.ask('close', journal.position()).catch(() => {});
    await link.close();
    opened.reject(new Error('the ledger was closed before it was open'));
    lock.release();
  };

  return {
    opened: opened.promise,
    announce: (url) => lock.announce(url),
    append(fact) {
      try {
        if (closing !== null) {
          trouble.tell('closed', 'a fact came after the ledger was closed');
          return;
        }
        appendFact(parts, options.explain, clipFact(fact));
        flusher.arm();
      } catch (error) {
        trouble.tell('damage', `a fact could not be recorded: ${wordsOf(error).message}`);
      }
    },
    list: (query) => listRequests(query, recent, link.ask),
    async get(id) {
      return recent.find(id)?.ledger ?? (await link.ask('get', id));
    },
    violations: () => parts.violations.count,
    flush,
    async reconcile(since) {
      await flush();
      return reconcileRows(link.ask, since);
    },
    async usage(query) {
      await flush();
      return countRows(link.ask, query);
    },
    backlog: () => ({
      ...parts.backlog.read(),
      journalBytes: measureJournals(journalFolder(options.stateDir)) + journal.pendingBytes(),
      isTroubled: trouble.isRaised(),
    }),
    close() {
      closing ??= close();
      return closing;
    },
  };
}

type Parts = {
  readonly recent: RecentRequests;
  readonly trouble: TroubleDesk;
  readonly link: WorkerLink;
  readonly journal: Journal;
  readonly violations: ViolationCounter;
  readonly backlog: Backlog;
  readonly opened: Deferred<{ readonly abandoned: number }>;
};

function createParts(options: SqliteLedgerStoreOptions): Parts {
  const { stateDir, owner, clock, keepMs, maxBytes } = options;
  const folder = journalFolder(stateDir);
  const recent = createRecentRequests(options.recent ?? { maxRequests: 1_000, maxBytes: 48 * MIB });
  const trouble = createTroubleDesk(options.onTrouble);
  const violations = createViolationCounter(options.onViolation);
  const backlog = createBacklog();
  const opened = createDeferred<{ readonly abandoned: number }>();
  const onApplied = (ended: readonly string[], recorded: Recorded | null): void => {
    recent.markWritten(ended);
    if (recorded === null) return;
    const { seq, offset } = journal.position();
    const isAll = recorded.reached.seq === seq && recorded.reached.offset === offset && journal.pendingBytes() === 0;
    backlog.record(recorded.facts, isAll, clock.now());
  };
  const link = createWorkerLink({
    clock,
    settings: { stateDir, owner, limits: { keepMs, maxBytes }, left: listJournals(folder) },
    start: options.startThread ?? startWriterThread,
    onApplied,
    onViolation: ({ law, fact, request }) => violations.add(law, { type: fact, request }),
    onDamaged: (journal, lines) => trouble.tell('damage', `${lines} lines of the journal ${journal} can't be recorded`),
    onOpened(abandoned) {
      backlog.open(clock.now());
      opened.resolve({ abandoned });
    },
    onTrouble(kind, words) {
      backlog.fail(kind === 'worker' ? 'thread' : kind);
      trouble.raise(kind, words);
    },
    onRecovery: (kind) => trouble.clear(kind),
  });
  const journal = createJournal({
    folder,
    owner,
    files: options.files ?? NODE_FILES,
    maxFileBytes: options.journal?.maxFileBytes ?? 8 * MIB,
    maxPendingBytes: options.journal?.maxPendingBytes ?? 32 * MIB,
    onFile: link.follow,
    onFailure(error) {
      backlog.fail('journal');
      trouble.raise('journal', wordsOf(error));
    },
    onRecovery(lost) {
      backlog.lose(lost);
      trouble.clear('journal', lost);
    },
  });
  return { recent, trouble, link, journal, violations, backlog, opened };
}

/** Folds a fact, and hands it to the journal unless it was there before. */
function appendFact({ recent, journal, violations, backlog }: Parts, policy: ExplainPolicy, fact: Fact): void {
  const known = recent.find(fact.request);
  const { ledger, violation } = recordFact(known?.ledger ?? null, fact);
  if (violation !== null) {
    const { request, at, type } = fact;
    journal.add(REFUSED, encodeLine({ type: 'refused', request, at, fact: type, law: violation }), 'only');
    violations.add(violation, fact);
    backlog.add();
  } else if (ledger !== null && ledger !== known?.ledger) {
    const line = encodeLine(withoutPlan(fact));
    const entry = recent.put(known, ledger, line.length + ('plan' in fact && fact.plan !== null ? PLAN_BYTES : 0));
    // First: an attempt is in the journal when this has returned.
    backlog.add();
    writeFact(journal, policy, entry, fact, line);
  }
  if (journal.pendingBytes() > BATCH_BYTES) journal.flush();
}

/**
 * Hands a fact on, with the plans that are to be kept; what was planned before an attempt is safe before the attempt.
 */
function writeFact(journal: Journal, policy: ExplainPolicy, entry: RecentRequest, fact: Fact, line: string): void {
  const { request } = fact;
  const isFirst = fact.type === 'request_started';
  if (isFirst) journal.add(request, line, 'first');
  if (isExplained(entry.ledger, policy)) {
    for (const { attempt, plan } of entry.ledger.plans.slice(entry.keptPlans)) {
      journal.add(request, encodePlanLine(request, attempt, plan), 'middle');
    }
    entry.keptPlans = entry.ledger.plans.length;
  }
  if (!isFirst) journal.add(request, line, fact.type === 'request_ended' ? 'last' : 'middle');
  if (fact.type === 'attempt_started') journal.flushRequest(request);
}

/** Newest first, out of the database and out of memory, which has what the database has not got yet. */
async function listRequests(
  { cursor, ...rest }: RequestQuery,
  recent: Pick<RecentRequests, 'list'>,
  ask: Ask,
): Promise<Page<RequestLedger>> {
  const after = cursor === undefined ? null : readCursor(cursor);
  if (cursor !== undefined && after === null) return { data: [], next: null };
  const limit = Math.min(MAX_LIMIT, Math.max(1, Math.floor(rest.limit) || 1));
  const query: LedgerQuery = { ...rest, after, limit: limit + 1 };
  const inMemory = recent.list(query);
  // While the database can't be read, what is in memory is better than nothing.
  const inRows = await ask('list', query).catch(() => []);
  const known = new Set(inMemory.map(({ id }) => id));
  const all = [...inMemory, ...inRows.filter(({ id }) => !known.has(id))];
  const sorted = all.sort((one, other) => comparePlaces(placeOf(one), placeOf(other)));
  const data = sorted.slice(0, limit);
  const last = data.at(-1);
  return { data, next: sorted.length > limit && last !== undefined ? writeCursor(placeOf(last)) : null };
}

function repeat(clock: Clock, firstMs: number, everyMs: number, act: () => void): Pick<Timer, 'cancel'> {
  let timer = clock.setTimer(firstMs, function again() {
    act();
    timer = clock.setTimer(everyMs, again);
  });
  return { cancel: () => timer.cancel() };
}

function clipFact(fact: Fact): Fact {
  if (fact.type !== 'request_started') return fact;
  const { model, asked } = fact;
  if (model.length <= MAX_NAME && (asked ?? '').length <= MAX_NAME) return fact;
  return { ...fact, model: model.slice(0, MAX_NAME), asked: asked?.slice(0, MAX_NAME) ?? null };
}
