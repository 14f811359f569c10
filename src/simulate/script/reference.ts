import type { JsonSchema } from '../../config/json-schema.ts';
import { keyTable } from '../../config/reference.ts';
import { scriptJsonSchemaText } from './json-schema.ts';
import { NAMED_BEHAVIOURS } from './named-behaviours.ts';

/** The parts of the page on scripts that come out of data, by the names of their places. */
export function scriptSections(): Readonly<Record<string, string>> {
  const { properties = {} } = JSON.parse(scriptJsonSchemaText()) as JsonSchema;
  const rows = (name: string): JsonSchema => properties[name]?.items ?? {};
  const lists = ['asks', 'providers', 'accounts', 'acts', 'stores'];
  const { does = {}, ...provider } = rows('providers').properties ?? {};
  const words = Object.entries(NAMED_BEHAVIOURS).map(([name, { means }]) => `| \`${name}\` | ${means} |`);
  return {
    script: keyTable(
      {
        properties: Object.fromEntries(
          Object.entries(properties).map(([name, node]) => [name, shallow(node, lists.includes(name))]),
        ),
      },
      '',
    ),
    asks: keyTable(rows('asks'), ''),
    providers: keyTable({ properties: provider }, ''),
    does: keyTable(does, ''),
    behaviours: ['| word | what |', '|---|---|', ...words].join('\n'),
    accounts: keyTable(rows('accounts'), ''),
    acts: keyTable(rows('acts'), ''),
    stores: keyTable(rows('stores'), ''),
  };
}

/** Without what it is made of, which has a table of its own. */
const shallow = ({ items, ...node }: JsonSchema, isList: boolean): JsonSchema =>
  isList || items === undefined ? node : { ...node, items };
