import type { Fact, RequestLedger } from '../../core/attempt/ledger.ts';
import type { Run, SimulatedSend } from '../world/run.ts';
import { type Blame, collect } from './blame.ts';
import { type AnyCase, HAIR_MS, indexRun, type ProbeCase } from './index-run.ts';
import type { Invariant } from './invariant.ts';

/** (b) */
export const booksBalance: Invariant = {
  id: 'b',
  promise: 'every attempt and request ends once; attempts on record are the sends that providers saw',
  check: (run) =>
    collect('b', (blame) => {
      const { all, probes } = indexRun(run);
      for (const each of all) {
        checkOrder(
          each.id,
          each.facts.map(({ fact }) => fact),
          blame,
        );
        checkSends(each, blame);
      }
      checkStrays(run, all, blame);
      checkTold(run, all, blame);
      checkToldProbes(run, probes, blame);
    }),
};

/** What a request's facts may still be followed by. */
type Books = {
  isStarted: boolean;
  isEnded: boolean;
  committed: number | null;
  readonly open: Set<number>;
  last: number;
};

function checkOrder(id: string, facts: readonly Fact[], blame: Blame): void {
  const books: Books = { isStarted: false, isEnded: false, committed: null, open: new Set(), last: 0 };
  let at = Number.NEGATIVE_INFINITY;
  for (const fact of facts) {
    const law = breach(books, fact);
    if (law !== null) blame(id, law);
    if (fact.at < at - HAIR_MS) blame(id, `${fact.type} lies before what is on record already`);
    at = Math.max(at, fact.at);
  }
  if (!books.isEnded) blame(id, 'the request has no end');
  for (const n of books.open) blame(id, `attempt ${n} has no end`);
}

/** The law that a fact breaks; null: none. */
function breach(books: Books, fact: Fact): string | null {
  if (books.isEnded) return `${fact.type} behind the end of the request`;
  if (fact.type === 'request_started') {
    if (books.isStarted) return 'a second start of the request';
    books.isStarted = true;
    return null;
  }
  if (!books.isStarted) return `${fact.type} before the start of the request`;
  if (fact.type === 'request_ended') {
    books.isEnded = true;
    return null;
  }
  if (fact.type === 'attempt_started') return startAttempt(books, fact.n);
  if (!books.open.has(fact.n)) return `${fact.type} of attempt ${fact.n}, which is not under way`;
  if (fact.type === 'attempt_ended') books.open.delete(fact.n);
  if (fact.type !== 'committed') return null;
  if (books.committed !== null) return `attempt ${fact.n} commits behind attempt ${books.committed}`;
  books.committed = fact.n;
  return null;
}

function startAttempt(books: Books, n: number): string | null {
  const { open, last, committed } = books;
  const isNext = n === last + 1;
  books.last = n;
  open.add(n);
  if (committed !== null) return `attempt ${n} starts behind a commit`;
  if (open.size > 1) return `attempt ${n} starts while another is under way`;
  return isNext ? null : `attempt ${n} behind attempt ${last}`;
}

/** Each attempt is one send, to the same route, and stands on record when its bytes go out. */
function checkSends({ id, attempts }: AnyCase, blame: Blame): void {
  for (const { n, started, send } of attempts) {
    if (send === null) blame(id, `attempt ${n} was never sent`);
    else if (send.route.id !== started.route)
      blame(id, `attempt ${n} went to ${send.route.id}, not to ${started.route}`);
    else if (started.at > send.at + HAIR_MS) blame(id, `attempt ${n} is on record behind its send`);
  }
}

const nameOf = ({ request, attempt }: Pick<SimulatedSend, 'request' | 'attempt'>): string => `${request} ${attempt}`;

function checkStrays({ sends }: Run, cases: readonly AnyCase[], blame: Blame): void {
  const attempts = new Set(cases.flatMap(({ id, attempts: all }) => all.map(({ n }) => `${id} ${n}`)));
  const seen = new Set<string>();
  for (const send of sends) {
    const name = nameOf(send);
    if (!attempts.has(name)) blame(send.request, `send ${send.n} stands on no record`);
    if (seen.has(name)) blame(send.request, `attempt ${send.attempt} was sent twice`);
    seen.add(name);
  }
}

/** Telemetry hears of each request once, and hears what is on record. */
function checkTold({ told }: Run, cases: readonly AnyCase[], blame: Blame): void {
  const heard = new Map<string, RequestLedger>();
  for (const ledger of told) {
    if (heard.has(ledger.id)) blame(ledger.id, 'telemetry heard of its end twice');
    heard.set(ledger.id, ledger);
  }
  for (const { id, ended, attempts } of cases) {
    const ledger = heard.get(id);
    if (ended === null) continue;
    if (ledger === undefined) blame(id, 'telemetry never heard of its end');
    else if (ledger.ended?.outcome !== ended.outcome || ledger.attempts.length !== attempts.length)
      blame(id, 'telemetry heard another story than the record');
  }
}

/** Of a probe that was sent, and was not stopped, telemetry hears what it showed, once. */
function checkToldProbes({ toldProbes, probedUntil }: Run, probes: readonly ProbeCase[], blame: Blame): void {
  for (const { id, ended, attempts, probe } of probes) {
    const times = toldProbes.filter((told) => told === id).length;
    if (times > 1) blame(id, 'telemetry heard twice of what a probe showed');
    if (times > 0 && attempts.length === 0) blame(id, 'telemetry heard of a probe that was never sent');
    const isStopped = (probe.endedAt ?? Number.POSITIVE_INFINITY) >= (probedUntil ?? 0) - HAIR_MS;
    if (times === 0 && attempts.length > 0 && ended?.servedBy != null && !isStopped)
      blame(id, 'telemetry never heard of what a probe showed');
  }
}
