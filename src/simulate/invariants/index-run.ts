import { resolveModel } from '../../config/resolve.ts';
import type { Fact } from '../../core/attempt/ledger.ts';
import { providerOf } from '../../core/attempt/pick.ts';
import type { HealthState } from '../../core/health/state.ts';
import type { ModelSettings } from '../../core/model/settings.ts';
import type { VirtualModel } from '../../core/routing/candidate.ts';
import type { ClientView } from '../client/view.ts';
import type { Run, SeenFact, SimulatedProbe, SimulatedRequest, SimulatedSend } from '../world/run.ts';
import { slackMs } from './slack.ts';

export type FactOf<T extends Fact['type']> = Extract<Fact, { type: T }>;

/** One attempt: what the facts say of it, and the send that its provider saw. */
export type AttemptCase = {
  readonly n: number;
  readonly started: FactOf<'attempt_started'>;
  /** Health when it was written down, its own claim included. */
  readonly startedHealth: HealthState;
  readonly committed: FactOf<'committed'> | null;
  readonly ended: FactOf<'attempt_ended'> | null;
  /**
   * When its route was chosen, at the earliest: its plan tells, and of a first attempt its request's. It may have waited
   * for a place since.
   */
  readonly chosenAt: number;
  /** Null: the provider never saw it. */
  readonly send: SimulatedSend | null;
};

/** A request of a client or of the gateway itself, as its facts tell it. */
export type AnyCase = {
  readonly id: string;
  readonly at: number;
  readonly facts: readonly SeenFact[];
  readonly started: FactOf<'request_started'> | null;
  readonly ended: FactOf<'request_ended'> | null;
  /** Health when its end was written down: what the last decision saw. */
  readonly endedHealth: HealthState | null;
  readonly attempts: readonly AttemptCase[];
  /** The attempt that the answer is bound to. */
  readonly served: AttemptCase | null;
};

/** One request of a client, with all that belongs to it. */
export type RequestCase = AnyCase & {
  readonly request: SimulatedRequest;
  /** Null: the configuration does not have it. */
  readonly model: VirtualModel | null;
  /** Whose the trials of open circuits are. */
  readonly trials: 'anybody' | 'prober';
  readonly view: ClientView;
};

export type ProbeCase = AnyCase & { readonly probe: SimulatedProbe };

export type RunIndex = {
  readonly run: Run;
  readonly cases: readonly RequestCase[];
  readonly probes: readonly ProbeCase[];
  readonly all: readonly AnyCase[];
  /** Attempts by route, in the order in which they began. */
  readonly byRoute: ReadonlyMap<string, readonly AttemptCase[]>;
  readonly byProvider: ReadonlyMap<string, readonly AttemptCase[]>;
};

const indexes = new WeakMap<Run, RunIndex>();

/** Puts together what belongs together, once for each run. */
export function indexRun(run: Run): RunIndex {
  const known = indexes.get(run);
  if (known !== undefined) return known;
  const sends = groupBy(run.sends, ({ request }) => request);
  const models = new Map<string, VirtualModel | null>();
  const modelOf = (name: string): VirtualModel | null => {
    const model = models.get(name);
    if (model !== undefined) return model;
    const found = resolveModel(run.config, name) ?? null;
    models.set(name, found);
    return found;
  };
  const trials = run.probedUntil === null ? 'anybody' : 'prober';
  const cases = run.requests.map((request): RequestCase => {
    const told = readFacts(run, request, sends.get(request.id) ?? []);
    const model = modelOf(request.ask.model);
    return {
      ...told,
      request,
      model,
      trials,
      get view() {
        return request.view();
      },
    };
  });
  const probes = run.probes.map((probe) => ({ ...readFacts(run, probe, sends.get(probe.id) ?? []), probe }));
  const all = [...cases, ...probes];
  const attempts = all.flatMap((each) => each.attempts).toSorted(byStart);
  const index: RunIndex = {
    run,
    cases,
    probes,
    all,
    byRoute: groupBy(attempts, ({ started }) => started.route),
    byProvider: groupBy(attempts, ({ started }) => providerOf(started.route)),
  };
  indexes.set(run, index);
  return index;
}

