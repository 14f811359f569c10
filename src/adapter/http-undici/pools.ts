import type { LookupFunction } from 'node:net';
import { buildConnector, type Client, Pool } from 'undici';
import { guardConnector, guardLookup, type IsAddressAllowed } from './address-guard.ts';
import { TrackedClient } from './tracked-client.ts';

export type UndiciClientOptions = {
  /** False: no connection is made to that address; the exchange fails as `unreachable`. Default: all are allowed. */
  readonly isAddressAllowed?: IsAddressAllowed;
  /** Resolves host names instead of the system. */
  readonly lookup?: LookupFunction;
  /** Certificates (PEM) that are trusted instead of the built-in ones. */
  readonly ca?: readonly string[];
  /** Pools that were not used for so long are closed. Default: 2 min. */
  readonly poolIdleMs?: number;
};

/**
 * The engine owns every clock, every retry and every redirect. A reused socket is one request's at a time. A server's
 * hint may shorten the time for which an idle socket is kept, and never lengthen it.
 */
export const CLIENT_SETTINGS = {
  allowH2: false,
  headersTimeout: 0,
  bodyTimeout: 0,
  pipelining: 1,
  keepAliveTimeout: 60_000,
  keepAliveMaxTimeout: 60_000,
  maxHeaderSize: 64 * 1024,
} as const satisfies Client.Options;

/**
 * The engine's `connect` clock decides. Sockets that it gave up are destroyed with the exchange; this slack only makes
 * sure that the clean-up of all others never comes first and tells another story.
 */
const CONNECT_SLACK_MS = 1_000;

/** The pool of one origin and connect timeout. */
export type Lane = {
  readonly pool: Pool;
  readonly connect: buildConnector.connector;
  /** Exchanges under way, and when the last one ended. */
  active: number;
  usedAt: number;
};

export type Pools = {
  /** Throws when the origin is none. */
  lane(origin: string, connectTimeoutMs: number): Lane;
  /** Ends everything. */
  destroy(): Promise<void>;
};

export function createPools(options: UndiciClientOptions): Pools {
  const { poolIdleMs = 120_000 } = options;
  const lanes = new Map<string, Lane>();
  const closeIdle = () => {
    const oldest = performance.now() - poolIdleMs;
    for (const [key, lane] of lanes) {
      if (lane.active > 0 || lane.usedAt > oldest) continue;
      lanes.delete(key);
      void lane.pool.close();
    }
  };
  // Unreferenced: idle pools are no reason for a process to live.
  const sweep = setInterval(closeIdle, Math.max(10, poolIdleMs / 2)).unref();
  return {
    lane(origin, connectTimeoutMs) {
      const key = `${connectTimeoutMs} ${origin}`;
      const known = lanes.get(key);
      if (known) return known;
      const connect = createConnector(options, connectTimeoutMs);
      const factory = (url: URL, settings: Client.Options) => new TrackedClient(url, settings, connect);
      const pool = new Pool(origin, { ...CLIENT_SETTINGS, connect, factory });
      const lane = { pool, connect, active: 0, usedAt: 0 };
      lanes.set(key, lane);
      return lane;
    },
    async destroy() {
      clearInterval(sweep);
      const all = [...lanes.values()];
      lanes.clear();
      await Promise.all(all.map(({ pool }) => pool.destroy()));
    },
  };
}

function createConnector(options: UndiciClientOptions, connectTimeoutMs: number): buildConnector.connector {
  const { isAddressAllowed, lookup, ca } = options;
  const resolve = isAddressAllowed ? guardLookup(lookup, isAddressAllowed) : lookup;
  const connect = buildConnector({
    allowH2: CLIENT_SETTINGS.allowH2,
    timeout: connectTimeoutMs + CONNECT_SLACK_MS,
    ...(resolve ? { lookup: resolve } : {}),
    ...(ca ? { ca: [...ca] } : {}),
  });
  return isAddressAllowed ? guardConnector(connect, isAddressAllowed) : connect;
}
