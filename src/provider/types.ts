import type { ClassifierRow } from '../core/failure/table.ts';
import type { Capabilities } from '../core/model/capability.ts';
import type { Protocol } from '../core/model/protocol.ts';

/** What is special about a vendor, as data. A preset fills in what a provider in the configuration leaves open. */
export type Preset = {
  readonly name: string;
  readonly title: string;
  readonly protocol: Protocol;
  /** Null: the configuration must give one. */
  readonly baseUrl: string | null;
  /** Environment variable that holds its key, for a start without configuration; null: needs no key. */
  readonly keyVariable: string | null;
  /** Models for a start without configuration, best first. */
  readonly models: readonly string[];
  readonly capabilities: Capabilities;
  readonly accountWideLimit: boolean;
  /** Rows that stand before the common table. */
  readonly failureRows: readonly ClassifierRow[];
};
