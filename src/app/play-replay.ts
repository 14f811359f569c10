import type { RuntimeConfig } from '../config/runtime.ts';
import { type RecordedRequest, type ReplayReport, replayRequests } from '../simulate/replay/index.ts';
import { createSimulationHost } from './simulation-host.ts';

/** Asks recorded requests again in virtual time, with another configuration. Nothing is sent anywhere. */
export const playReplay = (requests: readonly RecordedRequest[], config: RuntimeConfig): Promise<ReplayReport> =>
  replayRequests({ requests, config, host: createSimulationHost() });
