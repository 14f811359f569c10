import type { ProblemView, ReadinessEvent, ReadinessView } from '../../../src/management/contract.ts';
import { ApiError, OWN_HEADERS } from './client.ts';
import { readEvents } from './read-events.ts';

/** Has every route asked now, and tells each step of it. Gives the report at the end; rejects with an `ApiError`. */
export async function probeRoutes(
  onStep: (event: ReadinessEvent) => void,
  signal: AbortSignal,
): Promise<ReadinessView> {
  const response = await fetch('/api/v1/readiness/probe', {
    method: 'POST',
    credentials: 'same-origin',
    headers: { accept: 'text/event-stream', 'content-type': 'application/json', ...OWN_HEADERS },
    body: '{}',
    signal,
  });
  if (!response.ok || response.body === null) {
    const problem = (await response.json().catch(() => ({}))) as Partial<ProblemView>;
    throw new ApiError(response.status, problem);
  }
  let report: ReadinessView | null = null;
  for await (const event of readEvents<ReadinessEvent>(response.body)) {
    onStep(event);
    if (event.type === 'report') ({ report } = event);
  }
  if (report === null) throw new ApiError(0, { title: 'The gateway left before it had asked everybody.' });
  return report;
}
