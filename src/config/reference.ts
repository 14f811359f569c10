import { MODEL_PRESETS } from './defaults.ts';
import { createJsonSchema, type JsonSchema, unavailableNote } from './json-schema.ts';
import type { PresetData } from './preset-data.ts';
import { UNAVAILABLE } from './unavailable.ts';
import { DURATION_PATTERN, SHARE_PATTERN, SIZE_PATTERN } from './units.ts';

/**
 * The parts of the documentation that come out of data, by the name of their place: a page has
 * `<!-- generated: NAME -->` and `<!-- end: NAME -->` around each.
 */
export function referenceSections(presets: readonly PresetData[]): Readonly<Record<string, string>> {
  const schema = createJsonSchema();
  const properties = schema.properties ?? {};
  const section = (name: string): string => keyTable(properties[name] ?? {}, name);
  const settings = memberNames(properties['providers']).filter(
    (key) => memberNames(properties['modelDefaults']).includes(key) && key !== 'preset',
  );
  return {
    server: section('server'),
    network: section('network'),
    auth: section('auth'),
    providers: keyTable(properties['providers'] ?? {}, 'providers', settings),
    models: keyTable(properties['models'] ?? {}, 'models', settings, settings),
    settings: keyTable(pick(properties['modelDefaults'] ?? {}, settings), ''),
    health: section('health'),
    readiness: section('readiness'),
    responses: section('responses'),
    store: section('store'),
    shared: section('shared'),
    telemetry: section('telemetry'),
    unavailable: unavailableTable(),
    'model-presets': modelPresetTable(),
    presets: presetTable(presets),
  };
}

/** Puts sections into a page. What stands between the marks is replaced; a mark without a section is an error. */
export function fillSections(page: string, sections: Readonly<Record<string, string>>): string {
  return page.replace(/<!-- generated: ([a-z-]+) -->\n[\s\S]*?<!-- end: \1 -->/g, (_, name: string) => {
    const text = sections[name];
    if (text === undefined) throw new Error(`no section is named "${name}"`);
    return `<!-- generated: ${name} -->\n${text}\n<!-- end: ${name} -->`;
  });
}

type Row = { readonly key: string; readonly value: string; readonly fallback: string; readonly text: string };

export function keyTable(
  schema: JsonSchema,
  name: string,
  leaveOut: readonly string[] = [],
  leaveOutInLists = leaveOut,
): string {
  const rows = collectRows(schema, name, { leaveOut, leaveOutInLists });
  const body = rows.map(({ key, value, fallback, text }) => `| \`${key}\` | ${value} | ${fallback} | ${text} |`);
  return ['| key | value | default | what |', '|---|---|---|---|', ...body].join('\n');
}

type Leaving = { readonly leaveOut: readonly string[]; readonly leaveOutInLists: readonly string[] };

function collectRows(node: JsonSchema, path: string, leaving: Leaving): Row[] {
  const isListItem = path.endsWith('[]');
  return branches(node).flatMap((branch) => {
    const own = isListItem ? leaving.leaveOutInLists : leaving.leaveOut;
    const members = Object.entries(branch.properties ?? {})
      .filter(([key]) => !own.includes(key))
      .flatMap(([key, member]) => {
        const at = path === '' ? key : `${path}.${key}`;
        return [rowOf(member, at), ...collectRows(member, at, leaving)];
      });
    const named =
      typeof branch.additionalProperties === 'object'
        ? collectRows(branch.additionalProperties, `${path}.*`, leaving)
        : [];
    const items = branch.items ? collectRows(branch.items, `${path}[]`, leaving) : [];
    return [...members, ...named, ...items];
  });
}

const branches = (node: JsonSchema): readonly JsonSchema[] => [node, ...(node.anyOf ?? [])];

function rowOf(node: JsonSchema, key: string): Row {
  const fallback = node.default === undefined ? '' : `\`${JSON.stringify(node.default).replace(/^"|"$/g, '')}\``;
  return {
    key,
    value: valueWords(node),
    fallback: fallback === '``' ? 'empty' : fallback,
    text: cell(node.description ?? ''),
  };
}

