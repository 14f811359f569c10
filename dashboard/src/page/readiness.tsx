import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { useEffect, useRef, useState } from 'react';
import type { ReadinessModel, ReadinessRoute, ReadinessView } from '../../../src/management/contract.ts';
import { probeRoutes } from '../api/probe-routes.ts';
import { readinessQuery } from '../api/queries.ts';
import { Badge } from '../part/badge.tsx';
import { Button } from '../part/button.tsx';
import { Card, Empty } from '../part/card.tsx';
import { PageHead } from '../part/page-head.tsx';
import { afterStep, NO_PROBES, type ProbeProgress } from '../part/probe-progress.ts';
import { QueryState } from '../part/query-state.tsx';
import { Stat } from '../part/stat.tsx';
import { Countdown } from '../part/time.tsx';
import {
  count,
  duration,
  outcomeWord,
  reasonWords,
  routeName,
  stateTone,
  stateWord,
  wholeSeconds,
} from '../part/words.ts';

/** Which routes serve, by what was last seen of each. */
export function ReadinessPage() {
  const query = useQuery(readinessQuery);
  const client = useQueryClient();
  const [progress, setProgress] = useState<ProbeProgress | null>(null);
  const stop = useRef<AbortController | null>(null);
  useEffect(() => () => stop.current?.abort(), []);
  const probe = useMutation({
    mutationFn: () => {
      const controller = new AbortController();
      stop.current = controller;
      setProgress(NO_PROBES);
      return probeRoutes((event) => setProgress((old) => afterStep(old ?? NO_PROBES, event)), controller.signal);
    },
    onSuccess: (report) => client.setQueryData(readinessQuery.queryKey, report),
  });
  return (
    <QueryState query={query}>
      {({ models, providers }) => (
        <>
          <PageHead title={headline(models)} what="What was last seen of each route, before a client has to find out.">
            <Button look="main" disabled={probe.isPending} onClick={() => probe.mutate()}>
              {probe.isPending ? 'Probing …' : 'Probe now'}
            </Button>
          </PageHead>
          {probe.error !== null && (
            <p role="alert" className="mb-4 rounded-md bg-bad-soft px-4 py-3 text-bad">
              {probe.error.message}
            </p>
          )}
          <div className="space-y-4">
            {progress === null ? (
              <p className="text-xs text-muted">
                A probe is the smallest request there is: one for each route, paid for like any other.
              </p>
            ) : (
              <Progress progress={progress} isOver={!probe.isPending} />
            )}
            {models.length === 0 ? (
              <Card>
                <Empty title="No model is configured.">Readiness is told for each model of the configuration.</Empty>
              </Card>
            ) : (
              <Sums models={models} />
            )}
            {models.map((model) => (
              <ModelCard key={model.model} model={model} />
            ))}
            <Providers providers={providers} />
          </div>
        </>
      )}
    </QueryState>
  );
}

function headline(models: readonly ReadinessModel[]): string {
  if (models.length === 0) return 'Readiness';
  const without = models.filter(
    ({ ready, slow, unreached, candidates }) => candidates > 0 && ready + slow + unreached === 0,
  );
  const known = models.filter(({ ready, slow }) => ready + slow > 0).length;
  if (without.length > 0)
    return `${without[0]?.model ?? ''}${without.length > 1 ? ` and ${without.length - 1} more` : ''}: nobody can serve`;
  return known === models.length
    ? 'Every model has somebody who serves'
    : `${count(known)} of ${count(models.length)} models are known to serve`;
}

function Progress({ progress, isOver }: { readonly progress: ProbeProgress; readonly isOver: boolean }) {
  const { candidates, ended, running, discovered } = progress;
  const states = [...new Set(ended.map(({ state }) => state))].map(
    (state) => [state, ended.filter((probe) => probe.state === state).length] as const,
  );
  return (
    <Card title={isOver ? `Probed: ${count(ended.length)}` : 'Probing'}>
      <div role="status" className="space-y-3">
        <progress
          aria-label="Probes that have ended"
          value={isOver ? 1 : ended.length}
          max={isOver ? 1 : Math.max(candidates, ended.length + running.length, 1)}
          className="h-1.5 w-full appearance-none overflow-hidden rounded-full bg-sunken [&::-moz-progress-bar]:bg-good [&::-webkit-progress-bar]:bg-sunken [&::-webkit-progress-value]:bg-good"
        />
        <p className="flex flex-wrap items-center gap-1.5">
          {states.length === 0 && (
            <span className="text-muted">{isOver ? 'Nothing had to be asked.' : 'Who is there to ask?'}</span>
          )}
          {states.map(([state, of]) => (
            <Badge key={state} tone={stateTone(state)}>
              {count(of)} {stateWord(state)}
            </Badge>
          ))}
          {running.length > 0 && <Badge tone="info">{count(running.length)} asked</Badge>}
        </p>
        {discovered.length > 0 && <p className="text-xs text-muted">{discovered.join(', ')}</p>}
        <ul className="grid gap-x-6 gap-y-1 text-xs md:grid-cols-2">
          {ended
            .toReversed()
            .slice(0, LAST)
            .map(({ route, state, ms }) => (
              <li key={route} className="flex items-center justify-between gap-3">
                <span className="min-w-0 truncate font-mono">{route}</span>
                <span className="whitespace-nowrap text-muted tabular-nums">
                  {stateWord(state)}, {duration(ms)}
                </span>
              </li>
            ))}
        </ul>
      </div>
    </Card>
  );
}

