import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import type { CountingProvider } from './counting-provider.ts';

type Row = Readonly<Record<string, unknown>>;
/** Attempts by the tag of their request and their number, each with what the record says of its request. */
export type Rows = ReadonlyMap<string, Row>;

/** The whole ledger, and the facts that it refused. */
export function readRows(stateDir: string): Rows {
  const db = new DatabaseSync(join(stateDir, 'ledger.db'), { readOnly: true, timeout: 5_000 });
  const rows = db
    .prepare(
      'SELECT r.client_request_id AS tag, r.outcome AS request_outcome, r.ended_at AS request_ended_at, a.* ' +
        'FROM requests r LEFT JOIN attempts a ON a.request = r.id ORDER BY r.id, a.n',
    )
    .all();
  const refused = db.prepare('SELECT request, fact, law FROM violations').all();
  db.close();
  const found = new Map<string, Row>(rows.map((row) => [`${String(row['tag'])} ${String(row['n'])}`, row]));
  if (found.size !== rows.length) throw new Error('two attempts of one request have one number');
  for (const row of refused) found.set(`refused ${JSON.stringify(row)}`, row);
  return found;
}

type RoundFacts = {
  readonly rows: Rows;
  readonly known: Rows;
  readonly provider: CountingProvider;
  readonly prefix: string;
};

/**
 * What the ledger says of one round's requests, those whose tags have the prefix, against what the provider has seen of
 * them: each has one end, what was ended before is as it was, and every attempt was a send.
 */
export function checkRound({ rows, known, provider, prefix }: RoundFacts) {
  const problems: string[] = [];
  for (const [key, row] of known) {
    if (JSON.stringify(rows.get(key)) !== JSON.stringify(row)) problems.push(`${key} had ended and has changed`);
  }
  for (const key of rows.keys()) if (key.startsWith('refused')) problems.push(`a second end: ${key}`);
  const own = [...rows].filter(([key]) => key.startsWith(prefix)).map(([, row]) => row);
  for (const row of own) {
    const name = `${String(row['tag'])} ${String(row['n'])}`;
    if (row['request_ended_at'] === null) problems.push(`the request of ${name} has no end`);
    if (row['n'] !== null && (row['outcome'] === null || row['ended_at'] === null)) problems.push(`${name} has no end`);
  }
  const attempts = groupByTag(own.filter((row) => row['n'] !== null));
  const sends = new Map([...provider.sends].filter(([tag]) => tag.startsWith(prefix)));
  const unsent = compareSends(attempts, sends, problems);
  const open = own.filter((row) => row['request_outcome'] === 'abandoned').map((row) => row['tag']);
  const count = (counts: Iterable<number>): number => [...counts].reduce((sum, each) => sum + each, 0);
  const total = count([...attempts.values()].map((list) => list.length));
  if (total !== count(sends.values()) + unsent) problems.push(`${total} attempts, ${count(sends.values())} sends`);
  return {
    problems,
    abandoned: new Set(open).size,
    figures: {
      requests: new Set(own.map((row) => row['tag'])).size,
      attempts: total,
      sends: count(sends.values()),
      unsent,
      failovers: total - attempts.size,
    },
  };
}

function groupByTag(rows: readonly Row[]): ReadonlyMap<string, readonly Row[]> {
  const groups = new Map<string, Row[]>();
  for (const row of rows) groups.set(String(row['tag']), [...(groups.get(String(row['tag'])) ?? []), row]);
  return groups;
}

/**
 * Request by request: no send without its attempt, and no attempt without its send but one that was on record and not yet
 * on the wire when the gateway died. Gives the number of those.
 */
function compareSends(
  attempts: ReadonlyMap<string, readonly Row[]>,
  sends: ReadonlyMap<string, number>,
  problems: string[],
): number {
  let unsent = 0;
  for (const tag of new Set([...attempts.keys(), ...sends.keys()])) {
    const recorded = attempts.get(tag) ?? [];
    const surplus = recorded.length - (sends.get(tag) ?? 0);
    const last = recorded.at(-1);
    const wasOnItsWay = surplus === 1 && last?.['outcome'] === 'abandoned' && last['head_at'] === null;
    if (wasOnItsWay) unsent += 1;
    else if (surplus !== 0) {
      const outcomes = recorded.map((row) => String(row['outcome']));
      problems.push(`${tag}: ${recorded.length} attempts (${outcomes.join(', ')}), ${sends.get(tag) ?? 0} sends`);
    }
  }
  return unsent;
}