const PATTERN_WORDS: readonly (readonly [string, string])[] = [
  [DURATION_PATTERN, 'duration'],
  [SIZE_PATTERN, 'size'],
  [`${SIZE_PATTERN}|${SHARE_PATTERN}`, 'size or share'],
];

function valueWords(node: JsonSchema): string {
  if (node.anyOf !== undefined) {
    const words = node.anyOf.filter((branch) => branch.pattern !== '\\$\\{').map(valueWords);
    return [...new Set(words)].join(' or ');
  }
  if (node.enum !== undefined) return node.enum.map((word) => `\`${String(word)}\``).join(', ');
  const named = PATTERN_WORDS.find(([pattern]) => pattern === node.pattern);
  if (named !== undefined) return named[1];
  if (node.type === 'integer' || node.type === 'number') return `${node.type}${rangeWords(node)}`;
  return TYPE_WORDS[node.type ?? ''] ?? 'any';
}

/** A bound that is missing is not told. */
function rangeWords({ minimum, maximum }: JsonSchema): string {
  if (minimum === undefined) return maximum === undefined ? '' : ` up to ${maximum}`;
  return maximum === undefined ? ` from ${minimum}` : ` ${minimum}–${maximum}`;
}

const TYPE_WORDS: Readonly<Record<string, string>> = { string: 'text', array: 'list', object: 'map' };

const cell = (text: string): string => text.replaceAll('|', '\\|').replaceAll('\n', ' ');

/** Names of the keys of a section, or of each entry of a map of names. */
function memberNames(node: JsonSchema | undefined): string[] {
  if (node === undefined) return [];
  const entry = typeof node.additionalProperties === 'object' ? node.additionalProperties : node;
  return Object.keys(entry.properties ?? {});
}

function pick(node: JsonSchema, keys: readonly string[]): JsonSchema {
  return {
    properties: Object.fromEntries(Object.entries(node.properties ?? {}).filter(([key]) => keys.includes(key))),
  };
}

function unavailableTable(): string {
  const rows = UNAVAILABLE.map((row) => {
    const keys = row.at.map((pattern) => `\`${pattern.replaceAll('.[]', '[]')}\``).join(', ');
    return `| ${keys} | ${row.feature} | ${unavailableNote(row)} |`;
  });
  return ['| key | feature | now |', '|---|---|---|', ...rows].join('\n');
}

function presetTable(presets: readonly PresetData[]): string {
  const rows = presets.map(({ name, title, baseUrl, keyVariable, models, capabilities, accountWideLimit }) => {
    const known = Object.entries(capabilities).map(([key, value]) => `\`${key}: ${String(value)}\``);
    const notes = [...known, ...(accountWideLimit ? ['one limit per account'] : [])].join(', ');
    const model = models[0] === undefined ? '' : `\`${models[0]}\``;
    return `| \`${name}\` | ${title} | ${baseUrl ?? ''} | ${keyVariable === null ? '' : `\`${keyVariable}\``} | ${model} | ${notes} |`;
  });
  return [
    '| preset | vendor | base URL | key | model without configuration | known |',
    '|---|---|---|---|---|---|',
    ...rows,
  ].join('\n');
}

function modelPresetTable(): string {
  const rows = Object.entries(MODEL_PRESETS).map(([name, { settings, oneAttemptPerTarget }]) => {
    const set = [...leaves(settings, ''), ...(oneAttemptPerTarget ? ['`retry.maxAttempts`: number of targets'] : [])];
    return `| \`${name}\` | ${set.length === 0 ? 'the built-in defaults' : set.join(', ')} |`;
  });
  return ['| preset | sets |', '|---|---|', ...rows].join('\n');
}

/** Durations are milliseconds here; everything else is as it is written. */
function leaves(value: unknown, path: string): string[] {
  if (value !== null && typeof value === 'object') {
    return Object.entries(value).flatMap(([key, member]) => leaves(member, path === '' ? key : `${path}.${key}`));
  }
  const isDuration = typeof value === 'number' && value >= 1000;
  return [`\`${path}: ${isDuration ? `${value / 1000}s` : String(value)}\``];
}
