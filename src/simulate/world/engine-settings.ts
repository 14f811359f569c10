import type { RuntimeConfig } from '../../config/runtime.ts';
import type { EngineSettings } from '../../engine/index.ts';

/** What the engine needs of the configuration, as the server gives it; responses are not kept here. */
export const engineSettings = (
  { providers, health, server, auth, readiness }: RuntimeConfig,
  hasProber: boolean,
): EngineSettings => ({
  providers,
  health,
  maxRetryAfterMs: server.maxRetryAfterMs,
  clientStallMs: server.clientStallMs,
  isolatesClients: auth.keys.length > 1,
  isProbing: hasProber && readiness.probe.mode !== 'off',
});
