import { useQuery } from '@tanstack/react-query';
import { useLocation } from '@tanstack/react-router';
import { useEffect, useState } from 'react';
import type { ScopeView } from '../../../src/management/contract.ts';
import { sendsQuery, targetsQuery } from '../api/queries.ts';
import { Badge } from '../part/badge.tsx';
import { Card, Empty } from '../part/card.tsx';
import { Choice } from '../part/choice.tsx';
import { groupScopes, type ProviderGroup, providerOf, type Send, sendsByRoute } from '../part/group-scopes.ts';
import { PageHead } from '../part/page-head.tsx';
import { QueryState } from '../part/query-state.tsx';
import { ScopeActions } from '../part/scope-actions.tsx';
import { SendMarks } from '../part/send-marks.tsx';
import { Ago, At, BackIn } from '../part/time.tsx';
import { count, counted, outcomeWord, routeName, sentence, stateTone, stateWord } from '../part/words.ts';

const MOST_SENDS = 12;
const SHOWN = ['all', 'out of service'] as const;

/** Everything that can be sent to: its state, why, and until when. */
export function TargetsPage() {
  const query = useQuery(targetsQuery);
  const { data: sent } = useQuery(sendsQuery);
  const [shown, setShown] = useState<(typeof SHOWN)[number]>('all');
  const sends = sendsByRoute(sent?.data ?? [], MOST_SENDS);
  return (
    <QueryState query={query}>
      {({ data }) => {
        const seen = shown === 'all' ? data : data.filter(({ state }) => state !== 'ready');
        const endpoints = seen.filter(({ kind }) => kind === 'endpoint');
        return (
          <>
            <PageHead title={headline(data)} what="What can be sent to, what holds it, and until when.">
              <Choice label="Shown" value={shown} options={SHOWN} onChange={setShown} />
            </PageHead>
            <div className="space-y-4">
              {data.length === 0 && (
                <Card>
                  <Empty title="There is no target.">Add a provider and a model to the configuration.</Empty>
                </Card>
              )}
              {data.length > 0 && seen.length === 0 && (
                <Card>
                  <Empty title="Everything can be sent to.">
                    What goes out of service shows here, and for how long.
                  </Empty>
                </Card>
              )}
              {providersOf(seen).map((group) => (
                <Provider key={group.provider} group={group} sends={sends} />
              ))}
              {endpoints.length > 0 && (
                <Card
                  title="Hosts"
                  aside={<Hint>What fails together: one outage takes all that is behind it.</Hint>}
                  flush
                >
                  <ul className="divide-y divide-line">
                    {endpoints.map((scope) => (
                      <Scope key={scope.id} scope={scope} name={scope.id} />
                    ))}
                  </ul>
                </Card>
              )}
            </div>
          </>
        );
      }}
    </QueryState>
  );
}

function headline(scopes: readonly ScopeView[]): string {
  const routes = scopes.filter(({ kind }) => kind === 'route');
  const onTrial = routes.filter(({ state }) => state === 'half_open').length;
  const out = routes.filter(({ state }) => state !== 'ready').length - onTrial;
  const trials = onTrial === 0 ? '' : `, ${count(onTrial)} on trial`;
  if (routes.length === 0) return 'Targets';
  if (out > 0) return `${count(out)} of ${count(routes.length)} routes are out of service${trials}`;
  return trials === '' ? 'Every target is ready' : `Every target is ready${trials}`;
}

/** Providers of routes, and of keys whose routes are not shown. */
function providersOf(scopes: readonly ScopeView[]): readonly ProviderGroup[] {
  const groups = groupScopes(scopes);
  const known = new Set(groups.map(({ provider }) => provider));
  const bare = scopes.filter(({ kind, id }) => kind === 'credential' && !known.has(providerOf(id)));
  const lonely = [...new Set(bare.map(({ id }) => providerOf(id)))].map((provider) => ({
    provider,
    credentials: bare.filter(({ id }) => providerOf(id) === provider),
    targets: [],
  }));
  return [...groups, ...lonely];
}