const LAST = 8;
const COUNTS = ['ready', 'slow', 'deferred', 'rejected', 'unreached', 'postponed'] as const;

const MEANT: Readonly<Record<(typeof COUNTS)[number], string>> = {
  ready: 'answered in time',
  slow: 'answered, too slowly',
  deferred: 'on hold, comes back',
  rejected: 'not before a change',
  unreached: 'nothing is known',
  postponed: 'left for the next round',
};

function Sums({ models }: { readonly models: readonly ReadinessModel[] }) {
  return (
    <dl className="grid grid-cols-3 gap-3 lg:grid-cols-6">
      {COUNTS.map((state) => {
        const sum = models.reduce((total, model) => total + model[state], 0);
        return (
          <Stat key={state} name={state} value={count(sum)} tone={sum === 0 ? 'quiet' : stateTone(state)}>
            {MEANT[state]}
          </Stat>
        );
      })}
    </dl>
  );
}

function ModelCard({ model }: { readonly model: ReadinessModel }) {
  const told = COUNTS.filter((state) => model[state] > 0);
  return (
    <Card
      title={model.model}
      aside={
        <span className="flex flex-wrap gap-1.5">
          {told.map((state) => (
            <Badge key={state} tone={stateTone(state)}>
              {model[state]} {state}
            </Badge>
          ))}
        </span>
      }
      flush
    >
      {model.warnings.length > 0 && (
        <p className="border-b border-line px-4 py-2 text-xs text-warn">
          <span aria-hidden="true">▲ </span>
          {model.warnings.join('; ')}
        </p>
      )}
      {model.routes.length === 0 ? (
        <Empty title="It has no route yet.">Its provider has not listed a model that it takes.</Empty>
      ) : (
        <ul className="divide-y divide-line">
          {model.routes.map((route) => (
            <Route key={route.route} route={route} />
          ))}
        </ul>
      )}
    </Card>
  );
}

function Route({ route }: { readonly route: ReadinessRoute }) {
  return (
    <li className="grid grid-cols-[1fr_auto] items-center gap-x-4 gap-y-1 px-4 py-2 md:grid-cols-[minmax(0,22rem)_7rem_1fr_6rem]">
      <span className="min-w-0 truncate font-mono text-[0.8rem]" title={route.route}>
        {routeName(`${route.provider}/${route.model}`, route.credential)}
        {route.tier > 0 && <span className="text-muted"> tier {route.tier}</span>}
      </span>
      <span>
        <Badge tone={stateTone(route.state)}>{stateWord(route.state)}</Badge>
      </span>
      <span className="min-w-0 text-xs text-muted">
        {route.reason !== null && reasonWords(route.reason)}
        {route.http_status !== undefined && ` (${route.http_status})`}
        {route.next_check_at !== null && (
          <>
            {route.reason !== null && ', '}next check in <Countdown until={route.next_check_at} />
          </>
        )}
        {route.state === 'ready' && route.age_ms !== null && `seen ${wholeSeconds(route.age_ms)} ago`}
      </span>
      <span className="text-right text-xs text-muted tabular-nums">
        {route.latency_ms === undefined ? '' : duration(route.latency_ms)}
      </span>
    </li>
  );
}

function Providers({ providers }: { readonly providers: ReadinessView['providers'] }) {
  const asked = providers.filter(({ discovered, error }) => discovered !== null || error !== undefined);
  if (asked.length === 0) return null;
  return (
    <Card title="Models that providers list" flush>
      <ul className="divide-y divide-line">
        {asked.map(({ provider, discovered, error }) => (
          <li key={provider} className="flex justify-between gap-4 px-4 py-2">
            <span className="font-mono text-[0.8rem]">{provider}</span>
            {error === undefined ? (
              <span className="text-muted tabular-nums">{discovered}</span>
            ) : (
              <Badge tone="bad">{outcomeWord(error)}</Badge>
            )}
          </li>
        ))}
      </ul>
    </Card>
  );
}
