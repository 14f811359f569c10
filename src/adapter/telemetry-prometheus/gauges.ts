import type { ScopeEntry } from '../../core/health/list-scopes.ts';
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
  /** Facts that wait to be written. Absent: the store writes at once. */
  readonly ledgerQueue?: () => number;
  /** Whether the store can't be written to now. Absent: it can't fail. */
  readonly ledgerTrouble?: () => boolean;
};

export function createGauges(readers: GaugeReaders, version: string): readonly Source[] {
  const { now, inFlight, buffered, scopes, violations, ledgerQueue, ledgerTrouble } = readers;
  return [
    single(METRICS.inFlight, inFlight),
    single(METRICS.buffered, buffered),
    { definition: METRICS.scopeState, read: () => samplesOf(scopes(), ({ state }) => STATE_CODES[state]) },
    {
      definition: METRICS.scopeHold,
      read() {
        const at = now();
        return samplesOf(scopes(), (entry) => secondsLeft(entry, at));
      },
    },
    single(METRICS.violations, violations),
    ...(ledgerQueue === undefined ? [] : [single(METRICS.ledgerQueue, ledgerQueue)]),
    ...(ledgerTrouble === undefined ? [] : [single(METRICS.ledgerTrouble, () => (ledgerTrouble() ? 1 : 0))]),
    { definition: METRICS.buildInfo, read: () => [{ labels: { version }, value: 1 }] },
  ];
}

const single = (definition: MetricDefinition, read: () => number): Source => ({
  definition,
  read: () => [{ labels: {}, value: read() }],
});

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