function Hint({ children }: { readonly children: string }) {
  return <span className="text-xs text-muted">{children}</span>;
}

type ProviderProps = { readonly group: ProviderGroup; readonly sends: ReadonlyMap<string, readonly Send[]> };

function Provider({ group: { provider, credentials, targets }, sends }: ProviderProps) {
  return (
    <Card
      title={provider}
      aside={<Hint>{`${counted(targets.length, 'target')}, ${counted(credentials.length, 'key')}`}</Hint>}
      flush
    >
      {credentials.length > 0 && <Group name="Keys: each has a quota of its own" scopes={credentials} sends={sends} />}
      {targets.length > 0 && (
        <Group
          name="Targets: a model, with the key that it is asked with"
          scopes={targets.flatMap(({ routes }) => routes)}
          sends={sends}
        />
      )}
    </Card>
  );
}

type GroupProps = {
  readonly name: string;
  readonly scopes: readonly ScopeView[];
  readonly sends: ReadonlyMap<string, readonly Send[]>;
};

function Group({ name, scopes, sends }: GroupProps) {
  return (
    <>
      <h3 className="bg-sunken px-4 py-1.5 text-xs text-muted">{name}</h3>
      <ul className="divide-y divide-line">
        {scopes.map((scope) => (
          <Scope key={scope.id} scope={scope} name={nameOf(scope)} sends={sends.get(scope.id) ?? []} />
        ))}
      </ul>
    </>
  );
}

/** Without what the heads above have said. */
function nameOf({ kind, id, target, credential }: ScopeView): string {
  if (kind === 'credential') return id.slice(id.indexOf('/') + 1);
  return routeName(target ?? id, credential);
}

type ScopeProps = { readonly scope: ScopeView; readonly name: string; readonly sends?: readonly Send[] };

function Scope({ scope, name, sends = [] }: ScopeProps) {
  const { kind, id, state, reason, until, last } = scope;
  const isMeant = decodeURIComponent(useLocation().hash) === id;
  useEffect(() => {
    if (isMeant) document.getElementById(id)?.scrollIntoView({ block: 'center' });
  }, [isMeant, id]);
  return (
    <li
      id={id}
      className={`grid grid-cols-[1fr_auto] items-center gap-x-4 gap-y-1.5 px-4 py-2.5 md:grid-cols-[minmax(0,17rem)_6.5rem_minmax(0,1fr)_auto] ${isMeant ? 'bg-accent-soft' : ''}`}
    >
      <span className="min-w-0 truncate font-mono text-[0.8rem]" title={id}>
        {name}
      </span>
      <span>
        <Badge tone={stateTone(state)}>{stateWord(state)}</Badge>
      </span>
      <div className="min-w-0 max-md:col-span-2">
        {until !== null && (
          <p className="font-medium">
            <span className="inline-block first-letter:uppercase">
              <BackIn until={until} />
            </span>
            <span className="font-normal text-muted">
              , at <At at={until} />
            </span>
          </p>
        )}
        {reason !== null && <p className="text-xs break-words">{sentence(reason)}</p>}
        <p className="flex flex-wrap items-center gap-x-3 gap-y-1 text-xs text-muted">
          {sends.length > 0 && (
            <span className="inline-flex items-center gap-1.5">
              last sends <SendMarks attempts={sends} />
            </span>
          )}
          <Lately scope={scope} />
          {kind === 'route' && last === null && sends.length === 0 && state === 'ready' && 'not asked yet'}
        </p>
      </div>
      <span className="max-md:col-span-2">
        <ScopeActions scope={scope} />
      </span>
    </li>
  );
}

function Lately({ scope: { since, last } }: { readonly scope: ScopeView }) {
  return (
    <>
      {last !== null && (
        <span>
          {outcomeWord(last.outcome)}, <Ago at={last.at} />
        </span>
      )}
      {since !== null && last === null && (
        <span>
          out since <Ago at={since} />
        </span>
      )}
    </>
  );
}
