import {
  accountOf,
  canAfford,
  changeAccount,
  changeCandidate,
  countReady,
  denyEscalation,
  type ProbeResult,
  passOf,
  type Round,
  type RoundCandidate,
} from './round.ts';

/** So many 429s of a credential, one behind the other, put the rest of it behind all others; not in the second pass. */
const LIMITED_IN_ROW = 2;

/**
 * What a probe's end changes. `isDry`: its route has shown no text and is not asked for more of it. Unknown routes and
 * second ends change nothing.
 */
export function noteResult(
  before: Round,
  route: string,
  result: ProbeResult,
  now: number,
): { readonly round: Round; readonly isDry: boolean } {
  const candidate = before.candidates.find((one) => one.route === route);
  if (candidate?.phase !== 'underway') return { round: before, isDry: false };
  const { state, status, latencyMs } = result;
  if (state === null) return { round: takeBack(before, candidate), isDry: false };
  const paid = payTokens(before, candidate, result);
  const isRepeat = candidate.attempts > 1;
  const asked = changeCandidate(paid, route, {
    phase: 'done',
    reserved: 0,
    latencyMs,
    status,
    escalation: isRepeat ? 'used' : null,
  });
  const round = noteLimit(asked, candidate, result);
  if (!result.lacksRoom)
    return { round: state === 'ready' ? countReady(round, candidate.models) : round, isDry: false };
  if (isRepeat) return { round, isDry: true };
  if (!mayEscalate(round, candidate, now))
    return { round: denyEscalation(round, { ...candidate, phase: 'done' }), isDry: true };
  return { round: grantEscalation(round, candidate), isDry: false };
}

/** Nothing was sent: it cost nothing, and is not tried again. */
function takeBack(round: Round, { route, attempts, reserved, escalation }: RoundCandidate): Round {
  const left = changeCandidate(round, route, {
    phase: attempts > 1 ? 'done' : 'left',
    attempts: attempts - 1,
    reserved: 0,
    escalation,
  });
  return { ...left, probes: round.probes - 1, tokens: round.tokens - reserved };
}

/** What was really used, where it is known; else what was set aside stays spent. */
function payTokens(round: Round, { reserved }: RoundCandidate, { tokens }: ProbeResult): Round {
  return { ...round, tokens: round.tokens - reserved + (tokens ?? reserved) };
}

function noteLimit(round: Round, { account }: RoundCandidate, { limited }: ProbeResult): Round {
  const known = accountOf(round, account);
  if (limited === null) return known.limitedInRow === 0 ? round : changeAccount(round, account, { limitedInRow: 0 });
  const { until, told } = limited;
  const limitedInRow = known.limitedInRow + 1;
  const isDue = limitedInRow >= LIMITED_IN_ROW && passOf(round) === 'first_pass';
  return changeAccount(round, account, {
    // Once its time has come it begins anew.
    limitedInRow: isDue ? 0 : limitedInRow,
    notBefore: told ? Math.max(known.notBefore, until) : known.notBefore,
    postponedUntil: isDue ? Math.max(known.postponedUntil, until) : known.postponedUntil,
  });
}

/** Candidates of the second pass get no repeats, and no account more than its share. */
function mayEscalate(round: Round, { account, pass }: RoundCandidate, now: number): boolean {
  const { settings, end, endsAt } = round;
  if (end !== null || now >= endsAt || pass !== 'first_pass') return false;
  const isGranted = accountOf(round, account).escalations.used < settings.maxEscalations;
  return isGranted && canAfford(round, settings.escalatedTokens);
}

function grantEscalation(round: Round, { account, route }: RoundCandidate): Round {
  const { used, denied } = accountOf(round, account).escalations;
  const granted = changeAccount(round, account, { escalations: { used: used + 1, denied } });
  return changeCandidate(granted, route, { phase: 'escalation_due' });
}
