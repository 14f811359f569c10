import { useQuery } from '@tanstack/react-query';
import { Link, useSearch } from '@tanstack/react-router';
import { Pause, Play } from 'lucide-react';
import { useState } from 'react';
import type { RequestView } from '../../../src/management/contract.ts';
import { type RequestFilter, requestsQuery } from '../api/queries.ts';
import { Badge } from '../part/badge.tsx';
import { Button } from '../part/button.tsx';
import { Card, Empty } from '../part/card.tsx';
import { LINK } from '../part/link.ts';
import { PageHead } from '../part/page-head.tsx';
import { QueryState } from '../part/query-state.tsx';
import { RequestFilters } from '../part/request-filters.tsx';
import { SendMarks } from '../part/send-marks.tsx';
import { Ago } from '../part/time.tsx';
import { count, duration, isOk, outcomeTone, outcomeWord } from '../part/words.ts';

/** The last requests, newest first, as they come in. */
export function RequestsPage() {
  const filter = useSearch({ from: '/requests' });
  const [isOn, setOn] = useState(true);
  const isNewest = filter.cursor === undefined;
  const query = useQuery(requestsQuery(filter, isOn && isNewest));
  return (
    <>
      <PageHead title="Requests" what="What clients asked, who was tried, and what they got. Newest first.">
        {isNewest && (
          <Button onClick={() => setOn(!isOn)}>
            {isOn ? <Pause size={14} aria-hidden="true" /> : <Play size={14} aria-hidden="true" />}
            {isOn ? 'Pause' : 'Go on live'}
          </Button>
        )}
      </PageHead>
      <RequestFilters filter={filter} />
      <Card flush>
        <QueryState query={query}>
          {({ data, next }) => (
            <>
              <div aria-busy={query.isPlaceholderData} className="aria-busy:opacity-60">
                {data.length === 0 ? <NoRequests filter={filter} /> : <RequestTable requests={data} />}
              </div>
              <Pager filter={filter} next={next} />
            </>
          )}
        </QueryState>
      </Card>
    </>
  );
}

const COLUMNS = [
  'When',
  'Model',
  'What the client got',
  'Who was asked',
  'Served by',
  'Time',
  'Tokens in',
  'out',
] as const;
const IN_NUMBERS: readonly string[] = ['Time', 'Tokens in', 'out'];

function RequestTable({ requests }: { readonly requests: readonly RequestView[] }) {
  return (
    <>
      <table className="w-full table-fixed text-left max-lg:hidden">
        <colgroup>
          <col className="w-30" />
          <col />
          <col className="w-60" />
          <col className="w-36" />
          <col />
          <col className="w-24" />
          <col className="w-24" />
          <col className="w-20" />
        </colgroup>
        <thead className="text-xs text-muted">
          <tr className="border-b border-line">
            {COLUMNS.map((name) => (
              <th
                key={name}
                scope="col"
                className={`px-4 py-2 font-medium ${IN_NUMBERS.includes(name) ? 'text-right' : ''}`}
              >
                {name}
              </th>
            ))}
          </tr>
        </thead>
        <tbody className="divide-y divide-line">
          {requests.map((request) => (
            <RequestRow key={request.id} request={request} />
          ))}
        </tbody>
      </table>
      <ul className="divide-y divide-line lg:hidden">
        {requests.map((request) => (
          <RequestItem key={request.id} request={request} />
        ))}
      </ul>
    </>
  );
}

const rescued = ({ outcome, attempts }: RequestView): number =>
  isOk(outcome) ? attempts.filter((attempt) => attempt.outcome !== null && !isOk(attempt.outcome)).length : 0;

function Got({ request }: { readonly request: RequestView }) {
  return (
    <span className="flex flex-wrap gap-1">
      <Badge tone={outcomeTone(request.outcome)}>{outcomeWord(request.outcome)}</Badge>
      {rescued(request) > 0 && <Badge tone="info">rescued</Badge>}
    </span>
  );
}

const tokens = (value: number | null | undefined): string => (value == null ? '–' : count(value));

function RequestRow({ request }: { readonly request: RequestView }) {
  const { id, model, served_by: servedBy, started_at: startedAt, duration_ms: ms, usage } = request;
  return (
    <tr className="hover:bg-sunken [&>td]:px-4 [&>td]:py-2">
      <td>
        <Link to="/requests/$id" params={{ id }} className={LINK}>
          <Ago at={startedAt} />
        </Link>
      </td>
      <td className="truncate" title={model ?? ''}>
        {model ?? <span className="text-muted">unknown</span>}
      </td>
      <td>
        <Got request={request} />
      </td>
      <td>
        <SendMarks attempts={request.attempts} />
      </td>
      <td className="truncate font-mono text-[0.8rem]" title={servedBy ?? ''}>
        {servedBy ?? '–'}
      </td>
      <td className="text-right whitespace-nowrap tabular-nums text-muted">{ms === null ? '–' : duration(ms)}</td>
      <td className="text-right tabular-nums text-muted">{tokens(usage?.input_tokens)}</td>
      <td className="text-right tabular-nums text-muted">{tokens(usage?.output_tokens)}</td>
    </tr>
  );
}

/** The same where there is little room. */
function RequestItem({ request }: { readonly request: RequestView }) {
  const { id, model, served_by: servedBy, started_at: startedAt, duration_ms: ms } = request;
  return (
    <li className="relative grid grid-cols-[1fr_auto] items-center gap-x-3 gap-y-1.5 px-4 py-2.5">
      <Link to="/requests/$id" params={{ id }} className="min-w-0 truncate font-medium after:absolute after:inset-0">
        {model ?? 'unknown model'}
      </Link>
      <span className="text-right text-xs text-muted">
        <Ago at={startedAt} />
      </span>
      <Got request={request} />
      <span className="justify-self-end">
        <SendMarks attempts={request.attempts} />
      </span>
      <span className="min-w-0 truncate font-mono text-xs text-muted">{servedBy ?? 'nobody answered'}</span>
      <span className="text-right text-xs text-muted tabular-nums">{ms === null ? 'under way' : duration(ms)}</span>
    </li>
  );
}

function NoRequests({ filter }: { readonly filter: RequestFilter }) {
  const isFiltered = Object.values(filter).some((value) => value !== undefined);
  if (isFiltered) return <Empty title="No request is like this.">Take a filter away to see more.</Empty>;
  return (
    <Empty title="Nobody has asked yet.">
      <p>
        Send a request in the{' '}
        <Link to="/playground" className={LINK}>
          playground
        </Link>
        , or from a terminal:
      </p>
      <pre className="mt-3 rounded bg-sunken p-3 text-left font-mono text-xs break-all whitespace-pre-wrap">
        {`curl ${location.origin}/v1/chat/completions -H 'content-type: application/json' -d '{"model":"main","messages":[{"role":"user","content":"Hello"}]}'`}
      </pre>
    </Empty>
  );
}

function Pager({ filter, next }: { readonly filter: RequestFilter; readonly next: string | null }) {
  if (next === null && filter.cursor === undefined) return null;
  return (
    <nav aria-label="Pages of the list" className="flex justify-between border-t border-line px-4 py-3">
      {filter.cursor === undefined ? (
        <span />
      ) : (
        <Link to="/requests" search={(old) => ({ ...old, cursor: undefined })} className={LINK}>
          Newest
        </Link>
      )}
      {next !== null && (
        <Link to="/requests" search={(old) => ({ ...old, cursor: next })} className={LINK}>
          Older
        </Link>
      )}
    </nav>
  );
}
