import { OUTCOMES } from '../failure/outcome.ts';
import { type Field, sayField } from './field.ts';
import { AT, definitionOf, EVENT_NAMES } from './schema.ts';
import { HEALTH_CAUSES } from './words.ts';

/** The tables of the page of events in Markdown: one for what all have, one for each. */
export function printEvents(): string {
  const all = [
    ['`event`', 'one of the names below', 'what happened'],
    ['`v`', '`1`', 'version of the event'],
    row(['at', AT]),
  ];
  return [
    table(all),
    ...EVENT_NAMES.flatMap((name) => {
      const { about, fields } = definitionOf(name);
      return [`### ${name}`, about, table(Object.entries(fields).map(row))];
    }),
  ].join('\n\n');
}

const OUTCOME_WORDS = 'an [outcome word](errors.md#outcome-words)';

/** Lists that have a page of their own. */
function say(field: Field): string {
  if (field.type !== 'word') return sayField(field);
  if (field.words === OUTCOMES) return OUTCOME_WORDS;
  return field.words === HEALTH_CAUSES ? `${OUTCOME_WORDS}, or \`operator\`` : sayField(field);
}

const row = ([name, field]: readonly [string, Field]): readonly string[] => [`\`${name}\``, say(field), field.about];

const table = (rows: readonly (readonly string[])[]): string =>
  ['| member | value | meaning |', '|---|---|---|', ...rows.map((cells) => `| ${cells.join(' | ')} |`)].join('\n');
