import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { type ReactNode, useState } from 'react';
import type { SessionView } from '../../../src/management/contract.ts';
import { ask } from '../api/client.ts';
import { sessionQuery } from '../api/queries.ts';
import { Button } from '../part/button.tsx';
import { QueryState } from '../part/query-state.tsx';

/** Lets in whoever may see the pages, and asks all others for the admin token. */
export function Gate({ children }: { readonly children: ReactNode }) {
  const query = useQuery(sessionQuery);
  return <QueryState query={query}>{(session) => (session.entered ? children : <LogIn />)}</QueryState>;
}

function LogIn() {
  const [token, setToken] = useState('');
  const client = useQueryClient();
  const enter = useMutation({
    mutationFn: () => ask<SessionView>('/session', { method: 'POST', body: { token } }),
    onSuccess: () => client.invalidateQueries(),
  });
  return (
    <main className="mx-auto flex min-h-dvh max-w-sm flex-col justify-center p-6">
      <h1 className="text-xl font-semibold">Understudy</h1>
      <p className="mt-1 text-muted">The admin token of this gateway opens its pages.</p>
      <form
        className="mt-5 space-y-3"
        onSubmit={(event) => {
          event.preventDefault();
          enter.mutate();
        }}
      >
        <label className="block text-xs text-muted">
          Admin token
          <input
            type="password"
            autoComplete="current-password"
            required
            value={token}
            onChange={(event) => setToken(event.target.value)}
            className="mt-1 block w-full rounded-md border border-line-strong bg-card px-3 py-2 text-sm text-ink"
          />
        </label>
        {enter.error !== null && (
          <p role="alert" className="text-bad">
            {enter.error.message}
          </p>
        )}
        <Button type="submit" look="main" className="w-full" disabled={enter.isPending || token === ''}>
          Log in
        </Button>
      </form>
    </main>
  );
}
