import type { Outcome } from '../../core/failure/outcome.ts';
import { collect } from './blame.ts';
import { indexRun, type RequestCase } from './index-run.ts';
import type { Invariant } from './invariant.ts';
import { breaksForm, isServedOutcome } from './world-words.ts';

/** (h) */
export const honestEnd: Invariant = {
  id: 'h',
  promise: 'a broken answer ends in its protocol’s own error, and no mark of success follows',
  check: (run) =>
    collect('h', (blame) => {
      for (const each of indexRun(run).cases) {
        const end = endOf(each);
        if (end === null) continue;
        for (const [what, isBroken] of RULES) if (isBroken(end)) blame(each.id, `${what} (${tell(end)})`);
      }
    }),
};

const OK = 200;

/** How a request ended, for its client and on record. */
type End = Pick<RequestCase['view'], 'isWhole' | 'error' | 'saysMoreBehindEnd' | 'status'> & {
  readonly outcome: Outcome;
  readonly recorded: number | null;
  readonly isStream: boolean;
  readonly ending: 'end' | 'destroy' | null;
  /** The client was there to the end. */
  readonly isThere: boolean;
  /** An answer was begun. */
  readonly isBegun: boolean;
  /** What the client saw of it is odd by its provider's own doing. */
  readonly isOdd: boolean;
};

function endOf({ view, ended, request, served }: RequestCase): End | null {
  if (ended === null) return null;
  const { client, ask } = request;
  const behaviour = served?.send?.behaviour;
  return {
    ...view,
    outcome: ended.outcome,
    recorded: ended.status,
    isStream: ask.stream,
    ending: client.ending,
    isThere: !client.isClosed,
    isBegun: served !== null,
    isOdd: behaviour !== undefined && breaksForm(behaviour),
  };
}

const tell = ({ outcome, status, error }: End): string =>
  `${outcome}, status ${status}${error === null ? '' : `, error ${error.code} of type ${error.type}`}`;

/** Statuses that clients take for their own fault, and repeat or give up on. */
const CLIENTS_OWN: ReadonlySet<number> = new Set([401, 402, 403]);
/** An interruption is nobody's request's fault. */
const INTERRUPTION_TYPES: ReadonlySet<string | null> = new Set(['server_error', 'api_error', 'INTERNAL', null]);

const isAnswer = ({ isThere, status }: End): boolean => isThere && status === OK;
const isToldOfCut = ({ isBegun, error }: End): boolean => isBegun && error !== null;

type Rule = readonly [what: string, isBroken: (end: End) => boolean];

const RULES: readonly Rule[] = [
  ['an error, and the mark of success with it', ({ error, isWhole }) => error !== null && isWhole],
  ['something is said behind the end', ({ saysMoreBehindEnd, isOdd }) => saysMoreBehindEnd && !isOdd],
  ['an answer without any end', (end) => isAnswer(end) && end.ending === null],
  [
    'a cut answer ends as if it were whole',
    (end) => isAnswer(end) && end.ending === 'end' && !end.isWhole && end.error === null && !end.isOdd,
  ],
  ['the connection is cut without a word', (end) => isAnswer(end) && end.ending === 'destroy' && !mayCut(end)],
  [
    'an interruption that the client is not told of',
    (end) => end.outcome === 'interrupted' && end.isStream && end.isThere && end.error === null,
  ],
  ['an answer that was begun has become an error status', (end) => isToldOfCut(end) && end.status !== OK],
  [
    'an interruption by another name',
    (end) => isToldOfCut(end) && end.error !== null && end.error.code !== 'stream_interrupted',
  ],
  [
    'an interruption that blames somebody',
    (end) => isToldOfCut(end) && end.error !== null && !INTERRUPTION_TYPES.has(end.error.type),
  ],
  ['an error behind an answer that is on record as served', (end) => isToldOfCut(end) && isServedOutcome(end.outcome)],
  ['another status than the one on record', ({ isThere, status, recorded }) => isThere && status !== recorded],
  [
    'a fault of the gateway’s own looks like the client’s',
    ({ isThere, status }) => isThere && status !== null && CLIENTS_OWN.has(status),
  ],
  [
    'served, with a status of failure',
    ({ isThere, outcome, status }) => isThere && isServedOutcome(outcome) && status !== OK,
  ],
];

/** A stream is cut where its client took nothing any more; half of a JSON answer can't be ended otherwise. */
const mayCut = ({ isStream, outcome }: End): boolean =>
  outcome === 'client_closed' || (!isStream && outcome === 'interrupted');