const byStart = (one: AttemptCase, other: AttemptCase): number =>
  one.started.at - other.started.at || (one.send?.n ?? 0) - (other.send?.n ?? 0);

export function groupBy<T>(values: readonly T[], keyOf: (value: T) => string): ReadonlyMap<string, readonly T[]> {
  const groups = new Map<string, T[]>();
  for (const value of values) {
    const key = keyOf(value);
    const group = groups.get(key);
    if (group === undefined) groups.set(key, [value]);
    else group.push(value);
  }
  return groups;
}

type Mutable<T> = { -readonly [K in keyof T]: T[K] };

/** The first fact of each kind counts here; that there is no second is another matter. */
function readFacts(
  run: Run,
  { id, at, facts }: Pick<SimulatedRequest, 'id' | 'at' | 'facts'>,
  sends: readonly SimulatedSend[],
): AnyCase {
  const attempts: Mutable<AttemptCase>[] = [];
  let started: AnyCase['started'] = null;
  let ended: AnyCase['ended'] = null;
  let endedHealth: HealthState | null = null;
  let served: Mutable<AttemptCase> | null = null;
  for (const { fact, health } of facts) {
    if (fact.type === 'request_started') started ??= fact;
    else if (fact.type === 'request_ended') {
      ended ??= fact;
      endedHealth ??= health;
    } else if (fact.type === 'attempt_started') {
      const send = sends.find(({ attempt }) => attempt === fact.n) ?? null;
      const chosenAt = choiceAt(run, started, fact);
      attempts.push({ n: fact.n, started: fact, startedHealth: health, chosenAt, committed: null, ended: null, send });
    } else {
      const attempt = attempts.find(({ n }) => n === fact.n);
      if (attempt === undefined) continue;
      if (fact.type === 'attempt_ended') attempt.ended ??= fact;
      else if (fact.type === 'committed') {
        attempt.committed ??= fact;
        served ??= attempt;
      }
    }
  }
  return { id, at, facts, started, ended, endedHealth, attempts, served };
}

function choiceAt(run: Run, request: AnyCase['started'], { at, plan, route }: AttemptCase['started']): number {
  const earliest = at - slackMs(run, providerOf(route));
  return plan?.at ?? Math.max(request?.plan?.at ?? earliest, earliest);
}

/**
 * Health around the moment at which an attempt's route was chosen: the last that is on record before it, and that of its
 * start. What other requests did at the very same moment lies between the two, so that only what both say is sure. One
 * alone where time has passed in between.
 */
export function choiceHealths(
  { request, attempts }: RequestCase,
  { n, started, startedHealth }: AttemptCase,
): readonly HealthState[] {
  const before = request.facts.findLast(({ fact }) => isBefore(fact, n));
  const at = attempts[n - 2]?.ended?.at ?? request.at;
  return before === undefined || started.at > at + HAIR_MS ? [startedHealth] : [before.health, startedHealth];
}

const isBefore = (fact: Fact, n: number): boolean =>
  n === 1 ? fact.type === 'request_started' : fact.type === 'attempt_ended' && fact.n === n - 1;

/** Settings of the target that an attempt went to; null: it is no target of the model. */
export const settingsOf = ({ model }: RequestCase, { started }: AttemptCase): ModelSettings | null =>
  model?.targets.find(({ id }) => id === started.target)?.settings ?? null;

/** Moments are fractions of milliseconds now and then; what is closer than this is the same. */
export const HAIR_MS = 0.01;

/** What a timer may be late. */
export const TICK_MS = 1;

export const millis = (ms: number): string => `${Math.round(ms * 100) / 100} ms`;
