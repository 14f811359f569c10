import { Interpolated } from './interpolate.ts';
import type { Finding, Path } from './problem.ts';

/**
 * Keys of the schema whose feature this version does not have. They are refused by name, never accepted and ignored; a
 * value that says "off" is fine. A version that gains a feature deletes its row.
 */
export type UnavailableRow = {
  /** Keys from the root; `*` is any name, `[]` any place in a list. */
  readonly at: readonly string[];
  /** In words, for the message and the reference. */
  readonly feature: string;
  /** Values that say "off", as text; empty text, lists and maps are `''`. Absent: no value is accepted. */
  readonly accept?: readonly string[];
  /** Only these values are refused. */
  readonly refuse?: readonly string[];
  /** Harmless while this key beside it says "off". */
  readonly unless?: { readonly key: string; readonly value: string };
  /** What to do instead. */
  readonly hint?: string;
  /** Of the rows of one group only the first that matches is told. */
  readonly group?: string;
};

const SETTINGS = ['modelDefaults', 'providers.*', 'models.*', 'models.*.targets.[]'] as const;
const settings = (key: string): readonly string[] => SETTINGS.map((owner) => `${owner}.${key}`);

const LATER_PROTOCOLS = ['bedrock-converse'] as const;
const LATER_STRATEGIES = ['least-latency', 'least-busy', 'lowest-cost'] as const;

export const UNAVAILABLE: readonly UnavailableRow[] = [
  { at: ['server.workers'], feature: 'more than one process', accept: ['1'], hint: 'remove the key, or set it to 1' },
  {
    at: ['network.proxy'],
    feature: 'a proxy towards providers',
    accept: [''],
    hint: 'remove the key, or leave it empty',
  },
  {
    at: ['network.noProxy'],
    feature: 'a proxy towards providers',
    accept: [''],
    hint: 'remove the key, or leave it empty',
  },
  {
    at: ['network.ca'],
    feature: 'certificate authorities of your own',
    accept: [''],
    hint: 'NODE_EXTRA_CA_CERTS names a file of them',
  },
  { at: ['auth.keys.[].rpm'], feature: 'a limit of requests per key', hint: 'remove the key' },
  { at: ['auth.keys.[].tpm'], feature: 'a limit of tokens per key', hint: 'remove the key' },
  { at: ['auth.keys.[].budget'], feature: 'a budget per key', hint: 'remove the key' },
  {
    at: ['providers.*.protocol'],
    feature: 'this protocol',
    refuse: LATER_PROTOCOLS,
    hint: 'use one of openai-chat, openai-responses, anthropic-messages, gemini',
  },
  {
    at: ['providers.*.preset'],
    feature: 'this preset',
    refuse: ['bedrock'],
    hint: 'reach its models through a provider that speaks openai-chat, such as openrouter',
  },
  {
    at: ['models.*.strategy', 'modelDefaults.strategy'],
    feature: 'this strategy',
    refuse: LATER_STRATEGIES,
    hint: 'use failover, round-robin or weighted',
  },
  {
    at: settings('midStream'),
    feature: 'continuation by another target',
    refuse: ['continue'],
    hint: 'remove the key, or set it to error',
  },
  { at: settings('hedge'), feature: 'hedging', accept: ['off'], hint: 'remove the key, or set it to off' },
  {
    at: ['responses.store'],
    feature: 'a store of responses on disk',
    refuse: ['disk'],
    hint: 'remove the key, or set it to memory or off',
  },
  {
    at: ['store.kind'],
    feature: 'a ledger in Postgres',
    refuse: ['postgres'],
    hint: 'remove the key, or set it to sqlite',
    group: 'store',
  },
  { at: ['store.url'], feature: 'a ledger in Postgres', hint: 'remove the key', group: 'store' },
  {
    at: ['shared.kind'],
    feature: 'sharing between instances',
    accept: ['none'],
    hint: 'remove the section',
    group: 'shared',
  },
  { at: ['shared.url'], feature: 'sharing between instances', hint: 'remove the key', group: 'shared' },
];

/** Refuses what this version can't do, by the table. */
export function findUnavailable(tree: unknown, rows: readonly UnavailableRow[] = UNAVAILABLE): Finding[] {
  const told = new Set<string>();
  const findings: Finding[] = [];
  for (const row of rows) {
    for (const match of row.at.flatMap((pattern) => matches(tree, pattern.split('.')))) {
      if (!isRefused(row, match) || (row.group !== undefined && told.has(row.group))) continue;
      if (row.group !== undefined) told.add(row.group);
      const message = `${row.feature} is not available in this version`;
      const atKey = row.accept === undefined && row.refuse === undefined;
      findings.push({ path: match.path, message, hint: row.hint ?? null, atKey });
    }
  }
  return findings;
}

type Match = { readonly path: Path; readonly value: unknown; readonly parent: unknown };

function isRefused(row: UnavailableRow, match: Match): boolean {
  if (match.value === null) return false;
  const word = wordOf(match.value);
  if (row.refuse !== undefined) return word !== null && row.refuse.includes(word);
  if (row.accept !== undefined && word !== null && row.accept.includes(word)) return false;
  if (row.unless === undefined) return true;
  return wordOf(memberOf(match.parent, row.unless.key)) !== row.unless.value;
}

/** A value as the table's columns write it; null for a map or list that holds something. */
function wordOf(value: unknown): string | null {
  if (value instanceof Interpolated) return value.secret.reveal();
  if (Array.isArray(value)) return value.length === 0 ? '' : null;
  if (value !== null && typeof value === 'object') return Object.keys(value).length === 0 ? '' : null;
  return String(value);
}

function matches(tree: unknown, steps: readonly string[]): Match[] {
  let found: Match[] = [{ path: [], value: tree, parent: null }];
  for (const step of steps) found = found.flatMap((match) => children(match, step));
  return found;
}

function children({ path, value }: Match, step: string): Match[] {
  if (step === '[]') {
    const items = Array.isArray(value) ? value : [];
    return items.map((item, index) => ({ path: [...path, index], value: item, parent: value }));
  }
  if (value === null || typeof value !== 'object' || Array.isArray(value) || value instanceof Interpolated) return [];
  const keys = step === '*' ? Object.keys(value) : [step];
  return keys
    .filter((key) => Object.hasOwn(value, key))
    .map((key) => ({ path: [...path, key], value: memberOf(value, key), parent: value }));
}

const memberOf = (value: unknown, key: string): unknown =>
  value !== null && typeof value === 'object' && Object.hasOwn(value, key) ? Reflect.get(value, key) : undefined;
