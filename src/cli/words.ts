import type { Terminal } from './terminal.ts';

type Style = Parameters<Terminal['paint']>[0];

const GOOD = ['ok', 'ready'];
const FAIR = [
  'ok_truncated',
  'ok_filtered',
  'refused',
  'slow',
  'half_open',
  'client_closed',
  'hedge_lost',
  'stale_socket',
];
const ASIDE = ['disabled', 'rejected', 'abandoned'];
/** Of routes that a round has not asked. */
const UNASKED = ['unreached', 'postponed'];

/** The colour of an outcome or a state. */
export function styleOf(word: string | null): Style {
  if (word === null || word.startsWith('skipped_') || UNASKED.includes(word)) return 'dim';
  if (GOOD.includes(word)) return 'green';
  if (FAIR.includes(word)) return 'yellow';
  return ASIDE.includes(word) ? 'magenta' : 'red';
}

/** 840 ms, 1.2 s, 3 m 05 s. */
export function formatDuration(ms: number | null): string {
  if (ms === null) return '–';
  if (ms < 1000) return `${Math.round(ms)} ms`;
  if (ms < 60_000) return `${(ms / 1000).toFixed(1)} s`;
  const seconds = Math.round(ms / 1000);
  if (seconds < 3600) return `${Math.floor(seconds / 60)} m ${String(seconds % 60).padStart(2, '0')} s`;
  return `${Math.floor(seconds / 3600)} h ${String(Math.floor((seconds % 3600) / 60)).padStart(2, '0')} m`;
}

/** The time of day of an instant, on this machine. */
export function formatClock(iso: string): string {
  const at = new Date(iso);
  const parts = [at.getHours(), at.getMinutes(), at.getSeconds()];
  return parts.map((part) => String(part).padStart(2, '0')).join(':');
}

/** How long until an instant, or – where there is nothing to wait for. */
export const formatUntil = (iso: string | null, now: number): string =>
  iso === null ? '–' : `in ${formatDuration(Math.max(0, Date.parse(iso) - now))}`;

export const countOf = (n: number, word: string): string => `${n} ${word}${n === 1 ? '' : 's'}`;

const KINDS: Readonly<Record<string, string>> = { probe: 'probe', count: 'token count', compact: 'compaction' };

/** What a request asked for beside an answer; null: an answer, or nothing that an older gateway tells. */
export const kindWords = ({ kind }: { readonly kind?: string }): string | null => KINDS[kind ?? ''] ?? null;
