/** One line of a page of metrics. */
export type Series = {
  readonly name: string;
  readonly labels: Readonly<Record<string, string>>;
  readonly value: number;
};

export type ReadPage = { readonly series: readonly Series[]; readonly problems: readonly string[] };

type Family = { readonly name: string; help: boolean; type: string | null; readonly series: Series[] };

const NAME = /^[a-zA-Z_:][a-zA-Z0-9_:]*$/;
const LABEL = /^[a-zA-Z_][a-zA-Z0-9_]*$/;
const VALUE = /^(?:[+-]?\d+(?:\.\d+)?(?:[eE][+-]?\d+)?|[+-]?Inf|NaN)$/i;
const TYPES = ['counter', 'gauge', 'histogram', 'summary', 'untyped'];

/**
 * Reads Prometheus's text format as strictly as its own tools do, and says what they would find wrong. Families of which
 * `isOwn` is true are also held to the rules for names.
 */
export function readExposition(page: string, isOwn: (name: string) => boolean = () => true): ReadPage {
  const problems: string[] = [];
  const families = new Map<string, Family>();
  let current: Family | null = null;
  const open = (name: string): Family => {
    const known = families.get(name);
    if (known !== undefined && known !== current) problems.push(`${name}: its lines stand in two places`);
    const family = known ?? { name, help: false, type: null, series: [] };
    families.set(name, family);
    return family;
  };
  if (!page.endsWith('\n')) problems.push('the last line has no end');
  for (const line of page.split('\n')) {
    if (line === '') continue;
    if (line.startsWith('#')) {
      const [, kind = '', name = '', text = ''] = /^# (HELP|TYPE) (\S+) (.*)$/.exec(line) ?? [];
      if (kind === '') continue;
      current = open(name);
      problems.push(...takeComment(current, kind, text));
      continue;
    }
    const series = readSeries(line);
    if (typeof series === 'string') {
      problems.push(`${series}: ${line}`);
      continue;
    }
    const owner = familyOf(series.name, current);
    if (owner === null) problems.push(`${series.name}: no TYPE before it`);
    else owner.series.push(series);
  }
  for (const family of families.values()) problems.push(...judge(family), ...(isOwn(family.name) ? style(family) : []));
  return { series: [...families.values()].flatMap((family) => family.series), problems };
}

function takeComment(family: Family, kind: string, text: string): string[] {
  if (family.series.length > 0) return [`${family.name}: ${kind} behind its lines`];
  if (kind === 'HELP') {
    if (family.help) return [`${family.name}: a second HELP`];
    family.help = true;
    return text.trim() === '' ? [`${family.name}: an empty HELP`] : [];
  }
  if (family.type !== null) return [`${family.name}: a second TYPE`];
  family.type = text;
  return TYPES.includes(text) ? [] : [`${family.name}: no type is called ${text}`];
}

/** The series of a line, or what is wrong with it. */
function readSeries(line: string): Series | string {
  const match = /^([^\s{]+)(?:\{(.*)\})? (\S+)$/.exec(line);
  if (match === null) return 'no series';
  const [, name = '', body = '', value = ''] = match;
  if (!NAME.test(name)) return 'no name';
  if (!VALUE.test(value)) return 'no value';
  const labels = readLabels(body);
  return typeof labels === 'string' ? labels : { name, labels, value: Number(value.replace(/Inf$/i, 'Infinity')) };
}

function readLabels(body: string): Record<string, string> | string {
  const labels: Record<string, string> = {};
  let rest = body;
  while (rest !== '') {
    const match = /^([^=]+)="((?:[^"\\\n]|\\["\\n])*)"(,|$)/.exec(rest);
    if (match === null) return 'no labels';
    const [all, name = '', value = ''] = match;
    if (!LABEL.test(name) || name.startsWith('__')) return `no label is called ${name}`;
    if (Object.hasOwn(labels, name)) return `the label ${name} stands twice`;
    labels[name] = value.replace(/\\(.)/g, (_, char: string) => (char === 'n' ? '\n' : char));
    rest = rest.slice(all.length);
  }
  return labels;
}

function familyOf(name: string, current: Family | null): Family | null {
  if (current === null) return null;
  const suffixes = current.type === 'histogram' ? ['_bucket', '_sum', '_count'] : [''];
  return suffixes.some((suffix) => name === current.name + suffix) ? current : null;
}

const keyOf = (labels: Readonly<Record<string, string>>): string =>
  JSON.stringify(Object.entries(labels).sort(([a], [b]) => (a < b ? -1 : 1)));

function judge({ name, type, help, series }: Family): string[] {
  const problems: string[] = [];
  if (!help) problems.push(`${name}: no HELP`);
  if (type === null) problems.push(`${name}: no TYPE`);
  const seen = new Set<string>();
  for (const { name: own, labels, value } of series) {
    const key = own + keyOf(labels);
    if (seen.has(key)) problems.push(`${name}: twice ${key}`);
    seen.add(key);
    if (type === 'counter' && !(value >= 0)) problems.push(`${name}: a counter below 0`);
  }
  return type === 'histogram' ? [...problems, ...judgeHistogram(name, series)] : problems;
}

function judgeHistogram(name: string, series: readonly Series[]): string[] {
  const groups = new Map<string, { le: number[]; counts: number[]; sum: number | null; count: number | null }>();
  for (const { name: own, labels, value } of series) {
    const { le, ...rest } = labels;
    const key = keyOf(rest);
    const group = groups.get(key) ?? { le: [], counts: [], sum: null, count: null };
    groups.set(key, group);
    if (own.endsWith('_sum')) group.sum = value;
    else if (own.endsWith('_count')) group.count = value;
    else {
      group.le.push(le === '+Inf' ? Number.POSITIVE_INFINITY : Number(le));
      group.counts.push(value);
    }
  }
  return [...groups].flatMap(([key, { le, counts, sum, count }]) => {
    const isAscending = (list: readonly number[], strictly: boolean) =>
      list.every((value, i) => i === 0 || (strictly ? value > (list[i - 1] ?? 0) : value >= (list[i - 1] ?? 0)));
    const rules: readonly (readonly [boolean, string])[] = [
      [isAscending(le, true), 'bounds that do not rise'],
      [isAscending(counts, false), 'buckets that fall'],
      [le.at(-1) === Number.POSITIVE_INFINITY, 'no bucket for all'],
      [count !== null && counts.at(-1) === count, 'a count that is not that of the last bucket'],
      [sum !== null, 'no sum'],
    ];
    return rules.filter(([isRight]) => !isRight).map(([, problem]) => `${name} ${key}: ${problem}`);
  });
}

/** What promtool's linter says of names. */
function style({ name, type }: Family): string[] {
  const rules: readonly (readonly [boolean, string])[] = [
    [(type === 'counter') === name.endsWith('_total'), '"_total" belongs to counters, and to all of them'],
    [!/_(bucket|sum|count)$/.test(name), 'a name that ends like a part of a histogram'],
    [
      !/(milli|micro|nano)?(ms|millis|minutes|hours|kilobytes|megabytes)(_|$)/.test(name),
      'a unit that is no base unit',
    ],
    [!/[A-Z]/.test(name), 'capitals'],
    [type === null || !name.includes(`_${type}`), 'its type in its name'],
  ];
  return rules.filter(([isRight]) => !isRight).map(([, problem]) => `${name}: ${problem}`);
}
