import type { CandidateView } from '../management/contract.ts';
import { wrapLines } from './table.ts';
import type { Terminal } from './terminal.ts';
import { countOf } from './words.ts';

type Folded = { readonly shown: readonly CandidateView[]; readonly foreign: readonly CandidateView[] };

/**
 * Apart: routes that were left out for nothing but their protocol, which is not the one that was asked in. They are no
 * news: each model that serves several protocols has some. Null: nothing is put apart.
 */
export function foldForeign(candidates: readonly CandidateView[], asked: string | null): Folded {
  const isForeign = ({ outcome, protocol, reason }: CandidateView): boolean =>
    outcome === 'skipped_capability' &&
    protocol !== asked &&
    reason === `left out: translation from ${asked} to ${protocol} not available`;
  if (asked === null) return { shown: candidates, foreign: [] };
  return { shown: candidates.filter((each) => !isForeign(each)), foreign: candidates.filter(isForeign) };
}

/** One line for all of them; none for none. */
export function renderForeign(terminal: Terminal, foreign: readonly CandidateView[]): readonly string[] {
  if (foreign.length === 0) return [];
  const verb = foreign.length === 1 ? 'speaks' : 'speak';
  const names = [...new Set(foreign.map(({ target }) => target))].join(', ');
  const text = `${countOf(foreign.length, 'route')} ${verb} another protocol: ${names} (--all shows why)`;
  return wrapLines(terminal, text)
    .split('\n')
    .map((line) => terminal.paint('dim', line));
}
