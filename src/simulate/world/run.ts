import type { RuntimeConfig } from '../../config/runtime.ts';
import type { Fact, RequestLedger } from '../../core/attempt/ledger.ts';
import type { HealthState } from '../../core/health/state.ts';
import type { Protocol } from '../../core/model/protocol.ts';
import type { ReadinessReport } from '../../core/readiness/report.ts';
import type { Route } from '../../core/routing/candidate.ts';
import type { Ask } from '../client/ask.ts';
import type { ClientView } from '../client/view.ts';
import type { Behaviour, Scenario } from '../scenario/scenario.ts';
import type { SimulatedClient } from './simulated-client.ts';

/** What a whole answer of one send says, as the provider meant it. */
export type Truth = {
  /** Visible words in order, each with the mark `<send.n>` of its send. */
  readonly text: string;
  readonly reasoning: string;
  readonly tools: readonly { readonly id: string; readonly name: string; readonly args: string }[];
  /** Null: not reported. */
  readonly usage: { readonly inputTokens: number; readonly outputTokens: number } | null;
  readonly finish: 'stop' | 'length' | 'filter';
  /** Its bytes, if all of them come, are a valid answer of the protocol, with its end. */
  readonly isWhole: boolean;
  /** From the send to the last byte of a whole answer, if the gateway reads at once; null: it has no end. */
  readonly lastsMs: number | null;
  /** From the send to the first output; null: there is none. */
  readonly firstOutputMs: number | null;
};

/** One physical send, as the provider saw it. */
export type SimulatedSend = {
  /** From 0, over all of the run. */
  readonly n: number;
  /** Epoch ms of the virtual clock, as all `…At` here. */
  readonly at: number;
  readonly request: string;
  /** `n` of the attempt, from 1. */
  readonly attempt: number;
  readonly route: Route;
  readonly protocol: Protocol;
  readonly behaviour: Behaviour;
  /** Null: what it does is no answer. */
  readonly truth: Truth | null;
  /** A delay that a 429 or 503 told in its head, as an instant; null: none. */
  readonly toldUntil: number | null;
  readonly headAt: number | null;
  /** When the gateway cut it off; null: it did not. */
  readonly abortedAt: number | null;
  /** When nothing more could come, whoever ended it; null: still open. */
  readonly endedAt: number | null;
  /** Bytes of the body that the gateway was handed. */
  readonly delivered: number;
};

/** A fact with what health was when it was written. States never change once made. */
export type SeenFact = { readonly fact: Fact; readonly health: HealthState };

export type SimulatedRequest = {
  readonly id: string;
  readonly at: number;
  readonly ask: Ask;
  readonly client: SimulatedClient;
  readonly facts: readonly SeenFact[];
  /** Folded from the facts by the product's own `recordFact`. */
  readonly ledger: RequestLedger;
  /** What a client library would make of the answer; read once, when first asked for. */
  view(): ClientView;
  /** When `serve` was over; null: it never was. */
  readonly servedAt: number | null;
  /** The request of which the client made this one when it asked again; null: a first one. */
  readonly retryOf: string | null;
};

/** A request that the gateway made for itself. */
export type SimulatedProbe = Pick<SimulatedRequest, 'id' | 'at' | 'facts'> & {
  readonly route: Route;
  readonly model: string;
  /** Limit of the answer's tokens, and of the wait for its first output. */
  readonly tokens: number;
  readonly limitMs: number;
  /** Health when it was asked for. */
  readonly health: HealthState;
  /** Place in `Run.rounds` of the one that was on when it began; null: none was. */
  readonly round: number | null;
  /** Null: nothing is on record. */
  readonly ledger: RequestLedger | null;
  readonly hasOutput: boolean;
  /** When the engine was done with it; null: it never was. */
  readonly endedAt: number | null;
};

export type SimulatedRound = {
  readonly at: number;
  readonly models: readonly string[];
  /** Null: it never ended. */
  readonly endedAt: number | null;
};

/** A report of readiness, with what health was when it was made. */
export type SeenReport = { readonly at: number; readonly report: ReadinessReport; readonly health: HealthState };

/** All that happened in a world. */
export type Run = {
  readonly scenario: Scenario;
  readonly config: RuntimeConfig;
  readonly startedAt: number;
  /** Nothing could happen any more. */
  readonly quietAt: number;
  readonly requests: readonly SimulatedRequest[];
  readonly sends: readonly SimulatedSend[];
  /** All facts, in the order in which they were written. */
  readonly log: readonly SeenFact[];
  readonly probes: readonly SimulatedProbe[];
  readonly rounds: readonly SimulatedRound[];
  readonly reports: readonly SeenReport[];
  /** When the prober was closed; null: nobody probed. */
  readonly probedUntil: number | null;
  /** What telemetry heard. */
  readonly told: readonly RequestLedger[];
  /** Ids of the probes whose end it heard of. */
  readonly toldProbes: readonly string[];
  readonly healthChanges: readonly HealthChange[];
  readonly notices: readonly string[];
  readonly peaks: { readonly bufferedBytes: number; readonly inFlight: number; readonly openSends: number };
  /**
   * What this route would have answered to this request at this moment, had it been asked with its limits and quotas as
   * they were; null: nothing whole. Nothing is changed by asking.
   */
  answersOf(route: Route, request: SimulatedRequest, at: number): Truth | null;
  /** What the engine left behind: timers, exchanges, requests, bytes; and calls that break a port's rules. */
  readonly leftovers: readonly string[];
  /** Secrets of the world: none may stand in anything that leaves the gateway, but in its requests to their provider. */
  readonly secrets: readonly string[];
  /** Steps of the clock, for the speed of the simulator. */
  readonly steps: number;
};

export type HealthChange = {
  readonly at: number;
  readonly scope: string;
  readonly id: string;
  readonly from: string;
  readonly to: string;
  readonly until: number | null;
  readonly reason: string | null;
};
