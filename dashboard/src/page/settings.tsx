import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import type { AuditEntry, ConfigVersion } from '../../../src/management/contract.ts';
import { ask } from '../api/client.ts';
import { auditQuery, providersQuery, sessionQuery, versionsQuery } from '../api/queries.ts';
import { Badge } from '../part/badge.tsx';
import { Button } from '../part/button.tsx';
import { Card, Empty } from '../part/card.tsx';
import { Confirm } from '../part/confirm.tsx';
import { PageHead } from '../part/page-head.tsx';
import { QueryState } from '../part/query-state.tsx';
import { Ago } from '../part/time.tsx';
import { ACTION_WORDS } from '../part/words.ts';

/** Who is in, what was changed, and how to go back. */
export function SettingsPage() {
  return (
    <>
      <PageHead title="Settings" what="Providers, versions of the configuration, and who changed what." />
      <div className="space-y-4">
        <Providers />
        <Versions />
        <Audit />
        <Session />
      </div>
    </>
  );
}

function Providers() {
  const query = useQuery(providersQuery);
  return (
    <Card title="Providers" flush>
      <QueryState query={query}>
        {({ data }) => (
          <ul className="divide-y divide-line">
            {data.map(({ name, preset, protocol, endpoint, credentials, models }) => (
              <li
                key={name}
                className="grid gap-x-4 gap-y-1 px-4 py-2.5 md:grid-cols-[8rem_15rem_minmax(0,1fr)_minmax(0,1fr)]"
              >
                <span className="font-medium">{name}</span>
                <span className="text-muted">{preset === name ? protocol : `${preset}, ${protocol}`}</span>
                <span className="truncate font-mono text-[0.8rem] text-muted">{endpoint}</span>
                <span className="text-muted">
                  {credentials.length} {credentials.length === 1 ? 'key' : 'keys'}: {credentials.join(', ')};{' '}
                  {models.length} {models.length === 1 ? 'model' : 'models'}
                </span>
              </li>
            ))}
          </ul>
        )}
      </QueryState>
    </Card>
  );
}

function Versions() {
  const query = useQuery({ ...versionsQuery, retry: false });
  const client = useQueryClient();
  const rollback = useMutation({
    mutationFn: (version: string) => ask('/config/rollback', { method: 'POST', body: { version } }),
    onSettled: () => client.invalidateQueries(),
  });
  return (
    <Card title="Versions of the configuration" flush>
      {rollback.error !== null && (
        <p role="alert" className="bg-bad-soft px-4 py-2 text-bad">
          {rollback.error.message}
        </p>
      )}
      {query.error !== null && query.data === undefined ? (
        <Empty title="There is no file to go back in.">{query.error.message}</Empty>
      ) : (
        <QueryState query={query}>
          {({ data }) =>
            data.length === 0 ? (
              <Empty title="Nothing was changed here yet.">
                Each change by this page or the API keeps what was before.
              </Empty>
            ) : (
              <ul className="divide-y divide-line">
                {data.map((version) => (
                  <Version
                    key={version.version}
                    version={version}
                    onRollback={() => rollback.mutate(version.version)}
                  />
                ))}
              </ul>
            )
          }
        </QueryState>
      )}
    </Card>
  );
}

type VersionProps = { readonly version: ConfigVersion; readonly onRollback: () => void };

function Version({ version, onRollback }: VersionProps) {
  const [isAsking, setAsking] = useState(false);
  return (
    <li className="flex flex-wrap items-center justify-between gap-3 px-4 py-2.5">
      <span className="font-mono text-[0.8rem]">{version.version}</span>
      <span className="text-muted">
        <Ago at={version.saved_at} />
      </span>
      {version.is_current ? (
        <Badge tone="good">in force</Badge>
      ) : (
        <Button aria-label={`Go back to ${version.version}`} onClick={() => setAsking(true)}>
          Go back to this
        </Button>
      )}
      {isAsking && (
        <Confirm
          title={`Go back to ${version.version}?`}
          action="Go back"
          onConfirm={onRollback}
          onClose={() => setAsking(false)}
        >
          The file is written as it was then, and takes effect at once. What it says now stays in this list.
        </Confirm>
      )}
    </li>
  );
}

function Audit() {
  const query = useQuery(auditQuery);
  return (
    <Card title="Who changed what" flush>
      <QueryState query={query}>
        {({ data }) =>
          data.length === 0 ? (
            <Empty title="Nobody has changed anything.">
              Changes by this page, the API and the command stand here.
            </Empty>
          ) : (
            <ul className="divide-y divide-line">
              {data.map((entry) => (
                <Change key={`${entry.request_id} ${entry.action}`} entry={entry} />
              ))}
            </ul>
          )
        }
      </QueryState>
    </Card>
  );
}

function Change({ entry }: { readonly entry: AuditEntry }) {
  return (
    <li className="grid items-center gap-x-4 gap-y-1 px-4 py-2 md:grid-cols-[8rem_10rem_1fr_10rem]">
      <span className="text-muted">
        <Ago at={entry.at} />
      </span>
      <span>{ACTION_WORDS[entry.action]}</span>
      <span className="truncate font-mono text-[0.8rem]">{entry.subject ?? ''}</span>
      <span className="flex items-center gap-2 text-muted">
        <Badge tone={entry.result === 'done' ? 'good' : 'bad'}>{entry.result}</Badge> by {entry.by}
      </span>
    </li>
  );
}

function Session() {
  const { data } = useQuery(sessionQuery);
  const client = useQueryClient();
  const leave = useMutation({
    mutationFn: () => ask('/session', { method: 'DELETE' }),
    onSettled: () => client.invalidateQueries(),
  });
  if (data?.needs_token !== true) {
    return (
      <Card title="Who may come in">
        <p className="text-muted">
          Only the user of this machine: there is no admin token. Set <code className="font-mono">auth.adminToken</code>{' '}
          to open this page to others.
        </p>
      </Card>
    );
  }
  return (
    <Card title="Who may come in">
      <div className="flex flex-wrap items-center justify-between gap-3">
        <p className="text-muted">Whoever has the admin token. You are in.</p>
        <Button onClick={() => leave.mutate()}>Log out</Button>
      </div>
    </Card>
  );
}
