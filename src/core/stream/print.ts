import { COMMIT_TABLE } from './commit-table.ts';
import { PHASES } from './phase.ts';
import { INPUTS, TRANSITIONS } from './transitions.ts';

/** The commit table as Markdown. */
export function printCommitTable(): string {
  const rows = COMMIT_TABLE.map((row) => `| ${row.title} | ${row.before} |`);
  return ['| event | before commit |', '|---|---|', ...rows].join('\n');
}

/** The transition table as Markdown: a row an input, a column a phase; `→` names the phase that follows, if another. */
export function printTransitionTable(): string {
  const cell = (phase: (typeof PHASES)[number], input: (typeof INPUTS)[number]): string => {
    const { to, effects } = TRANSITIONS[phase][input];
    return [effects.join(', ') || '–', to === phase ? '' : ` → **${to}**`].join('');
  };
  const rows = INPUTS.map((input) => `| \`${input}\` | ${PHASES.map((phase) => cell(phase, input)).join(' | ')} |`);
  return [`| input | ${PHASES.join(' | ')} |`, `|---|${PHASES.map(() => '---').join('|')}|`, ...rows].join('\n');
}
