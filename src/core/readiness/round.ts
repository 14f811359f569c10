import type { AvailabilityState } from '../health/availability.ts';
import type { ReportedStage } from './report.ts';
import type { ProbeSettings } from './settings.ts';
import type { Standing } from './standing.ts';

export type RoundSettings = Pick<
  ProbeSettings,
  'targetReady' | 'maxProbes' | 'maxTokens' | 'tokens' | 'escalatedTokens' | 'maxEscalations'
>;

export type Pass = 'first_pass' | 'second_pass';

/** A route that a round may ask, once for all models that list it, and what came of that. */
export type RoundCandidate = {
  readonly route: string;
  readonly provider: string;
  /** `provider/name` of its credential. */
  readonly account: string;
  readonly models: readonly string[];
  /** `left`: something became known of it before it was asked, or nothing could be sent. */
  readonly phase: 'waiting' | 'underway' | 'escalation_due' | 'done' | 'left';
  /** In which it was first asked. */
  readonly pass: Pass | null;
  readonly attempts: number;
  /** The repeat with more tokens: got, or not granted. */
  readonly escalation: 'used' | 'denied' | null;
  /** Tokens that are set aside for the probe under way. */
  readonly reserved: number;
  readonly latencyMs: number | null;
  readonly status: number | null;
};

/** What a round learns of a credential. */
export type Account = {
  /** 429s, one behind the other. */
  readonly limitedInRow: number;
  /** Its remaining candidates stand behind all others until then. */
  readonly postponedUntil: number;
  /** A server's own word: nothing is sent before. */
  readonly notBefore: number;
  readonly escalations: { readonly used: number; readonly denied: number };
};

export type RoundStage = {
  readonly stage: ReportedStage['stage'];
  readonly startedAt: number;
  readonly endedAt: number | null;
  readonly end: ReportedStage['end'] | null;
};

/**
 * A round over the routes of some models: plain data, changed by steps. Candidates stand in the order in which they are
 * asked. All instants are epoch ms.
 */
export type Round = {
  readonly settings: RoundSettings;
  readonly endsAt: number;
  readonly candidates: readonly RoundCandidate[];
  readonly accounts: Readonly<Record<string, Account>>;
  /** Ready routes of each model, those that were proved before it among them. */
  readonly ready: Readonly<Record<string, number>>;
  readonly probes: number;
  readonly tokens: number;
  readonly stages: readonly RoundStage[];
  /** Null while it is on. */
  readonly end: ReportedStage['end'] | null;
};

/** What a round asks of the world at a moment. */
export type RoundView = {
  readonly standing: (route: string) => Standing;
  /** Somebody else sends with this credential just now. */
  readonly isBusy: (account: string) => boolean;
  /** How many more probes may be under way at this provider. */
  readonly room: (provider: string) => number;
};

/** A probe that is to be sent now. */
export type ProbeOrder = { readonly route: string; readonly tokens: number; readonly escalated: boolean };

/** What a probe showed. */
export type ProbeResult = {
  /** Null: nothing was sent, or it was stopped. */
  readonly state: AvailabilityState | null;
  readonly status: number | null;
  /** To the first output, or to the end that came before one. */
  readonly latencyMs: number;
  /** Asked for and reported; null: nobody told. */
  readonly tokens: number | null;
  /** It ended without text, and more tokens might have helped. */
  readonly lacksRoom: boolean;
  /** A 429: when the route may be asked again, and whether a server said so. */
  readonly limited: { readonly until: number; readonly told: boolean } | null;
};

const NEW_ACCOUNT: Account = {
  limitedInRow: 0,
  postponedUntil: 0,
  notBefore: 0,
  escalations: { used: 0, denied: 0 },
};

export const accountOf = (round: Pick<Round, 'accounts'>, account: string): Account =>
  round.accounts[account] ?? NEW_ACCOUNT;

export const passOf = ({ stages }: Round): Pass =>
  stages.at(-1)?.stage === 'second_pass' ? 'second_pass' : 'first_pass';

export function changeAccount(round: Round, account: string, change: Partial<Account>): Round {
  return { ...round, accounts: { ...round.accounts, [account]: { ...accountOf(round, account), ...change } } };
}

export function changeCandidate(round: Round, route: string, change: Partial<RoundCandidate>): Round {
  const candidates = round.candidates.map((one) => (one.route === route ? { ...one, ...change } : one));
  return { ...round, candidates };
}

/** One more ready route of each of these models. */
export function countReady(round: Round, models: readonly string[]): Round {
  const more = models.map((model): [string, number] => [model, (round.ready[model] ?? 0) + 1]);
  return { ...round, ready: { ...round.ready, ...Object.fromEntries(more) } };
}

/** What it may still cost: a probe, and so many tokens. */
export const canAfford = ({ probes, tokens, settings }: Round, more: number): boolean =>
  probes < settings.maxProbes && tokens + more <= settings.maxTokens;

/**
 * The round with its last stage closed. Whoever still waits for a repeat with more tokens does not get it, and is named.
 */
export function endRound(
  round: Round,
  end: NonNullable<Round['end']>,
  now: number,
): { readonly round: Round; readonly dry: readonly string[] } {
  const waiting = round.candidates.filter(({ phase }) => phase === 'escalation_due');
  const denied = waiting.reduce(denyEscalation, round);
  const stages = denied.stages.map((stage) => (stage.endedAt === null ? { ...stage, endedAt: now, end } : stage));
  return { round: { ...denied, stages, end }, dry: waiting.map(({ route }) => route) };
}

export function denyEscalation(round: Round, { route, account, phase }: RoundCandidate): Round {
  const { used, denied } = accountOf(round, account).escalations;
  // One that was granted and can't be sent any more was not used.
  const escalations = { used: phase === 'escalation_due' ? used - 1 : used, denied: denied + 1 };
  return changeCandidate(changeAccount(round, account, { escalations }), route, {
    phase: 'done',
    escalation: 'denied',
  });
}
