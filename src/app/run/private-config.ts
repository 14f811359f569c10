import { freeze } from '../../config/freeze.ts';
import type { RuntimeConfig } from '../../config/runtime.ts';
import { Secret } from '../../core/redact/index.ts';

export type Private = {
  /** What the command shows at the door. */
  readonly key: string;
  /** Nobody has it: the management API is closed to the command. */
  readonly adminToken: string;
};

const HOST = '127.0.0.1';

/** When the command has ended, what it left behind gets this long (ms). */
const MOST_DRAIN_MS = 5_000;

/**
 * The configuration of a gateway for one command: its models and providers are the ones that were found, its door is
 * loopback with one key. Nobody has said how routes are probed: all of them, since the command is to find them ready.
 */
export function privateConfig(config: RuntimeConfig, { key, adminToken }: Private): RuntimeConfig {
  const { server, readiness } = config;
  return freeze({
    ...config,
    server: {
      ...server,
      host: HOST,
      tls: null,
      hosts: [],
      cors: [],
      trustedProxies: [],
      drainMs: Math.min(server.drainMs, MOST_DRAIN_MS),
    },
    auth: {
      required: true,
      keys: [{ name: 'run', secret: new Secret(key), models: null }],
      adminToken: new Secret(adminToken),
    },
    readiness: { ...readiness, probe: { ...readiness.probe, mode: readiness.probe.mode ?? 'full' } },
  });
}
