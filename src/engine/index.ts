import type { Owner, RequestLedger } from '../core/attempt/ledger.ts';
import type { ClassifierRow } from '../core/failure/table.ts';
import type { Issuer } from '../core/routing/affinity-state.ts';
import type { Route, Target } from '../core/routing/candidate.ts';
import type { Plan } from '../core/routing/plan.ts';
import type { Sampling } from '../core/trace/index.ts';
import type { Clock } from '../port/clock.ts';
import type { Downstream } from '../port/downstream.ts';
import type { HealthStore } from '../port/health-store.ts';
import type { HttpClient } from '../port/http-client.ts';
import type { LedgerStore } from '../port/ledger-store.ts';
import type { Random } from '../port/random.ts';
import type { Telemetry } from '../port/telemetry.ts';
import type { TranslationPool } from '../port/translation-pool.ts';
import type { Call, EngineSettings, Rejection } from './types.ts';

export type { Issuer } from '../core/routing/affinity-state.ts';
export type { Call, EngineSettings, Rejection } from './types.ts';

export type EnginePorts = {
  readonly clock: Clock;
  readonly random: Random;
  readonly http: HttpClient;
  readonly ledger: Pick<LedgerStore, 'append'>;
  readonly health: Pick<HealthStore, 'snapshot' | 'observe' | 'claimTrial'>;
  readonly telemetry: Pick<Telemetry, 'requestEnded' | 'attemptStarted' | 'attemptEnded' | 'notice'>;
  /** For what is too large to be read here. */
  readonly translation: Pick<TranslationPool, 'open'>;
  readonly owner: Owner;
  /** A provider's rows of the failure table, by the provider's name. */
  readonly failureRows: (provider: string) => readonly ClassifierRow[];
  /** Takes secrets out of a text that a provider wrote. */
  readonly clean: (text: string) => string;
  /** Requests and attempts get places in traces. Absent: nobody traces, and a client's own place goes on as it came. */
  readonly sampling?: Sampling;
};

/** A request that the gateway makes for itself. */
export type Probe = {
  readonly id: string;
  /** Which virtual model it is made for, for the record. */
  readonly model: string;
  readonly target: Target;
  readonly route: Route;
  /** Limit of the answer's tokens. */
  readonly tokens: number;
  /** How long it may take, ms; a shorter limit than half of the target's own `firstOutput` teaches nothing. */
  readonly limitMs: number;
  readonly settings: EngineSettings;
  /** Is given what ends it at once. */
  readonly onStart?: (stop: () => void) => void;
};

export type Probed = {
  /** Null: its protocol has no such request here, or the gateway met a fault. Without attempts: its route is held. */
  readonly record: RequestLedger | null;
  /** Something came that a client can see: text, a call, thoughts. */
  readonly hasOutput: boolean;
};

/** A response that only the gateway knows. */
export type OwnResponse = {
  /** As its client got it. */
  readonly response: Uint8Array;
  /** What was said up to its answer: the inside of a JSON list of items. */
  readonly input: Uint8Array;
};

export interface Engine {
  /**
   * Serves one request from plan to end. Resolves when the client has its end and the record is closed; never rejects.
   */
  serve(call: Call, downstream: Downstream): Promise<void>;
  reject(rejection: Rejection): void;
  /**
   * Asks one route for as little as its protocol allows. Resolves when it is settled; never rejects. What it teaches its
   * route is observed as of any request.
   */
  probe(probe: Probe): Promise<Probed>;
  /** What would happen now: the plan, nothing sent, no turn of a wheel taken. */
  plan(call: Pick<Call, 'request' | 'model' | 'key' | 'settings'>): Plan;
  /** Who gave this client the answer of this id; null: nobody that is known here. */
  findIssuer(answerId: string, key: string | null): Issuer | null;
  /** A response that no provider can be asked for; null: it is not kept, or another key's. */
  findOwn(answerId: string, key: string | null): OwnResponse | null;
  /** The client wants it gone: nothing is kept of this response but what others went on from. */
  forgetResponse(answerId: string, key: string | null): void;
  /**
   * Keeps a request that asks for no answer, under an id of the gateway, so that a later one can go on from it. False: the
   * one that it goes on from itself is not known.
   */
  keepPrompt(call: Pick<Call, 'request' | 'codec' | 'key' | 'session' | 'settings'>, answerId: string): boolean;
  /** A connection is gone, and with it what was stored nowhere else. */
  forgetSession(session: string): void;
  /** Requests under way. */
  inFlight(): number;
  /** Bytes held for clients, over all requests (`server.maxBuffered`). */
  buffered(): number;
  /** Ends every request under way with the protocol's error (component gateway, retryable, no health). */
  abandonAll(): void;
}
