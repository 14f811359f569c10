import { useQuery } from '@tanstack/react-query';
import { Link, useParams } from '@tanstack/react-router';
import type { ReactNode } from 'react';
import type { AttemptView, CandidateView, ExplanationView, RequestView } from '../../../src/management/contract.ts';
import { explanationQuery, requestQuery } from '../api/queries.ts';
import { Badge } from '../part/badge.tsx';
import { Card, Empty } from '../part/card.tsx';
import { LINK } from '../part/link.ts';
import { PageHead } from '../part/page-head.tsx';
import { QueryState } from '../part/query-state.tsx';
import { Ago, At, Until } from '../part/time.tsx';
import { useNow } from '../part/use-now.ts';
import { Waterfall } from '../part/waterfall.tsx';
import {
  count,
  duration,
  isOk,
  known,
  outcomeTone,
  outcomeWord,
  reasonWords,
  routeName,
  stateTone,
  stateWord,
  TONE_TEXT,
} from '../part/words.ts';

/** One request: what the client saw, who was tried, and why in this order. */
export function RequestPage() {
  const { id } = useParams({ from: '/requests/$id' });
  const request = useQuery(requestQuery(id));
  const explanation = useQuery(explanationQuery(id));
  return (
    <QueryState query={request}>
      {(found) => (
        <>
          <p className="mb-2 text-xs">
            <Link to="/requests" className={`${LINK} text-muted`}>
              Requests
            </Link>
          </p>
          <PageHead title={headline(found)} what={<span className="font-mono text-xs break-all">{found.id}</span>}>
            <Badge tone={outcomeTone(found.outcome)}>{outcomeWord(found.outcome)}</Badge>
          </PageHead>
          <div className="space-y-4">
            <Facts request={found} />
            <Card title="Who was asked">
              {found.attempts.length === 0 ? (
                <Empty title="Nobody was asked.">{found.reason ?? 'It ended before a target could be tried.'}</Empty>
              ) : (
                <Sends request={found} />
              )}
            </Card>
            <Skipped request={found} />
            <Card title="Why in this order" flush>
              <QueryState query={explanation}>
                {(told) => <Explanation explanation={told} attempts={found.attempts} />}
              </QueryState>
            </Card>
          </div>
        </>
      )}
    </QueryState>
  );
}

/** The answer to "what happened?" in a sentence. */
function headline({ outcome, attempts, served_by: servedBy }: RequestView): string {
  const failed = attempts.filter((attempt) => attempt.outcome !== null && !isOk(attempt.outcome)).length;
  if (outcome === null) return 'Under way';
  if (outcome === 'client_closed') return 'The client left';
  if (!isOk(outcome)) return servedBy === null ? 'Nobody answered' : `${servedBy} broke off`;
  if (failed === 0) return `${servedBy ?? 'The gateway'} answered at once`;
  return `${servedBy ?? 'The gateway'} answered, after ${failed} ${failed === 1 ? 'failure' : 'failures'} that the client never saw`;
}

function Sends({ request }: { readonly request: RequestView }) {
  const now = useNow();
  const wholeMs = request.duration_ms ?? now - new Date(request.started_at).getTime();
  return <Waterfall attempts={request.attempts} boundMs={request.committed_at_ms} wholeMs={wholeMs} />;
}

/** What the client saw, in its own terms. */
function saw({ outcome, status, reason }: RequestView): string {
  if (outcome === null) return status === null ? 'It waits.' : `${status}, and the answer as it comes.`;
  if (isOk(outcome)) return `${status ?? 'No status'}: the whole answer.`;
  if (outcome === 'client_closed')
    return status === null ? 'Nothing: it left before.' : `${status}, and left before the end.`;
  const what =
    status === null ? 'No answer' : status < 300 ? `${status}, then an error in the stream` : `An error: ${status}`;
  const why = reason === null || reason === outcome ? '' : `: ${reasonWords(reason)}`;
  return `${what} (${outcomeWord(outcome)}${why}).`;
}

/** Whose fault it was, by the record. */
const COMPONENTS: Readonly<Record<NonNullable<RequestView['component']>, string>> = {
  client: 'the client’s request',
  gateway: 'the gateway',
  credential: 'a key at its provider',
  target: 'the provider’s model',
  endpoint: 'the provider’s host',
  policy: 'a policy of the provider',
  deadline: 'a limit of time',
};

