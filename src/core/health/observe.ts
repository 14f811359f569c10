import type { Failure } from '../failure/failure.ts';
import { failureOfRow } from '../failure/failure-of-row.ts';
import { flagsOfPart } from '../model/capability.ts';
import {
  type CircuitFailure,
  type CircuitVerdict,
  climbRamp,
  countAnswer,
  countFailure,
  countSuccess,
  releaseSlot,
} from './circuit.ts';
import { clearHold, extendHold, isLate } from './hold.ts';
import { isLearnable } from './learnt-capabilities.ts';
import type { Observation } from './observation.ts';
import { asProbed } from './probe-failure.ts';
import { isCurrent, scopeOf, updateScope } from './scope.ts';
import type { HealthSettings } from './settings.ts';
import type { HealthState, LastResult, ScopeHealth, ScopeKind, Slow } from './state.ts';
import { costOf, isShortened, isSlowness, type Verdict, verdictOn } from './verdict.ts';

type Circuits = 'route' | 'endpoint';

const CIRCUITS: readonly Circuits[] = ['route', 'endpoint'];

/**
 * The state after one observation. Total: whatever is observed, in whatever order, a state comes out; what says nothing
 * new gives back the state that came in.
 */
export function observe(state: HealthState, observation: Observation, settings: HealthSettings): HealthState {
  if (!isCurrent(state, observation.route)) return state;
  const { probe, failure } = observation;
  const seen = probe && failure !== null ? { ...observation, failure: asProbed(failure) } : observation;
  return HANDLERS[seen.kind](state, seen, settings);
}

type Handler = (state: HealthState, observation: Observation, settings: HealthSettings) => HealthState;

const HANDLERS: Readonly<Record<Observation['kind'], Handler>> = {
  first_output: (state, seen) => onCircuits(state, seen, climbRamp),
  success: onSuccess,
  failure: (state, seen, settings) =>
    seen.failure === null ? release(state, seen) : onFailure(state, seen, seen.failure, settings),
  slow: (state, seen, settings) => release(slowDown(state, seen, settings), seen),
  released: onReleased,
  another_answered: onAnotherAnswered,
};

function onSuccess(state: HealthState, seen: Observation): HealthState {
  let next = onCircuits(state, seen, countSuccess);
  for (const kind of ['route', 'target', 'credential'] as const) {
    next = updateScope(next, kind, seen.route, (scope) => {
      const hold = clearHold(scope.hold, seen.startedAt, seen.at);
      return hold === scope.hold ? scope : { ...scope, hold };
    });
  }
  const proved = seen.withoutParts ?? [];
  if (proved.length > 0) next = learn(next, seen, proved);
  return updateScope(next, 'route', seen.route, (scope) => ({
    ...scope,
    slow: scope.slow !== null && scope.slow.since <= seen.startedAt ? null : scope.slow,
    provedAt: seen.at,
    last: { outcome: 'ok', at: seen.at, ms: lengthOf(seen), status: null, reason: null },
  }));
}

function onFailure(state: HealthState, seen: Observation, failure: Failure, settings: HealthSettings): HealthState {
  let next = state;
  // The circuit comes first: it asks for the hold that was on when the failure came, not for the one that it causes.
  for (const kind of CIRCUITS) {
    next = applyVerdict(next, kind, verdictOn(kind, seen, failure), seen, failure, settings);
  }
  if (isSlowness(failure) && !isShortened(seen)) next = slowDown(next, seen, settings);
  if (failure.hold !== null && failure.scope !== 'none') next = hold(next, failure.scope, seen, failure, settings);
  // Refused parts are believed once a request without them is answered.
  if (failure.feature !== null && isLearnable(failure.feature)) next = learn(next, seen, [failure.feature]);
  const last = lastOf(seen, failure);
  next = updateScope(next, 'route', seen.route, (scope) => ({ ...scope, last }));
  return failure.scope === 'none' || failure.scope === 'route'
    ? next
    : updateScope(next, failure.scope, seen.route, (scope) => ({ ...scope, last }));
}

function applyVerdict(
  state: HealthState,
  kind: Circuits,
  verdict: Verdict,
  seen: Observation,
  failure: Failure,
  settings: HealthSettings,
): HealthState {
  if (verdict === 'released') return onCircuit(state, kind, seen, releaseSlot);
  if (verdict === 'answered') return onCircuit(state, kind, seen, countAnswer);
  // A failure that says nothing new gives back its place all the same.
  if (kind === 'route' && isLateForRoute(state, seen)) return onCircuit(state, kind, seen, releaseSlot);
  return fail(state, kind, seen, failure, failure.weight, settings);
}

function fail(
  state: HealthState,
  kind: Circuits,
  seen: Observation,
  failure: Failure,
  weight: number,
  { breaker }: HealthSettings,
): HealthState {
  const counted = {
    ...verdictFacts(seen),
    target: seen.route.target,
    weight,
    turn: seen.turn,
    isConnect: failure.outcome === 'connect_error',
    cause: failure.outcome,
    reason: failure.reason,
    costMs: costOf(seen, failure),
    isDecisive: seen.probe,
  };
  const isQuorum = kind === 'route' ? () => true : isWidespread;
  return updateScope(state, kind, seen.route, (scope) =>
    withCircuit(scope, countFailure(scope.circuit, counted, breaker, isQuorum)),
  );
}

