import { foreignWords } from '../app/command-words.ts';
import type { CandidateView } from '../management/contract.ts';
import { wrapLines } from './table.ts';
import type { Terminal } from './terminal.ts';
import { countOf } from './words.ts';

type Folded = { readonly shown: readonly CandidateView[]; readonly foreign: readonly CandidateView[] };

/**
 * Apart: routes of another protocol that nothing is translated for (`translate: never`). They are no news: each model that
 * serves several protocols so has some. Without `folds` nothing is put apart.
 */
export function foldForeign(candidates: readonly CandidateView[], folds: boolean): Folded {
  const isForeign = ({ outcome, lacks }: CandidateView): boolean =>
    outcome === 'skipped_capability' && lacks.every((lack) => lack === 'protocol') && lacks.length > 0;
  if (!folds) return { shown: candidates, foreign: [] };
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

const isOfProtocol = (lack: string): boolean => lack === 'protocol' || lack === 'translation';

/** What to do where no route speaks the protocol that was asked in; nothing where one does. */
export function renderRemedy(
  terminal: Terminal,
  candidates: readonly CandidateView[],
  asked: Parameters<typeof foreignWords>[0] & { readonly missing: readonly string[] },
): readonly string[] {
  if (candidates.length === 0 || !candidates.every(({ lacks }) => lacks.some(isOfProtocol))) return [];
  const spoken = candidates.map(({ protocol }) => protocol);
  return [wrapLines(terminal, foreignWords(asked, spoken, asked.missing))];
}
