import { useMutation, useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { modelsQuery } from '../api/queries.ts';
import { type Told, tell } from '../api/tell.ts';
import { Button } from './button.tsx';
import { Card } from './card.tsx';

/** Nothing has happened yet: one press shows what the gateway is for. */
export function FirstFailover() {
  const { data } = useQuery(modelsQuery);
  const model = data?.data.find(({ targets }) => targets.length > 1)?.name ?? data?.data[0]?.name;
  const send = useMutation({ mutationFn: () => tell({ model: model ?? '', text: 'Who are you?' }) });
  return (
    <Card>
      <div className="mx-auto max-w-prose py-8 text-center">
        <p className="text-lg font-semibold">See a failover</p>
        <p className="mt-2 text-muted">
          {model === undefined
            ? 'Add a model to the configuration first.'
            : `Ask "${model}" for something. If its first target fails, the next one answers, and this page shows both.`}
        </p>
        <Button
          look="main"
          className="mt-5"
          disabled={model === undefined || send.isPending}
          onClick={() => send.mutate()}
        >
          {send.isPending ? 'Asking …' : 'Send a request'}
        </Button>
        {send.error !== null && (
          <p role="alert" className="mt-4 text-bad">
            {send.error.message}
          </p>
        )}
        {send.data !== undefined && <Answered told={send.data} />}
      </div>
    </Card>
  );
}

function Answered({ told }: { readonly told: Told }) {
  return (
    <div role="status" className="mt-5 rounded-md bg-sunken p-4 text-left">
      <p>{told.text}</p>
      <p className="mt-2 text-muted">
        {told.target ?? 'Nobody'} answered, after {told.attempts} {told.attempts === 1 ? 'attempt' : 'attempts'}.{' '}
        <Link to="/requests/$id" params={{ id: told.id }} className="text-ink underline">
          Why?
        </Link>
      </p>
    </div>
  );
}
