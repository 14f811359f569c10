import type { Capabilities } from '../core/model/capability.ts';
import type { Protocol } from '../core/model/protocol.ts';

/** What configuration needs to know of a vendor; `src/provider` holds the data. */
export type PresetData = {
  readonly name: string;
  readonly title: string;
  readonly protocol: Protocol;
  readonly baseUrl: string | null;
  readonly keyVariable: string | null;
  readonly models: readonly string[];
  readonly capabilities: Capabilities;
  readonly accountWideLimit: boolean;
};
