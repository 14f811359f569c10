import { HOSTILE_INPUTS } from '../test/fault/hostile-input.ts';

/** What a client may send that no honest one would, and what it gets, as Markdown. */
export function printHostileInputs(): string {
  const rows = HOSTILE_INPUTS.map(({ what, status, code }) => {
    const answer = code === undefined ? 'goes to the provider as it came' : `${status} \`${code}\``;
    return `| ${what.replaceAll('\\', '\\\\')} | ${answer} |`;
  });
  return ['| sent | answer |', '|---|---|', ...rows].join('\n');
}
