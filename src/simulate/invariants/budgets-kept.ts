import type { Run } from '../world/run.ts';
import { type Blame, collect } from './blame.ts';
import { HAIR_MS, indexRun, millis, type ProbeCase } from './index-run.ts';
import type { Invariant } from './invariant.ts';
import { accountOf, isSent, isUnderway, kindOf } from './probes.ts';

/** (o) */
export const budgetsKept: Invariant = {
  id: 'o',
  promise:
    'probes stay within their budgets of number, tokens and time, and a round asks one route of a credential at once',
  check: (run) =>
    collect('o', (blame) => {
      const { probes } = indexRun(run);
      const recoveries = probes.filter((each) => kindOf(run, each) === 'recovery');
      checkRecoveries(run, recoveries, blame);
      for (const place of run.rounds.keys()) {
        const own = probes.filter((each) => each.probe.round === place && isOfRound(run, each));
        for (const [n, each] of own.entries()) checkProbe(run, { each, before: own.slice(0, n), place }, blame);
      }
      for (const each of probes) if (isOfRound(run, each)) checkAlone(each, probes, blame);
    }),
};

const isOfRound = (run: Run, each: ProbeCase): boolean => {
  const kind = kindOf(run, each);
  return kind === 'first' || kind === 'repeat';
};

const HOUR_MS = 3_600_000;
/** Of one provider. */
const PER_HOUR = 20;
const MOST_TOKENS = 64;

function checkRecoveries({ config }: Run, recoveries: readonly ProbeCase[], blame: Blame): void {
  const sent = new Map<string, number[]>();
  for (const each of recoveries) {
    const { at, route, tokens } = each.probe;
    if (tokens > Math.max(MOST_TOKENS, config.readiness.probe.tokens))
      blame(each.id, `a recovery probe has room for ${tokens} tokens`);
    if (!isSent(each)) continue;
    const kept = (sent.get(route.provider) ?? []).filter((earlier) => earlier > at - HOUR_MS + HAIR_MS);
    if (kept.length >= PER_HOUR) blame(each.id, `recovery probe ${kept.length + 1} of ${route.provider} in an hour`);
    sent.set(route.provider, [...kept, at]);
  }
}

type InRound = { readonly each: ProbeCase; readonly before: readonly ProbeCase[]; readonly place: number };

function checkProbe(run: Run, { each, before, place }: InRound, blame: Blame): void {
  const { config, rounds } = run;
  const { maxProbes, maxTokens, maxTimeMs, maxEscalations } = config.readiness.probe;
  const { at, tokens, route } = each.probe;
  const sinceMs = at - (rounds[place]?.at ?? at);
  if (sinceMs >= maxTimeMs + HAIR_MS)
    blame(each.id, `a probe begins ${millis(sinceMs)} behind its round, which has ${millis(maxTimeMs)}`);
  const counted = before.filter((other) => isUnderway(other, at) || isSent(other));
  if (counted.length >= maxProbes) blame(each.id, `probe ${counted.length + 1} of a round of ${maxProbes}`);
  const spent = counted.reduce((sum, other) => sum + costOf(other, at), 0);
  if (spent + tokens > maxTokens)
    blame(each.id, `${spent} tokens of ${maxTokens} are spent, and ${tokens} are asked for`);
  const repeats = [...counted, each].filter(
    (other) => kindOf(run, other) === 'repeat' && accountOf(other) === accountOf(each),
  ).length;
  if (repeats > maxEscalations) blame(each.id, `repeat ${repeats} of ${accountOf(each)}, which has ${maxEscalations}`);
  checkShare(run, { each, before, place }, route.provider, blame);
}

/** What it was seen to use, or what was set aside for it; of the less where both may count. */
function costOf({ probe, attempts }: ProbeCase, at: number): number {
  if (probe.endedAt === null || probe.endedAt > at + HAIR_MS) return probe.tokens;
  const usage = attempts.at(-1)?.ended?.usage ?? null;
  const isKnown = usage !== null && (usage.inputTokens !== null || usage.outputTokens !== null);
  const used = isKnown ? (usage.inputTokens ?? 0) + (usage.outputTokens ?? 0) : probe.tokens;
  return probe.endedAt < at - HAIR_MS ? used : Math.min(used, probe.tokens);
}

/** Of the places that a provider has here a round takes a tenth, and one at least. */
const SHARE = 0.1;

function checkShare({ config }: Run, { each, before }: InRound, provider: string, blame: Blame): void {
  const limit = config.providers.get(provider)?.limits.concurrency ?? null;
  if (limit === null) return;
  const most = Math.max(1, Math.floor(limit * SHARE));
  const beside = before
    .filter(({ probe }) => probe.route.provider === provider)
    .filter((other) => isUnderway(other, each.probe.at));
  if (beside.length >= most)
    blame(each.id, `${beside.length + 1} probes of a round at ${provider}, which spares ${most}`);
}

function checkAlone(each: ProbeCase, probes: readonly ProbeCase[], blame: Blame): void {
  for (const other of probes) {
    if (other === each) break;
    if (accountOf(other) !== accountOf(each) || !isUnderway(other, each.probe.at)) continue;
    blame(
      each.id,
      `a round asks ${each.probe.route.id} while ${other.probe.route.id} is asked with the same credential`,
    );
    return;
  }
}
