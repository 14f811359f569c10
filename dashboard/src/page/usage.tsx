import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import type { UsageRow } from '../../../src/management/contract.ts';
import { gatewayNow } from '../api/gateway-clock.ts';
import { usageQuery } from '../api/queries.ts';
import { Card, Empty } from '../part/card.tsx';
import { Choice } from '../part/choice.tsx';
import { PageHead } from '../part/page-head.tsx';
import { QueryState } from '../part/query-state.tsx';
import { Stat } from '../part/stat.tsx';
import { sumUsage, type Wasted, wastedOf } from '../part/usage-sums.ts';
import { count, known, share } from '../part/words.ts';

const BY = ['model', 'target', 'key', 'day'] as const;
type By = (typeof BY)[number];

const DAY_MS = 24 * 60 * 60_000;
const SINCE = { today: 1, 'a week': 7, 'a month': 30 } as const;
type Since = keyof typeof SINCE;

/** Tokens, sends and failures. What failed sends used was paid for, too. */
export function UsagePage() {
  const [by, setBy] = useState<By>('model');
  const [since, setSince] = useState<Since>('a week');
  const query = useQuery(usageQuery(by, sinceOf(since)));
  const whole = useQuery(usageQuery('kind', sinceOf(since)));
  return (
    <>
      <PageHead title="Usage" what="Tokens, sends and failures. What failed sends used was paid for as well.">
        <Choice label="By" value={by} options={BY} onChange={setBy} />
        <Choice label="Since" value={since} options={Object.keys(SINCE) as Since[]} onChange={setSince} />
      </PageHead>
      <div className="space-y-4">
        {whole.data !== undefined && whole.data.data.length > 0 && <Sums rows={whole.data.data} />}
        <Card flush>
          <QueryState query={query}>
            {({ data, left_out: leftOut }) =>
              data.length === 0 ? (
                <Empty title="Nothing was used.">Requests are counted here once they have ended.</Empty>
              ) : (
                <>
                  <UsageTable by={by} rows={data} />
                  {leftOut > 0 && (
                    <p className="border-t border-line px-4 py-2 text-xs text-muted">and {count(leftOut)} more</p>
                  )}
                </>
              )
            }
          </QueryState>
        </Card>
      </div>
    </>
  );
}

/** From the begin of a day (UTC), so that the question stays the same while one looks. */
function sinceOf(since: Since): string {
  const today = Math.floor(gatewayNow() / DAY_MS) * DAY_MS;
  return new Date(today - (SINCE[since] - 1) * DAY_MS).toISOString();
}

function Sums({ rows }: { readonly rows: readonly UsageRow[] }) {
  const sums = sumUsage(rows);
  return (
    <dl className="grid grid-cols-2 gap-3 lg:grid-cols-4">
      <Stat name="Requests" value={count(sums.requests)}>
        {count(sums.failed)} failed ({share(sums.failed, sums.requests)})
      </Stat>
      <Stat name="Tokens in" value={known(sums.input)}>
        of answers that clients got
      </Stat>
      <Stat name="Tokens out" value={known(sums.output)}>
        of answers that clients got
      </Stat>
      <Stat
        name="Used by failed sends"
        value={count(sums.wasted.tokens)}
        tone={sums.wasted.tokens > 0 ? 'warn' : 'quiet'}
      >
        tokens that no client got; {count(sums.wasted.unknown)} of {count(sums.failedAttempts)} failed sends told
        nothing
      </Stat>
    </dl>
  );
}

const COLUMNS: readonly (readonly [name: string, read: (row: UsageRow) => string])[] = [
  ['Requests', ({ requests }) => count(requests)],
  ['Failed', ({ failed }) => count(failed)],
  ['', ({ requests, failed }) => (failed === 0 ? '' : share(failed, requests))],
  ['Sends', ({ attempts }) => count(attempts)],
  ['Failed sends', ({ failed_attempts: failed }) => count(failed)],
  ['Tokens in', ({ usage }) => known(usage.delivered.input_tokens)],
  ['Tokens out', ({ usage }) => known(usage.delivered.output_tokens)],
  ['Used by failed sends', (row) => wastedWords(wastedOf(row))],
];

/** Where nobody told, that is said. */
const wastedWords = ({ tokens, unknown }: Wasted): string => (unknown === 0 || tokens > 0 ? count(tokens) : 'not told');

function UsageTable({ by, rows }: { readonly by: By; readonly rows: readonly UsageRow[] }) {
  return (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls must be reached by keyboard.
    <section aria-label={`Usage by ${by}`} tabIndex={0} className="overflow-x-auto -outline-offset-2">
      <table className="w-full text-left">
        <thead className="text-xs text-muted">
          <tr className="border-b border-line">
            <th scope="col" className="sticky left-0 bg-card px-4 py-2 font-medium capitalize">
              {by}
            </th>
            {COLUMNS.map(([name]) =>
              name === '' ? (
                <td key={name} />
              ) : (
                <th key={name} scope="col" className="px-4 py-2 text-right font-medium whitespace-nowrap">
                  {name}
                </th>
              ),
            )}
          </tr>
        </thead>
        <tbody className="divide-y divide-line">
          {rows.map((row) => (
            <tr key={row[by] ?? ''} className="hover:bg-sunken">
              <th
                scope="row"
                className="sticky left-0 max-w-48 truncate bg-card px-4 py-2 font-mono text-[0.8rem] font-normal"
                title={row[by] ?? ''}
              >
                {row[by] ?? <span className="text-muted">{NONE[by]}</span>}
              </th>
              {COLUMNS.map(([name, read]) => (
                <td
                  key={name}
                  className={`py-2 text-right whitespace-nowrap tabular-nums ${name === '' ? 'pr-4 text-xs text-muted' : 'px-4'}`}
                >
                  {read(row)}
                </td>
              ))}
            </tr>
          ))}
        </tbody>
      </table>
    </section>
  );
}

const NONE: Readonly<Record<By, string>> = { model: 'no model', target: 'nobody', key: 'no key', day: '' };