function Facts({ request }: { readonly request: RequestView }) {
  const { usage, component } = request;
  const lost = request.attempts.filter((attempt) => !attempt.committed && attempt.usage !== null);
  const lostTokens = lost.reduce(
    (sum, { usage: used }) => sum + (used?.input_tokens ?? 0) + (used?.output_tokens ?? 0),
    0,
  );
  const facts: readonly (readonly [string, ReactNode])[] = [
    ['When', <Ago key="at" at={request.started_at} />],
    ['Took', request.duration_ms === null ? 'under way' : duration(request.duration_ms)],
    [
      'Model',
      request.asked === null || request.asked === request.model
        ? request.model
        : `${request.model} (asked: ${request.asked})`,
    ],
    ['Protocol', `${request.protocol}${request.stream ? ', stream' : ''}`],
    ['Tokens', usage === null ? 'unknown' : `${known(usage.input_tokens)} in, ${known(usage.output_tokens)} out`],
    ['Used by failed sends', lost.length === 0 ? 'nothing was told' : `${count(lostTokens)} tokens`],
    ['Client key', request.key ?? 'none'],
    ['Whose fault', component === null ? '–' : COMPONENTS[component]],
    ...(request.edits.length === 0
      ? []
      : [['Changed on the way', request.edits.join(', ').replaceAll('_', ' ')] as const]),
  ];
  return (
    <Card flush>
      <div className="border-b border-line px-4 py-3">
        <h2 className="text-xs text-muted">What the client saw</h2>
        <p
          className={`mt-0.5 font-medium break-words ${TONE_TEXT[isOk(request.outcome) ? 'quiet' : outcomeTone(request.outcome)]}`}
        >
          {saw(request)}
        </p>
      </div>
      <dl className="grid grid-cols-2 gap-x-6 gap-y-3 p-4 md:grid-cols-4">
        {facts.map(([name, value]) => (
          <div key={name} className="min-w-0">
            <dt className="text-xs text-muted">{name}</dt>
            <dd className="mt-0.5 break-words">{value ?? '–'}</dd>
          </div>
        ))}
      </dl>
    </Card>
  );
}

/** Who stood in line and was not asked. */
function Skipped({ request: { skipped } }: { readonly request: RequestView }) {
  if (skipped.length === 0) return null;
  return (
    <Card title="Who was passed over" flush>
      <ul className="divide-y divide-line">
        {skipped.map(({ target, outcome, until }) => (
          <li key={`${target} ${outcome}`} className="flex flex-wrap items-center gap-x-4 gap-y-1 px-4 py-2">
            <span className="min-w-0 flex-1 truncate font-mono text-[0.8rem]">{target}</span>
            <Badge tone="quiet">{outcomeWord(outcome)}</Badge>
            {until !== null && (
              <span className="text-xs text-muted">
                <Until until={until} />
              </span>
            )}
          </li>
        ))}
      </ul>
    </Card>
  );
}

type ExplanationProps = { readonly explanation: ExplanationView; readonly attempts: readonly AttemptView[] };

function Explanation({ explanation: { plans, message }, attempts }: ExplanationProps) {
  if (plans.length === 0) return <Empty title="No plan is on record.">{message ?? 'It may still come.'}</Empty>;
  return (
    <div className="divide-y divide-line">
      {plans.map((plan, index) => (
        <section key={`${plan.attempt} ${plan.at_ms}`}>
          <h3 className="bg-sunken px-4 py-1.5 text-xs text-muted">
            {index === 0 ? 'At first' : `Again, before attempt ${plan.attempt ?? index + 1}`}, at {duration(plan.at_ms)}
          </h3>
          <ol className="divide-y divide-line">
            {plan.candidates.map((candidate) => (
              <Candidate
                key={candidate.route}
                candidate={candidate}
                isAsked={attempts.some(
                  ({ n, target, credential }) =>
                    n < (plan.attempt ?? 0) && `${target}#${credential}` === candidate.route,
                )}
              />
            ))}
          </ol>
        </section>
      ))}
    </div>
  );
}

type CandidateProps = { readonly candidate: CandidateView; readonly isAsked: boolean };

function Candidate({ candidate, isAsked }: CandidateProps) {
  const { rank, route, target, credential, availability, reason, tier, outcome } = candidate;
  return (
    <li className="grid grid-cols-[2rem_1fr_auto] items-center gap-x-2 gap-y-1 px-4 py-2 md:grid-cols-[2rem_20rem_7rem_1fr]">
      <span className="text-muted tabular-nums">{rank ?? '–'}</span>
      <Link to="/targets" hash={route} className={`min-w-0 truncate font-mono text-[0.8rem] ${LINK}`} title={route}>
        {routeName(target, credential)}
        {tier > 0 && <span className="text-muted"> tier {tier}</span>}
      </Link>
      <span className="justify-self-start">
        <Badge tone={stateTone(availability.state)}>{stateWord(availability.state)}</Badge>
      </span>
      <span className="min-w-0 text-muted max-md:col-span-2 max-md:col-start-2 max-md:text-xs">
        {outcome !== null && <span className="text-ink">skipped: </span>}
        {isAsked && <span className="text-ink">asked already. </span>}
        {reason !== availability.state && reasonWords(reason, availability.until !== null)}
        {availability.until !== null && (
          <>
            {' '}
            (until <At at={availability.until} />)
          </>
        )}
      </span>
    </li>
  );
}
