import type { Outcome } from '../../core/failure/outcome.ts';
import type { Behaviour } from '../scenario/scenario.ts';
import { behaviourOf } from './behaviour-of.ts';
import type { RecordedAttempt, RecordedRequest } from './recorded.ts';

/** A provider of which nothing is on record: taken as good, only for the sake of going on. Known by its identity. */
export const ASSUMED: Behaviour = Object.freeze({});

/** An attempt says something of its route for so long, before and after. */
const NEAR_MS = 5 * 60_000;

/** Ends that are about the request, so that they say nothing of how the route treats another. */
const OF_THE_REQUEST: readonly (Outcome | null)[] = [
  'context_length',
  'payload_too_large',
  'content_policy',
  'unsupported_capability',
  'incompatible_history',
  'bad_generation',
  'bad_request',
  'outcome_unknown',
  'empty_completion',
];

/** What is known of providers from the attempts of the past. */
type Evidence = {
  /** What a route does with a request at a moment (epoch ms); `ASSUMED` where nobody knows. */
  answer(request: RecordedRequest, route: string, at: number): Behaviour;
};

/**
 * The n-th send of a request to a route takes what its n-th attempt there met. Any other takes the attempt on that
 * route, of a request of the same form (stream or JSON), that began nearest to it.
 */
export function createEvidence(requests: readonly RecordedRequest[]): Evidence {
  const lines = new Map<string, RecordedAttempt[]>();
  for (const { stream, attempts } of requests)
    for (const attempt of attempts.filter(isOfRoute)) {
      const line = lines.get(lineOf(attempt.route, stream));
      if (line === undefined) lines.set(lineOf(attempt.route, stream), [attempt]);
      else line.push(attempt);
    }
  for (const line of lines.values()) line.sort((left, right) => left.at - right.at);
  const taken = new Map<string, number>();

  return {
    answer(request, route, at) {
      const place = `${request.id} ${route}`;
      const n = taken.get(place) ?? 0;
      taken.set(place, n + 1);
      const own = request.attempts.filter((attempt) => attempt.route === route && attempt.outcome !== 'stale_socket')[
        n
      ];
      const told = own === undefined ? null : behaviourOf(own, at);
      if (told !== null) return told;
      const near = nearest(lines.get(lineOf(route, request.stream)) ?? [], at);
      return (near === null ? null : behaviourOf(near, at)) ?? ASSUMED;
    },
  };
}

const lineOf = (route: string, stream: boolean): string => `${route} ${stream}`;

const isOfRoute = (attempt: RecordedAttempt): boolean =>
  attempt.outcome !== 'stale_socket' &&
  !OF_THE_REQUEST.includes(attempt.outcome) &&
  behaviourOf(attempt, attempt.at) !== null;

/** Of attempts in the order of time; null: none is near. */
function nearest(line: readonly RecordedAttempt[], at: number): RecordedAttempt | null {
  let [low, high] = [0, line.length];
  while (low < high) {
    const middle = (low + high) >> 1;
    if ((line[middle]?.at ?? 0) < at) low = middle + 1;
    else high = middle;
  }
  const around = [line[low - 1], line[low]].filter((each) => each !== undefined);
  const distance = (each: RecordedAttempt): number => Math.abs(each.at - at);
  const [best] = around.toSorted((left, right) => distance(left) - distance(right));
  return best === undefined || distance(best) > NEAR_MS ? null : best;
}
