import type { Behaviour, Fault } from '../scenario/scenario.ts';
import type { SimulatedSend } from '../world/run.ts';
import type { Blame } from './blame.ts';
import { type AttemptCase, HAIR_MS, type RequestCase } from './index-run.ts';

/** A request that runs something outside is sent on only where what came before did nothing for sure. */
export function checkReplays({ id, request, model, attempts }: RequestCase, blame: Blame): void {
  const replay = model?.settings.replay ?? 'always';
  if (replay === 'always' || (replay !== 'safe' && request.ask.row.shape.unsafe !== true)) return;
  for (const before of attempts.slice(0, -1)) {
    if (isUnknown(before)) blame(id, `it is sent again, though attempt ${before.n} may have done what it asks for`);
  }
}

/** Of these nobody knows what was done before them. */
const UNKNOWN_STATUSES: ReadonlySet<number> = new Set([500, 502, 504]);
/** Nothing is said by them. */
const SILENT_FAULTS: ReadonlySet<Fault> = new Set([
  'close',
  'reset',
  'bad_encoding',
  'bad_http',
  'end',
  'stall',
  'half',
]);

/** By what the provider got and gave: it had the request, and never said that it would not do it. */
function isUnknown({ send, ended }: AttemptCase): boolean {
  if (send === null || ended === null || !wasSent(send, ended.at)) return false;
  const { status = 200 } = send.behaviour;
  if (send.headAt === null || status === null || UNKNOWN_STATUSES.has(status)) return true;
  return status === 200 && breaksOff(send.behaviour);
}

function wasSent({ behaviour: { refuses, connectMs = 0 }, at }: SimulatedSend, endedAt: number): boolean {
  if (refuses !== undefined || connectMs === null) return false;
  return connectMs === 0 || endedAt > at + connectMs + HAIR_MS;
}

const breaksOff = ({ error, body, fault }: Behaviour): boolean =>
  error === undefined && body === undefined && fault !== undefined && SILENT_FAULTS.has(fault.kind);
