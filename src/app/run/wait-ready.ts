import type { ReadinessReport, ReportedModel, ReportedRoute } from '../../core/readiness/report.ts';
import { blameOfWord } from '../../core/readiness/request-blame.ts';
import type { Clock } from '../../port/clock.ts';
import type { Prober } from '../../prober/index.ts';

export type ReadyWait = {
  readonly prober: Pick<Prober, 'probe' | 'report' | 'ready'>;
  readonly clock: Clock;
  /** The model that has to have so many ready routes. */
  readonly model: string;
  readonly min: number;
  readonly timeoutMs: number;
  /** Looked at again and again: somebody wants it to end. */
  readonly isStopped: () => boolean;
  /** The round that was begun for it has ended, which may be long after this. */
  readonly onRound: (report: ReadinessReport) => void;
  /** Called once, when it takes long; `ready`: so many there are by then. */
  readonly onLong: (report: ReadinessReport, ready: number) => void;
};

export type ReadyEnd = {
  /** `hopeless`: the round is over, and no route comes back before the time is. */
  readonly end: 'ready' | 'time' | 'hopeless' | 'stopped';
  readonly waitedMs: number;
  readonly ready: number;
};

const LOOK_EVERY_MS = 20;

/** Whoever looks on wonders by then what goes on. */
const LONG_MS = 5_000;

/** Waits until a model has its ready routes, as long as that can still come. Never rejects. */
export async function waitReady(wait: ReadyWait): Promise<ReadyEnd> {
  const { prober, clock, model } = wait;
  const startedAt = clock.now();
  const endsAt = startedAt + wait.timeoutMs;
  let isRoundOver = false;
  let isToldLong = false;
  const finish = (report: ReadinessReport | null): void => {
    isRoundOver = true;
    if (report !== null) wait.onRound(report);
  };
  void prober.probe(null).then(finish, () => finish(null));
  for (;;) {
    const ready = prober.ready().get(model) ?? 0;
    const now = clock.now();
    const end = endOf(wait, { ready, now, endsAt, isRoundOver });
    if (end !== null) return { end, waitedMs: Math.round(now - startedAt), ready };
    if (!isToldLong && now - startedAt >= LONG_MS) {
      isToldLong = true;
      wait.onLong(prober.report(), ready);
    }
    await new Promise<void>((resolve) => clock.setTimer(Math.min(LOOK_EVERY_MS, endsAt - now), resolve));
  }
}

type Moment = { readonly ready: number; readonly now: number; readonly endsAt: number; readonly isRoundOver: boolean };

/** Why the wait is over; null: it is not. */
function endOf(
  { prober, model, min, isStopped }: ReadyWait,
  { ready, now, endsAt, isRoundOver }: Moment,
): ReadyEnd['end'] | null {
  if (isStopped()) return 'stopped';
  if (ready >= min) return 'ready';
  if (now >= endsAt) return 'time';
  return isRoundOver && !hasHope(prober.report(), model, endsAt) ? 'hopeless' : null;
}

const modelOf = ({ models }: ReadinessReport, name: string): ReportedModel | undefined =>
  models.find(({ model }) => model === name);

/** Some route that is not ready may be before then. */
function hasHope(report: ReadinessReport, model: string, until: number): boolean {
  const routes = modelOf(report, model)?.routes ?? [];
  return routes.some(({ state, next_check_at: next }) => {
    if (state === 'ready' || state === 'slow') return false;
    return next === null ? state !== 'rejected' : Date.parse(next) <= until;
  });
}

/** What is waited for, and how its routes stand. */
export function explainWait(report: ReadinessReport, model: string, ready: number, min: number): string {
  const what = min > 1 ? `${min} routes of ${model}` : `a route of ${model}`;
  const counts = [...(ready > 0 ? [`${ready} ready`] : []), ...countStates(outOf(report, model))];
  return `waiting for ${what}: ${counts.length === 0 ? 'it has no routes so far' : counts.join('; ')}`;
}

const outOf = (report: ReadinessReport, model: string): readonly ReportedRoute[] =>
  (modelOf(report, model)?.routes ?? []).filter(({ state }) => state !== 'ready' && state !== 'slow');

/** Why nobody is ready: in words, and whether only the configuration's author can do something. */
export function explainUnready(
  report: ReadinessReport,
  model: string,
  { end, waitedMs, ready }: ReadyEnd,
  min: number,
): { readonly why: string; readonly misconfigured: boolean } {
  const seconds = `${(waitedMs / 1000).toFixed(1)} s`;
  const out = outOf(report, model);
  const head = min > 1 ? `${ready} of ${min} wanted routes of ${model} ready` : `no route of ${model} is ready`;
  const tail = end === 'hopeless' ? `, and none comes back in time` : '';
  const troubles = report.providers.flatMap(({ provider, error }) =>
    error === undefined ? [] : [{ provider, error }],
  );
  const lists = troubles.map(({ provider, error }) => `${provider} gave no list of models (${error})`);
  const causes = [...countStates(out), ...lists].join('; ');
  return {
    why: `${head} after ${seconds}${tail}: ${causes === '' ? 'it has no routes' : causes}`,
    misconfigured: ready === 0 && isMisconfigured(out, troubles),
  };
}

/** `4 rejected (auth 3, model_gone 1)` */
function countStates(routes: readonly ReportedRoute[]): readonly string[] {
  return [...countBy(routes, ({ state }) => state)].map(([state, count]) => {
    const reasons = countBy(
      routes.filter((route) => route.state === state),
      ({ reason }) => reason ?? '',
    );
    const told = [...reasons].filter(([reason]) => reason !== '').map(([reason, times]) => `${reason} ${times}`);
    return `${count} ${STATE_WORDS[state] ?? state}${told.length === 0 ? '' : ` (${told.join(', ')})`}`;
  });
}

const STATE_WORDS: Readonly<Record<string, string>> = { unreached: 'without an answer so far' };

function countBy<T>(items: readonly T[], wordOf: (item: T) => string): ReadonlyMap<string, number> {
  const counts = new Map<string, number>();
  for (const item of items) counts.set(wordOf(item), (counts.get(wordOf(item)) ?? 0) + 1);
  return counts;
}

const isOfConfiguration = (word: string | null): boolean => word !== null && blameOfWord(word) === 'configuration';

/** Each route, and where there are none each list, was refused by reason of the gateway's own keys and names. */
function isMisconfigured(routes: readonly ReportedRoute[], troubles: readonly { readonly error: string }[]): boolean {
  if (routes.length > 0) return routes.every(({ reason }) => isOfConfiguration(reason));
  return troubles.length > 0 && troubles.every(({ error }) => isOfConfiguration(error));
}
