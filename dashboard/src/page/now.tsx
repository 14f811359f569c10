import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { type ReactNode, useState } from 'react';
import type { LiveRequest, OverviewView } from '../../../src/management/contract.ts';
import { failuresQuery, overviewQuery, targetsQuery, WINDOWS, type Window } from '../api/queries.ts';
import { Badge } from '../part/badge.tsx';
import { Card, Empty } from '../part/card.tsx';
import { Choice } from '../part/choice.tsx';
import { FirstFailover } from '../part/first-failover.tsx';
import { outNow } from '../part/group-scopes.ts';
import { LINK } from '../part/link.ts';
import { PageHead } from '../part/page-head.tsx';
import { QueryState } from '../part/query-state.tsx';
import { SeriesChart } from '../part/series-chart.tsx';
import { Stat } from '../part/stat.tsx';
import { Ago, BackIn } from '../part/time.tsx';
import { type Told, tellAffected, tellBlame, tellBroken } from '../part/verdict.ts';
import { count, counted, outcomeWord, share, stateTone, stateWord, TONE_TEXT } from '../part/words.ts';

/** What is broken, who is affected, and is it us? */
export function NowPage() {
  const [window, setWindow] = useState<Window>('5m');
  const query = useQuery(overviewQuery(window));
  return (
    <QueryState query={query}>
      {(overview) => (
        <>
          <PageHead title={headline(overview)} what={subline(overview)}>
            <Choice label="Window" value={window} options={WINDOWS} onChange={setWindow} />
          </PageHead>
          {overview.requests.total === 0 && overview.under_way.count === 0 ? (
            <div className="space-y-4">
              <FirstFailover />
              <OutNow />
            </div>
          ) : (
            <div className="space-y-4">
              <Verdict overview={overview} window={window} />
              <Numbers overview={overview} />
              <div className="grid gap-4 lg:grid-cols-[2fr_1fr]">
                <Traffic overview={overview} />
                <UnderWay overview={overview} />
              </div>
              <div className="grid items-start gap-4 lg:grid-cols-2">
                <Trouble overview={overview} />
                <OutNow />
              </div>
            </div>
          )}
        </>
      )}
    </QueryState>
  );
}

/** The page's one sentence: what on-call has to know. */
function headline({ requests, unseen_failures: unseen }: OverviewView): string {
  if (requests.failed > 0) {
    return `${count(requests.failed)} of ${count(requests.ok + requests.failed)} requests failed`;
  }
  if (unseen > 0) return `${count(unseen)} ${unseen === 1 ? 'failure' : 'failures'}, and no client saw one`;
  return requests.total === 0 ? 'Nobody asks right now' : 'All is well';
}

function subline({ requests, unseen_failures: unseen }: OverviewView): string {
  if (requests.failed > 0 && unseen > 0)
    return `${count(unseen)} more ${unseen === 1 ? 'failure was' : 'failures were'} caught before a client saw ${unseen === 1 ? 'it' : 'them'}.`;
  if (requests.failed > 0) return 'Their clients got an error, or an answer that broke off.';
  if (unseen > 0) return 'Another target answered each time.';
  return requests.total === 0
    ? 'Requests show here as they come.'
    : 'Every request was answered by the first target that was asked.';
}

function Verdict({ overview, window }: { readonly overview: OverviewView; readonly window: Window }) {
  const { data } = useQuery(failuresQuery(window));
  const { failed } = overview.requests;
  const broken = tellBroken(overview);
  const affected = tellAffected(failed, data?.rows ?? []);
  const blame = tellBlame(failed, data?.requests ?? []);
  return (
    <section
      aria-label="At a glance"
      className="grid overflow-hidden rounded-lg border border-line bg-line gap-px md:grid-cols-3"
    >
      <Answer question="What is broken?" told={broken}>
        {broken.tone === 'bad' && (
          <Link to="/requests" search={{ target: broken.answer }} className={LINK}>
            Its requests
          </Link>
        )}
      </Answer>
      <Answer question="Who is affected?" told={affected}>
        {affected.models.map((model) => (
          <Link key={model} to="/requests" search={{ model }} className={`${LINK} mr-3 inline-block font-mono`}>
            {model}
          </Link>
        ))}
      </Answer>
      <Answer question="Is it us?" told={blame} />
    </section>
  );
}

type AnswerProps = { readonly question: string; readonly told: Told; readonly children?: ReactNode };

function Answer({ question, told: { tone, answer, more }, children }: AnswerProps) {
  return (
    <div className="min-w-0 bg-card p-4">
      <h2 className="text-xs text-muted">{question}</h2>
      <p className={`mt-1 truncate text-base font-semibold ${TONE_TEXT[tone]}`} title={answer}>
        {answer}
      </p>
      <p className="mt-1 text-xs text-muted">
        {more} {children}
      </p>
    </div>
  );
}

