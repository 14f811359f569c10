import type { UseQueryResult } from '@tanstack/react-query';
import type { ReactNode } from 'react';
import { ApiError } from '../api/client.ts';

type QueryStateProps<T> = {
  readonly query: Pick<UseQueryResult<T>, 'data' | 'error' | 'refetch'>;
  readonly children: (data: T) => ReactNode;
};

/** What was asked for; until it is there, that it is asked for; and why it is not there, with a way to ask again. */
export function QueryState<T>({ query: { data, error, refetch }, children }: QueryStateProps<T>) {
  if (data !== undefined) {
    return (
      <>
        {error !== null && <Trouble error={error} onRetry={() => void refetch()} isOld />}
        {children(data)}
      </>
    );
  }
  if (error !== null) return <Trouble error={error} onRetry={() => void refetch()} />;
  return (
    <p role="status" className="p-4 text-muted">
      Asking the gateway …
    </p>
  );
}

type TroubleProps = { readonly error: Error; readonly onRetry: () => void; readonly isOld?: boolean };

function Trouble({ error, onRetry, isOld = false }: TroubleProps) {
  const isAway = error instanceof ApiError && error.status === 0;
  return (
    <div role="alert" className="mb-4 rounded-md border border-bad bg-bad-soft px-4 py-3 text-bad">
      <p className="font-medium">{isAway ? 'The gateway does not answer.' : error.message}</p>
      <p className="mt-1 text-sm">
        {isOld ? 'What stands here is what it said last. ' : ''}
        {isAway ? 'Is it running? The page goes on trying. ' : ''}
        <button type="button" onClick={onRetry} className="cursor-pointer underline">
          Ask again
        </button>
      </p>
    </div>
  );
}
