import type { RequestLedger } from '../../core/attempt/ledger.ts';
import type { Outcome } from '../../core/failure/outcome.ts';

/**
 * Which requests keep the plans behind their choices: those that did not go smoothly, all, or those and a few others.
 */
export type ExplainPolicy = 'failures' | 'all' | 'sample';

/** One smooth request in so many. */
const SAMPLE_EVERY = 100;

const SMOOTH: ReadonlySet<Outcome> = new Set(['ok', 'ok_truncated', 'ok_filtered']);

/** Whether the plans of a request are to be kept, as far as can be told now; once true it stays true. */
export function isExplained(ledger: RequestLedger, policy: ExplainPolicy): boolean {
  if (policy === 'all') return true;
  const { attempts, ended } = ledger;
  if (attempts.length > 1 || attempts.some(({ outcome }) => outcome !== null && !SMOOTH.has(outcome))) return true;
  if (ended !== null && !SMOOTH.has(ended.outcome)) return true;
  return policy === 'sample' && hash(ledger.id) % SAMPLE_EVERY === 0;
}

/** FNV-1a: the same requests are in the sample whoever asks. */
function hash(text: string): number {
  let value = 0x811c9dc5;
  for (let index = 0; index < text.length; index++) {
    value = Math.imul(value ^ text.charCodeAt(index), 0x01000193);
  }
  return value >>> 0;
}