function Numbers({ overview }: { readonly overview: OverviewView }) {
  const { requests, unseen_failures: unseen, attempts } = overview;
  const judged = requests.ok + requests.failed;
  const asides = [
    ...(requests.rejected > 0 ? [`${count(requests.rejected)} more turned away before any send`] : []),
    ...(requests.left > 0 ? [`${count(requests.left)} left by their client`] : []),
  ];
  return (
    <dl className="grid grid-cols-2 gap-3 lg:grid-cols-4">
      <Stat
        name="Answered"
        value={share(requests.ok, judged)}
        tone={requests.failed === 0 ? 'good' : requests.failed * 20 > judged ? 'bad' : 'warn'}
      >
        {share(requests.first_ok, judged)} without failover
      </Stat>
      <Stat name="Failures clients saw" value={count(requests.failed)} tone={requests.failed > 0 ? 'bad' : 'quiet'}>
        {asides.length === 0 ? 'errors, and answers that broke off' : asides.join(', ')}
      </Stat>
      <Stat name="Failures nobody saw" value={count(unseen)} tone={unseen > 0 ? 'good' : 'quiet'}>
        {count(requests.saved)} {requests.saved === 1 ? 'request' : 'requests'} rescued
      </Stat>
      <Stat name="Requests" value={count(requests.total)}>
        {count(attempts.total)} sends, {count(attempts.failed)} failed
      </Stat>
    </dl>
  );
}

function Traffic({ overview: { series } }: { readonly overview: OverviewView }) {
  return (
    <Card title="Traffic">
      <SeriesChart
        label="Requests over time: answered at once, rescued by failover, failed"
        times={series.map(({ at }) => new Date(at).getTime() / 1000)}
        parts={[
          { label: 'answered at once', color: 'good', values: series.map(({ ok, saved }) => ok - saved) },
          { label: 'rescued by failover', color: 'info', values: series.map(({ saved }) => saved) },
          { label: 'failed', color: 'bad', values: series.map(({ failed }) => failed) },
        ]}
      />
    </Card>
  );
}

function Trouble({ overview: { targets } }: { readonly overview: OverviewView }) {
  const failing = targets.filter(({ failed }) => failed > 0);
  return (
    <Card title="Who fails" flush>
      {failing.length === 0 ? (
        <Empty title="No send has failed.">
          Failed sends are counted here by target, whether a client saw them or not.
        </Empty>
      ) : (
        <ul className="divide-y divide-line">
          {failing.map(({ target, attempts, failed, outcomes }) => (
            <li key={target} className="px-4 py-2.5">
              <div className="flex items-baseline justify-between gap-3">
                <Link to="/requests" search={{ target }} className={`min-w-0 truncate font-mono text-[0.8rem] ${LINK}`}>
                  {target}
                </Link>
                <span className="shrink-0 text-xs text-muted tabular-nums">
                  {count(failed)} of {count(attempts)} sends
                </span>
              </div>
              <div className="mt-1.5 flex flex-wrap gap-1.5">
                {outcomes.map((one) => (
                  <Badge key={one.outcome} tone="bad">
                    {outcomeWord(one.outcome)} <span className="tabular-nums">×{count(one.count)}</span>
                  </Badge>
                ))}
              </div>
            </li>
          ))}
        </ul>
      )}
    </Card>
  );
}

function OutNow() {
  const query = useQuery(targetsQuery);
  return (
    <Card title="Out of service now" flush>
      <QueryState query={query}>
        {({ data }) => {
          const out = outNow(data);
          if (out.length === 0)
            return <Empty title="Every route is ready.">What is held, and until when, shows here.</Empty>;
          return (
            <ul className="divide-y divide-line">
              {out.map(({ scope: { kind, id, state, reason, until }, behind }) => (
                <li
                  key={`${kind} ${id}`}
                  className="grid grid-cols-[1fr_auto] items-center gap-x-3 gap-y-1 px-4 py-2.5"
                >
                  <Link
                    to="/targets"
                    hash={id}
                    className={`min-w-0 truncate font-mono text-[0.8rem] ${LINK}`}
                    title={id}
                  >
                    {id}
                  </Link>
                  <span className="justify-self-end">
                    <Badge tone={stateTone(state)}>{stateWord(state)}</Badge>
                  </span>
                  <span className="min-w-0 text-xs break-words text-muted">
                    {behind > 0 && `The ${kind === 'endpoint' ? 'host' : 'key'} of ${counted(behind, 'route')}. `}
                    {reason}
                  </span>
                  <span className="text-right text-xs text-muted">{until !== null && <BackIn until={until} />}</span>
                </li>
              ))}
            </ul>
          );
        }}
      </QueryState>
    </Card>
  );
}

const SHOWN = 5;

function UnderWay({ overview: { under_way: underWay } }: { readonly overview: OverviewView }) {
  return (
    <Card
      title="Under way"
      aside={<span className="text-sm font-semibold tabular-nums">{count(underWay.count)}</span>}
      flush
    >
      {underWay.requests.length === 0 ? (
        <Empty title="Nobody waits.">Requests that are being answered show here.</Empty>
      ) : (
        <ul className="divide-y divide-line">
          {underWay.requests.slice(0, SHOWN).map((request) => (
            <LiveRow key={request.id} request={request} />
          ))}
          {underWay.count > SHOWN && (
            <li className="px-4 py-2 text-xs text-muted">and {count(underWay.count - SHOWN)} more</li>
          )}
        </ul>
      )}
    </Card>
  );
}

function LiveRow({
  request: { id, model, target, attempts, started_at: startedAt },
}: {
  readonly request: LiveRequest;
}) {
  return (
    <li className="grid grid-cols-[1fr_auto] gap-x-3 px-4 py-2">
      <Link to="/requests/$id" params={{ id }} className={`min-w-0 truncate ${LINK}`}>
        {model ?? 'unknown model'}
      </Link>
      <span className="text-xs text-muted">
        <Ago at={startedAt} />
      </span>
      <span className="col-span-2 truncate text-xs text-muted">
        {attempts === 1 ? 'asks' : `attempt ${attempts}: asks`} <span className="font-mono">{target}</span>
      </span>
    </li>
  );
}
