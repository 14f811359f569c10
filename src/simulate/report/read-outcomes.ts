import type { ClientView } from '../client/view.ts';
import type { Run, SimulatedRequest } from '../world/run.ts';
import type { Seen } from './report.ts';

/** A request with what its client makes of it. */
export type ReadRequest = {
  readonly request: SimulatedRequest;
  readonly seen: Seen;
  readonly view: ClientView;
  /** The first route of its plan alone would have answered; null: it has no plan. */
  readonly firstWould: boolean | null;
};

/** So many requests are read between two pauses. */
const CHUNK = 50;

/**
 * Reads what every client saw, which is most of the work of a report. `pause` is awaited now and then, so that whoever
 * runs beside it is not kept waiting.
 */
export async function readOutcomes(run: Run, pause: () => Promise<void>): Promise<readonly ReadRequest[]> {
  const read: ReadRequest[] = [];
  for (const [i, request] of run.requests.entries()) {
    if (i % CHUNK === CHUNK - 1) await pause();
    const view = request.view();
    read.push({ request, view, seen: seenOf(request, view), firstWould: firstWould(run, request) });
  }
  return read;
}

function seenOf({ client }: SimulatedRequest, view: ClientView): Seen {
  if (view.isWhole && view.error === null) return 'whole';
  if (client.isClosed) return 'left';
  const hasOutput = view.text !== '' || view.reasoning !== '' || view.tools.length > 0;
  if (view.error !== null) return hasOutput ? 'half' : 'error';
  return client.status === null ? 'nothing' : 'cut';
}

/** Of the targets that could do it, the one that tiers and strategy put first, whatever its health; of that, the first route. */
function firstWould(run: Run, request: SimulatedRequest): boolean | null {
  const plan = request.ledger.plans[0]?.plan ?? request.ledger.started.plan;
  const able = (plan?.candidates ?? []).filter(({ skip }) => skip !== 'skipped_capability');
  const first = plan?.order.find((target) => able.some((candidate) => candidate.target.id === target));
  const route = able.find((candidate) => candidate.target.id === first)?.target.routes[0];
  if (route === undefined) return null;
  const truth = run.answersOf(route, request, request.at);
  return truth?.isWhole === true && truth.lastsMs !== null;
}
