import { useMutation, useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import type { ScopeView } from '../../../src/management/contract.ts';
import { ask } from '../api/client.ts';
import { targetsQuery } from '../api/queries.ts';
import { Button } from './button.tsx';
import { Confirm } from './confirm.tsx';

const MEANT: Readonly<Record<ScopeView['kind'], string>> = {
  route: 'Requests go past it',
  credential: 'Requests go past every target that is asked with this key',
  endpoint: 'Requests go past every target on this host',
};

/** What can be done to a route, a key or a host. */
export function ScopeActions({ scope: { id, kind, state } }: { readonly scope: ScopeView }) {
  const client = useQueryClient();
  const [isAsking, setAsking] = useState(false);
  const act = useMutation({
    mutationFn: (action: 'reset' | 'disable' | 'enable') =>
      ask(`/targets/${encodeURIComponent(id)}/${action}`, { method: 'POST' }),
    onSettled: () => client.invalidateQueries({ queryKey: targetsQuery.queryKey }),
  });
  return (
    <span className="flex flex-wrap items-center gap-1.5 max-md:flex-row-reverse max-md:justify-end md:justify-end">
      {act.error !== null && (
        <span role="alert" className="text-xs text-bad">
          {act.error.message}
        </span>
      )}
      {state !== 'ready' && state !== 'disabled' && (
        <Button aria-label={`Reset ${id}`} title="Forget its holds and failures" onClick={() => act.mutate('reset')}>
          Reset
        </Button>
      )}
      {state === 'disabled' ? (
        <Button aria-label={`Enable ${id}`} onClick={() => act.mutate('enable')}>
          Enable
        </Button>
      ) : (
        <Button look="quiet" aria-label={`Disable ${id}`} onClick={() => setAsking(true)}>
          Disable
        </Button>
      )}
      {isAsking && (
        <Confirm
          title={`Disable ${id}?`}
          action="Disable"
          onConfirm={() => act.mutate('disable')}
          onClose={() => setAsking(false)}
        >
          {MEANT[kind]} until it is enabled again, or the gateway restarts. What is under way goes on.
        </Confirm>
      )}
    </span>
  );
}
