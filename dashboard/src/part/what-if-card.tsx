import { useMutation } from '@tanstack/react-query';
import { lazy, Suspense, useState } from 'react';
import type { SimulationAnswer } from '../../../src/management/contract.ts';
import { ask } from '../api/client.ts';
import { Button } from './button.tsx';
import { FIELD, Field } from './field.tsx';
import { scriptOf, TROUBLES, type Trouble } from './what-if.ts';
import { count, duration, outcomeWord, share } from './words.ts';

const SeriesChart = lazy(async () => ({ default: (await import('./series-chart.tsx')).SeriesChart }));

type WhatIfProps = { readonly model: string; readonly targets: readonly string[] };

/** One press plays what clients would see if a target failed. Nothing is sent. */
export function WhatIf({ model, targets }: WhatIfProps) {
  const [target, setTarget] = useState(targets[0] ?? '');
  const [trouble, setTrouble] = useState<Trouble>('down');
  const play = useMutation({
    mutationFn: () =>
      ask<SimulationAnswer>('/simulate', { method: 'POST', body: { model, script: scriptOf(target, trouble) } }),
  });
  return (
    <div>
      <form
        className="grid grid-cols-2 items-end gap-2"
        onSubmit={(event) => {
          event.preventDefault();
          play.mutate();
        }}
      >
        <Field label="What if">
          <select value={target} onChange={(event) => setTarget(event.target.value)} className={FIELD}>
            {targets.map((each) => (
              <option key={each}>{each}</option>
            ))}
          </select>
        </Field>
        <Field label="for half a minute">
          <select value={trouble} onChange={(event) => setTrouble(event.target.value as Trouble)} className={FIELD}>
            {Object.entries(TROUBLES).map(([word, { title }]) => (
              <option key={word} value={word}>
                {title}
              </option>
            ))}
          </select>
        </Field>
        <Button type="submit" disabled={play.isPending || target === ''} className="col-span-2 justify-self-start">
          {play.isPending ? 'Playing …' : 'Play it'}
        </Button>
      </form>
      {play.error !== null && (
        <p role="alert" className="mt-3 rounded-md bg-bad-soft px-3 py-2 text-bad">
          {play.error.message}
        </p>
      )}
      {play.data === undefined ? (
        <p className="mt-3 text-xs text-muted">
          A minute of two requests a second is played in virtual time, with what is saved. Nothing is sent.
        </p>
      ) : (
        <Played answer={play.data} order={targets} />
      )}
    </div>
  );
}

const SEEN: Readonly<Record<string, string>> = {
  whole: 'a whole answer',
  error: 'an error before any word',
  half: 'half an answer, then an error',
  cut: 'half an answer without an end',
  nothing: 'nothing',
  left: 'they left',
};

const COLORS = ['good', 'info', 'accent', 'warn'] as const;

type PlayedProps = { readonly answer: SimulationAnswer; readonly order: readonly string[] };

function Played({ answer: { simulation }, order }: PlayedProps) {
  const { requests, clients, latency, traffic, outages } = simulation;
  const isWhole = requests.answered === requests.total;
  const times = traffic.failed.map((_, index) => (index * traffic.bucket_ms) / 1000);
  const inOrder = traffic.series.toSorted((a, b) => order.indexOf(a.target) - order.indexOf(b.target));
  const served = inOrder.slice(0, COLORS.length);
  return (
    <div role="status" className="mt-4 space-y-3">
      <p>
        <strong className={isWhole ? 'text-good' : 'text-bad'}>
          {count(requests.answered)} of {count(requests.total)} requests are answered
        </strong>
        <span className="text-muted">
          {requests.first_route_rate === null
            ? ''
            : `; by the first route alone, ${share(requests.first_route_rate * 1000, 1000)} would be`}
          {latency.added.max_ms === null || latency.added.max_ms === 0
            ? '. Nobody waits longer.'
            : `. Failover adds ${duration(latency.added.max_ms)} at most.`}
        </span>
      </p>
      <dl className="text-xs">
        {clients.map(({ seen, status, code, count: n }) => (
          <div key={`${seen} ${status} ${code}`} className="flex justify-between gap-4 border-b border-line py-1">
            <dt>
              {n === requests.total ? 'All clients see' : 'Clients see'} {SEEN[seen] ?? seen}
              {code === null ? '' : ` (${status === null ? '' : `${status} `}${code.replaceAll('_', ' ')})`}
            </dt>
            <dd className="tabular-nums">{count(n)}</dd>
          </div>
        ))}
        {outages.slice(0, 3).map(({ id, from_ms: from, back_ms: back, reason }) => (
          <div key={`${id} ${from}`} className="flex justify-between gap-4 border-b border-line py-1 text-muted">
            <dt className="min-w-0 truncate" title={reason === null ? '' : outcomeWord(reason)}>
              <span className="font-mono">{id}</span> is out of service
            </dt>
            <dd className="whitespace-nowrap tabular-nums">
              {duration(from)} – {back === null ? 'end' : duration(back)}
            </dd>
          </div>
        ))}
      </dl>
      <Suspense fallback={null}>
        <SeriesChart
          label="Who answers over time"
          isSpan
          height={110}
          times={times}
          parts={[
            ...served.map(({ target, counts }, index) => ({
              label: target,
              color: COLORS[index] ?? 'good',
              values: counts,
            })),
            { label: 'failed', color: 'bad', values: traffic.failed },
          ]}
        />
      </Suspense>
    </div>
  );
}
