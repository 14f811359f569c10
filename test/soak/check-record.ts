import type { Problem, Result } from './check-answer.ts';
import type { Send } from './draw-plan.ts';
import { stageOf } from './faults.ts';
import type { Asked, Seen } from './seen.ts';
import { targetId } from './world.ts';

export const RECORD_FAULTS = {
  unrecorded: 'a request without its record',
  unknown_record: 'a record that no request asked for, or a second one',
  endless: 'a record without its end',
  sends_differ: 'attempts on record that are not the sends',
  outcome: 'a record that tells of another end than the client saw',
  recorded_usage: 'recorded tokens that are not those of the send',
  uncaused: 'a total failure although a target had neither failed nor was held',
} as const;

export type RecordFault = keyof typeof RECORD_FAULTS;

/** A request that is over, with all that is known of it outside the gateway. */
export type Settled = {
  readonly asked: Asked;
  readonly seen: Pick<Seen, 'status' | 'requestId' | 'end'>;
  readonly sends: readonly Send[];
  readonly result: Result;
};

export type AttemptRow = {
  readonly target: string;
  readonly outcome: string | null;
  readonly hasHead: boolean;
  readonly inputTokens: number | null;
  readonly outputTokens: number | null;
};

/** What the ledger says of one request. */
export type RecordRow = {
  readonly id: string;
  readonly tag: string;
  readonly outcome: string | null;
  readonly status: number | null;
  /** Targets that were left out. */
  readonly skipped: readonly string[];
  /** In the order of their numbers. */
  readonly attempts: readonly AttemptRow[];
};

export type RecordVerdict = {
  readonly problems: readonly Problem<RecordFault>[];
  /** Attempts that were on record, and whose client left before anything could arrive. */
  readonly unsent: number;
};

/** Outcomes on record, by what the client saw. A client that has left may have missed anything. */
const OUTCOMES: Readonly<Record<Exclude<Result, 'left'>, (outcome: string) => boolean>> = {
  whole: (outcome) => outcome === 'ok',
  interrupted: (outcome) => outcome === 'interrupted',
  failed: (outcome) => !['ok', 'interrupted', 'client_closed'].includes(outcome),
};

/** The record of one request against what was seen at both sides of the gateway. */
export function checkRecord({ asked, seen, sends, result }: Settled, row: RecordRow): RecordVerdict {
  const problems: Problem<RecordFault>[] = [];
  const tell = (kind: RecordFault, text: string): void => void problems.push({ kind, text });
  const attempts = sentOf(row.attempts, sends.length);
  const recorded = attempts.map(({ target }) => target);
  const due = sends.map((send) => targetId(send.target, asked.protocol));
  if (recorded.join() !== due.join()) tell('sends_differ', `recorded [${recorded.join()}], sent [${due.join()}]`);
  if (row.outcome === null || row.attempts.some(({ outcome }) => outcome === null)) tell('endless', row.id);
  else if (seen.end !== 'left') checkOutcome({ seen, result }, row, tell);
  if (seen.requestId !== null && seen.requestId !== row.id) tell('unknown_record', `${row.id}, told ${seen.requestId}`);
  checkUsage(attempts, sends, { isLeft: seen.end === 'left' }, tell);
  if (result === 'failed') checkCause(asked, sends, row, tell);
  return { problems, unsent: row.attempts.length - attempts.length };
}

type Tell = (kind: RecordFault, text: string) => void;

/** Without the last attempt if that was on record, and its client left before the bytes had arrived. */
function sentOf(attempts: readonly AttemptRow[], sends: number): readonly AttemptRow[] {
  const last = attempts.at(-1);
  const isUnsent = attempts.length === sends + 1 && last?.outcome === 'client_closed' && !last.hasHead;
  return isUnsent ? attempts.slice(0, -1) : attempts;
}

function checkOutcome(
  { seen, result }: Pick<Settled, 'result'> & { readonly seen: Settled['seen'] },
  row: RecordRow,
  tell: Tell,
): void {
  const { outcome, status } = row;
  if (result !== 'left' && !OUTCOMES[result](outcome ?? ''))
    tell('outcome', `${outcome}, and the client saw it ${result}`);
  if (status !== seen.status) tell('outcome', `status ${status}, and the client saw ${seen.status}`);
}

/** A client that has left behind the end of its answer need not have waited for the usage. */
function checkUsage(
  attempts: readonly AttemptRow[],
  sends: readonly Send[],
  { isLeft }: { readonly isLeft: boolean },
  tell: Tell,
): void {
  attempts.forEach(({ outcome, inputTokens, outputTokens }, i) => {
    const plan = sends[i]?.plan;
    if (outcome !== 'ok' || plan === undefined) return;
    if (isLeft && inputTokens === null && outputTokens === null) return;
    if (inputTokens === plan.inputTokens && outputTokens === plan.outputTokens) return;
    tell('recorded_usage', `${inputTokens}/${outputTokens} in place of ${plan.inputTokens}/${plan.outputTokens}`);
  });
}

function checkCause({ targets, protocol }: Asked, sends: readonly Send[], row: RecordRow, tell: Tell): void {
  const hasFailed = (name: string): boolean =>
    sends.some(({ target, plan }) => target === name && stageOf(plan.fault) !== 'whole');
  const free = targets.filter((name) => !hasFailed(name) && !row.skipped.includes(targetId(name, protocol)));
  if (free.length > 0) tell('uncaused', `${free.join(' and ')} could have served`);
}
