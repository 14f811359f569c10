import type { ScopeEntry } from '../../core/health/list-scopes.ts';
import type { LedgerBacklog } from '../../port/ledger-store.ts';
import type { Sample, Source } from './cells.ts';
import { METRICS, type MetricDefinition, STATE_CODES } from './metrics.ts';
import { MAX_NAMES } from './names.ts';

/** Asked whenever the page is made, and at no other time. */
export type GaugeReaders = {
  /** Epoch ms. */
  readonly now: () => number;
  readonly inFlight: () => number;
  /** Bytes. */
  readonly buffered: () => number;
  /** Of the configuration in force: its words become labels. */
  readonly scopes: () => readonly ScopeEntry[];
  readonly violations: () => number;
  /** What waits to be written to the store. Null: it keeps everything at once. */
  readonly backlog: () => LedgerBacklog | null;
  /** Lines of the log that nobody got. */
  readonly droppedLines: () => number;
  /** Members that no event took; absent: nobody counts them. */
  readonly droppedMembers?: () => number;
  /** Spans that nobody got; null or absent: none are sent. */
  readonly lostSpans?: () => number | null;
};

export type Gauges = {
  readonly sources: readonly Source[];
  /** Before each page: what several gauges tell of is then read once for all of them, so that they agree. */
  readonly turnPage: () => void;
};

export function createGauges(readers: GaugeReaders, version: string): Gauges {
  const { inFlight, buffered, violations } = readers;
  const now = oncePerPage(readers.now);
  const scopes = oncePerPage(readers.scopes);
  const backlog = oncePerPage(readers.backlog);
  const sources: readonly Source[] = [
    single(METRICS.inFlight, inFlight),
    single(METRICS.buffered, buffered),
    { definition: METRICS.scopeState, read: () => samplesOf(scopes.read(), ({ state }) => STATE_CODES[state]) },
    {
      definition: METRICS.scopeHold,
      read: () => samplesOf(scopes.read(), (entry) => secondsLeft(entry, now.read())),
    },
    single(METRICS.violations, violations),
    ...ledgerGauges(backlog.read),
    single(METRICS.logDropped, readers.droppedLines),
    { definition: METRICS.membersDropped, read: () => countOf(readers.droppedMembers?.() ?? null) },
    { definition: METRICS.spansLost, read: () => countOf(readers.lostSpans?.() ?? null) },
    { definition: METRICS.buildInfo, read: () => [{ labels: { version }, value: 1 }] },
  ];
  return {
    sources,
    turnPage() {
      for (const one of [now, scopes, backlog]) one.forget();
    },
  };
}

type Kept<T> = { readonly read: () => T; readonly forget: () => void };

/** Some readers go to the disk, or over all scopes. */
function oncePerPage<T>(read: () => T): Kept<T> {
  let kept: { readonly value: T } | null = null;
  return {
    read() {
      kept ??= { value: read() };
      return kept.value;
    },
    forget() {
      kept = null;
    },
  };
}

/** Nothing where the store has no backlog. */
function ledgerGauges(backlog: GaugeReaders['backlog']): readonly Source[] {
  const gauge = (definition: MetricDefinition, read: (state: LedgerBacklog) => readonly Sample[]): Source => ({
    definition,
    read() {
      const state = backlog();
      return state === null ? [] : read(state);
    },
  });
  const one = (value: number): readonly Sample[] => [{ labels: {}, value }];
  return [
    gauge(METRICS.ledgerQueue, ({ facts }) => one(facts)),
    gauge(METRICS.ledgerJournal, ({ journalBytes }) => one(journalBytes)),
    gauge(METRICS.ledgerFailures, ({ failures }) =>
      Object.entries(failures).map(([part, value]) => ({ labels: { part }, value })),
    ),
    gauge(METRICS.ledgerWritten, ({ writtenAt }) => (writtenAt === null ? [] : one(writtenAt / 1000))),
    gauge(METRICS.ledgerTrouble, ({ isTroubled }) => one(isTroubled ? 1 : 0)),
  ];
}

const single = (definition: MetricDefinition, read: () => number): Source => ({
  definition,
  read: () => [{ labels: {}, value: read() }],
});

const countOf = (value: number | null): readonly Sample[] => (value === null ? [] : [{ labels: {}, value }]);

/** The first thousand scopes of each kind. */
function samplesOf(entries: readonly ScopeEntry[], measure: (entry: ScopeEntry) => number): readonly Sample[] {
  const left = { route: MAX_NAMES, credential: MAX_NAMES, endpoint: MAX_NAMES };
  return entries
    .filter(({ kind }) => left[kind]-- > 0)
    .map((entry) => ({ labels: { scope: entry.kind, id: entry.id }, value: measure(entry) }));
}

/** A slow scope may be used at once: it only stands behind the others. */
const secondsLeft = ({ state, until }: ScopeEntry, now: number): number =>
  until === null || state === 'slow' ? 0 : Math.max(0, Math.round(until - now) / 1000);
