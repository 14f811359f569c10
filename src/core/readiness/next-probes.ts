import {
  accountOf,
  canAfford,
  changeCandidate,
  countReady,
  endRound,
  type ProbeOrder,
  passOf,
  type Round,
  type RoundCandidate,
  type RoundView,
} from './round.ts';

export type RoundTurn = {
  readonly round: Round;
  readonly start: readonly ProbeOrder[];
  /** Ask again then, if no probe ends before; null: the round has ended. */
  readonly wakeAt: number | null;
  /** Routes that have shown no text and are not asked for more of it. */
  readonly dry: readonly string[];
};

/**
 * What a round starts now: one probe at a time within a credential, over all credentials at once. It ends when nobody is
 * left who is to be asked, or a budget is used up; by the end of its time it ends with probes under way.
 */
export function nextProbes(before: Round, now: number, view: RoundView): RoundTurn {
  if (before.end !== null) return { round: before, start: [], wakeAt: null, dry: [] };
  if (now >= before.endsAt) return ended(before, 'max_time', now);
  const round = leaveKnown(before, view);
  const open = round.candidates.filter((candidate) => isOpen(round, candidate));
  if (passOf(round) === 'first_pass' && onlyPostponed(round, open, now, view))
    return nextProbes(startSecondPass(round, now), now, view);
  const turn = startAll(round, open, now, view);
  if (underwayOf(turn.round).length > 0) return turn;
  const end = endOf(turn, open, view);
  return end === null ? turn : ended(turn.round, end, now);
}

function ended(round: Round, end: NonNullable<Round['end']>, now: number): RoundTurn {
  return { ...endRound(round, end, now), start: [], wakeAt: null };
}

/** What became known of a route meanwhile, by traffic or by a hold of its credential or endpoint, need not be asked. */
function leaveKnown(round: Round, { standing }: RoundView): Round {
  return round.candidates.reduce((next, { route, phase, models }) => {
    if (phase !== 'waiting') return next;
    const { word } = standing(route);
    if (word === 'ask' || word === 'wait') return next;
    const left = changeCandidate(next, route, { phase: 'left' });
    return word === 'proved' ? countReady(left, models) : left;
  }, round);
}

/** A repeat that was granted is owed; others are asked while one of their models has too few ready routes. */
function isOpen({ ready, settings }: Round, { phase, models }: RoundCandidate): boolean {
  if (phase === 'escalation_due') return true;
  return phase === 'waiting' && models.some((model) => (ready[model] ?? 0) < settings.targetReady);
}

/** All others have been asked, or can't be within the round's time: a server has said so. */
function onlyPostponed(round: Round, open: readonly RoundCandidate[], now: number, view: RoundView): boolean {
  const waits = open.map((candidate) => waitOf(round, candidate, now, view)).filter(({ told }) => told < round.endsAt);
  return waits.length > 0 && waits.every(({ guess }) => guess > now);
}

function startSecondPass(round: Round, now: number): Round {
  const stages = round.stages.map((stage) =>
    stage.endedAt === null ? { ...stage, endedAt: now, end: 'complete' as const } : stage,
  );
  return { ...round, stages: [...stages, { stage: 'second_pass', startedAt: now, endedAt: null, end: null }] };
}

function startAll(round: Round, open: readonly RoundCandidate[], now: number, view: RoundView): RoundTurn {
  let next = round;
  let wakeAt = round.endsAt;
  const start: ProbeOrder[] = [];
  const underway = [...underwayOf(round)];
  // Who is owed a repeat comes first at its credential.
  for (const candidate of [...open].sort((a, b) => Number(isOwed(b)) - Number(isOwed(a)))) {
    const order = orderOf(next, candidate);
    if (!canAfford(next, order.tokens) || isBusy(underway, candidate, view)) continue;
    const at = openingOf(next, candidate, now, view);
    if (at > now) {
      wakeAt = Math.min(wakeAt, at);
      continue;
    }
    next = startProbe(next, candidate, order);
    underway.push(candidate);
    start.push(order);
  }
  return { round: next, start, wakeAt, dry: [] };
}

const isOwed = ({ phase }: RoundCandidate): boolean => phase === 'escalation_due';

function orderOf({ settings }: Round, candidate: RoundCandidate): ProbeOrder {
  const escalated = isOwed(candidate);
  return { route: candidate.route, tokens: escalated ? settings.escalatedTokens : settings.tokens, escalated };
}

function startProbe(round: Round, { route, pass, attempts }: RoundCandidate, { tokens }: ProbeOrder): Round {
  const started = changeCandidate(round, route, {
    phase: 'underway',
    pass: pass ?? passOf(round),
    attempts: attempts + 1,
    reserved: tokens,
  });
  return { ...started, probes: round.probes + 1, tokens: round.tokens + tokens };
}

type Candidates = readonly RoundCandidate[];

const underwayOf = ({ candidates }: Round): Candidates => candidates.filter(({ phase }) => phase === 'underway');

function isBusy(underway: Candidates, { account, provider }: RoundCandidate, view: RoundView): boolean {
  if (underway.some((one) => one.account === account) || view.isBusy(account)) return true;
  return underway.filter((one) => one.provider === provider).length >= view.room(provider);
}

/** Until when a candidate is not to be asked: by a server's own word, and by what is guessed here. */
function waitOf({ accounts }: Round, { account, route }: RoundCandidate, now: number, { standing }: RoundView) {
  const { notBefore, postponedUntil } = accountOf({ accounts }, account);
  const seen = standing(route);
  const { until, told } = seen.word === 'wait' ? seen : { until: now, told: false };
  return {
    told: told ? Math.max(notBefore, until) : notBefore,
    guess: told ? postponedUntil : Math.max(postponedUntil, until),
  };
}

/** A server's word is always kept. In the second pass a guess is waited for within the round's time, and no longer. */
function openingOf(round: Round, candidate: RoundCandidate, now: number, view: RoundView): number {
  const { told, guess } = waitOf(round, candidate, now, view);
  return passOf(round) === 'first_pass' || guess < round.endsAt ? Math.max(told, guess) : told;
}

/** Why a round with nothing under way is over; null: it waits for somebody. */
function endOf({ round, wakeAt }: RoundTurn, open: readonly RoundCandidate[], view: RoundView): Round['end'] {
  const { probes, settings, candidates, ready } = round;
  if (open.length === 0) {
    const models = [...new Set(candidates.flatMap((candidate) => candidate.models))];
    const isMet = models.length > 0 && models.every((model) => (ready[model] ?? 0) >= settings.targetReady);
    return isMet ? 'target_ready' : 'complete';
  }
  if (probes >= settings.maxProbes) return 'max_probes';
  if (open.every((candidate) => !canAfford(round, orderOf(round, candidate).tokens))) return 'max_tokens';
  if (open.some((candidate) => isBusy([], candidate, view))) return null;
  return wakeAt !== null && wakeAt < round.endsAt ? null : 'max_time';
}
