import type { Protocol } from '../../core/model/protocol.ts';

/** What a drawn configuration has, by the names that rows of a scenario use. */
export type Layout = {
  readonly providers: readonly LaidProvider[];
  readonly models: readonly LaidModel[];
  /** Names of client keys. */
  readonly keys: readonly string[];
  /** The longest that a request may take. */
  readonly totalMs: number;
};

export type LaidProvider = {
  readonly name: string;
  readonly protocol: Protocol;
  readonly endpoint: string;
  readonly credentials: readonly string[];
  /** Model names at the provider that some virtual model lists. */
  readonly models: readonly string[];
};

export type LaidModel = {
  /** The name and its aliases. */
  readonly names: readonly string[];
  /** Ids of the targets. */
  readonly targets: readonly string[];
  readonly protocols: readonly Protocol[];
};