/**
 * A hold that began after the attempt was sent is on: the attempt's failure keeps the route out no longer than that.
 */
function isLateForRoute(state: HealthState, seen: Observation): boolean {
  return (['route', 'target', 'credential'] as const).some((kind) =>
    isLate(scopeOf(state, kind, seen.route).hold, seen.startedAt, seen.at),
  );
}

/**
 * Failures of an endpoint, and not of one model on it: of two routes that could not connect, or of two models that fell
 * silent.
 */
function isWidespread(failures: readonly CircuitFailure[]): boolean {
  const routes = new Set(failures.map((failure) => failure.route));
  const targets = new Set(failures.map((failure) => failure.target));
  return routes.size >= 2 && (targets.size >= 2 || failures.some((failure) => failure.isConnect));
}

/**
 * The ½ of an empty answer counts now: another target had one to give. Its attempt has ended before and has no place any
 * more: what looks like it may be another attempt's.
 */
function onAnotherAnswered(state: HealthState, seen: Observation, settings: HealthSettings): HealthState {
  if (isLateForRoute(state, seen)) return state;
  const failure: Failure = seen.failure ?? EMPTY_COMPLETION;
  const weight = failure.weight > 0 ? failure.weight : EMPTY_COMPLETION.weight;
  return fail(state, 'route', seen, failure, weight, settings);
}

const EMPTY_COMPLETION: Failure = failureOfRow('no_output', 'an answer without output, where another target had one');

function slowDown(state: HealthState, seen: Observation, settings: HealthSettings): HealthState {
  if (isLateForRoute(state, seen)) return state;
  const cost = seen.failure === null ? lengthOf(seen) : costOf(seen, seen.failure);
  const slow: Slow = {
    since: seen.at,
    until: seen.at + settings.breaker.slowFactor * cost,
    cause: seen.failure?.outcome ?? 'slow',
    reason: seen.failure?.reason ?? 'it was silent for so long that it was left',
  };
  return updateScope(state, 'route', seen.route, (scope) => {
    const isOutlasted = scope.slow !== null && scope.slow.until >= slow.until;
    return isOutlasted ? scope : { ...scope, slow };
  });
}

function hold(
  state: HealthState,
  kind: ScopeKind,
  seen: Observation,
  failure: Failure,
  settings: HealthSettings,
): HealthState {
  if (failure.hold === null) return state;
  const { at, startedAt, turn } = seen;
  const { outcome, reason, toldDelayMs } = failure;
  // An account-wide limit is one of the credential, whatever the table's row says of routes.
  const scopeKind = failure.hold === 'rate_limited' && seen.route.accountWideLimit ? 'credential' : kind;
  const cause = { kind: failure.hold, cause: outcome, reason, toldMs: toldDelayMs, startedAt, at, turn };
  return updateScope(state, scopeKind, seen.route, (scope) => {
    const next = extendHold(scope.hold, cause, settings);
    return next === scope.hold ? scope : { ...scope, hold: next };
  });
}

/**
 * Clients choose which flags a target gets to refuse, so these have a bound: the oldest go first, and nothing else
 * does.
 */
const MAX_LEARNT = 64;

function learn(state: HealthState, seen: Observation, refused: readonly string[]): HealthState {
  return updateScope(state, 'target', seen.route, (scope) => {
    const older = Object.entries(scope.learnt).filter(([name]) => !refused.includes(name));
    const all = [...older, ...refused.map((name): [string, number] => [name, seen.at])];
    const isFlag = ([name]: readonly [string, number]): boolean => flagsOfPart(name) !== null;
    const kept = new Set(all.filter(isFlag).slice(-MAX_LEARNT));
    return { ...scope, learnt: Object.fromEntries(all.filter((entry) => !isFlag(entry) || kept.has(entry))) };
  });
}

function release(state: HealthState, seen: Observation): HealthState {
  return onCircuits(state, seen, releaseSlot);
}

/** Without a verdict on the route, but perhaps with a lesson about its target. */
function onReleased(state: HealthState, seen: Observation): HealthState {
  const feature = seen.failure?.feature ?? null;
  const next = release(state, seen);
  return feature !== null && isLearnable(feature) ? learn(next, seen, [feature]) : next;
}

type CircuitStep = (circuit: ScopeHealth['circuit'], verdict: CircuitVerdict) => ScopeHealth['circuit'];

function onCircuits(state: HealthState, seen: Observation, step: CircuitStep): HealthState {
  return CIRCUITS.reduce((next, kind) => onCircuit(next, kind, seen, step), state);
}

function onCircuit(state: HealthState, kind: Circuits, seen: Observation, step: CircuitStep): HealthState {
  return updateScope(state, kind, seen.route, (scope) => withCircuit(scope, step(scope.circuit, verdictFacts(seen))));
}

function withCircuit(scope: ScopeHealth, circuit: ScopeHealth['circuit']): ScopeHealth {
  return circuit === scope.circuit ? scope : { ...scope, circuit };
}

function verdictFacts(seen: Observation): CircuitVerdict {
  return { route: seen.route.id, startedAt: seen.startedAt, at: seen.at, trial: seen.trial };
}

function lengthOf(seen: Observation): number {
  return Math.max(0, seen.at - seen.startedAt);
}

function lastOf(seen: Observation, failure: Failure): LastResult {
  const { outcome, status, reason } = failure;
  return { outcome, at: seen.at, ms: lengthOf(seen), status, reason };
}
