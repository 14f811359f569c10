import { COMMIT_TABLE } from './commit-table.ts';
import { PHASES, type Phase } from './phase.ts';
import { INPUTS, type Input, type Step, TRANSITIONS } from './transitions.ts';

/** The commit table as Markdown. */
export function printCommitTable(): string {
  const rows = COMMIT_TABLE.map((row) => `| ${row.title} | ${row.before} |`);
  return ['| event | before commit |', '|---|---|', ...rows].join('\n');
}

const printStep = ({ to, effects }: Step, phase: Phase): string =>
  [effects.join(', ') || '–', to === phase ? '' : ` → **${to}**`].join('');

/**
 * The transition table as Markdown: a row an input, a column a phase; `→` names the phase that follows, if another; a
 * step that stands under a condition only comes first.
 */
export function printTransitionTable(): string {
  const cell = (phase: Phase, input: Input): string => {
    const usual = TRANSITIONS[phase][input];
    const instead = usual.instead.map((step) => `*${step.when}*: ${printStep(step, phase)}`);
    return [...instead, instead.length > 0 ? `*else*: ${printStep(usual, phase)}` : printStep(usual, phase)].join('; ');
  };
  const rows = INPUTS.map((input) => `| \`${input}\` | ${PHASES.map((phase) => cell(phase, input)).join(' | ')} |`);
  return [`| input | ${PHASES.join(' | ')} |`, `|---|${PHASES.map(() => '---').join('|')}|`, ...rows].join('\n');
}
