import type { ReadRequest } from './read-outcomes.ts';
import type { ClientOutcome, RequestCounts, ServedTarget } from './report.ts';
import { rateOf, tally } from './tally.ts';

export function countRequests(read: readonly ReadRequest[]): RequestCounts {
  const of = (seen: ReadRequest['seen']): number => read.filter((each) => each.seen === seen).length;
  const answered = of('whole');
  const left = of('left');
  const total = read.length;
  const planned = read.filter(({ firstWould }) => firstWould !== null);
  const turns = tally(read, ({ request }) => request.retryOf ?? request.id).map(([, tries]) => tries.at(-1)?.seen);
  const stayed = turns.filter((seen) => seen !== 'left');
  return {
    total,
    client_retries: read.filter(({ request }) => request.retryOf !== null).length,
    answered,
    left,
    failed: total - answered - left,
    success_rate: rateOf(answered, total - left),
    first_route_rate: rateOf(planned.filter(({ firstWould }) => firstWould).length, planned.length),
    turns: turns.length,
    turn_success_rate: rateOf(stayed.filter((seen) => seen === 'whole').length, stayed.length),
  };
}

/** What clients saw, the most frequent first. */
export const countOutcomes = (read: readonly ReadRequest[]): readonly ClientOutcome[] =>
  tally(read.map(outcomeOf), (outcome) => JSON.stringify(outcome)).map(([, [first, ...rest]]) => ({
    ...(first as Omit<ClientOutcome, 'count'>),
    count: rest.length + 1,
  }));

function outcomeOf({ seen, view, request }: ReadRequest): Omit<ClientOutcome, 'count'> {
  const code = seen === 'error' || seen === 'half' ? (view.error?.code ?? view.error?.type ?? null) : null;
  return { seen, status: request.client.status, code };
}

/** Who gave the answers that came whole. */
export function countServed(read: readonly ReadRequest[]): readonly ServedTarget[] {
  const served = read.flatMap(({ seen, request }) =>
    seen === 'whole' ? [targetOf(request.ledger.ended?.servedBy)] : [],
  );
  return tally(served, (target) => target).map(([target, all]) => ({
    target,
    count: all.length,
    share: rateOf(all.length, served.length) ?? 0,
  }));
}

const targetOf = (servedBy: string | null | undefined): string => servedBy ?? 'nobody on record';
