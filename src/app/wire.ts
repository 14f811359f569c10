import { createSystemClock } from '../adapter/clock-system/index.ts';
import { createUndiciClient } from '../adapter/http-undici/index.ts';
import { createPinoTelemetry } from '../adapter/log-pino/index.ts';
import { createSystemRandom } from '../adapter/random-system/index.ts';
import { createMemoryHealthStore, type MemoryHealthStoreOptions } from '../adapter/store-memory/health-store.ts';
import { createMemoryLedgerStore } from '../adapter/store-memory/ledger-store.ts';
import { createSqliteLedgerStore, type SqliteLedgerStore } from '../adapter/store-sqlite/index.ts';
import { combineTelemetry } from '../adapter/telemetry-fanout/index.ts';
import { isPlainlyPrivate } from '../config/address.ts';
import { listRoutes } from '../config/list-routes.ts';
import type { RuntimeConfig } from '../config/runtime.ts';
import type { Owner } from '../core/attempt/ledger.ts';
import { cleanName, cleanText, createScrubber } from '../core/redact/index.ts';
import { createEngine } from '../engine/create-engine.ts';
import type { Engine } from '../engine/index.ts';
import { createManagement } from '../management/index.ts';
import type { Clock } from '../port/clock.ts';
import type { HealthStore } from '../port/health-store.ts';
import type { LedgerStore } from '../port/ledger-store.ts';
import type { Telemetry } from '../port/telemetry.ts';
import { PRESETS } from '../provider/registry.ts';
import { createGatewayServer, type GatewayServer } from '../server/index.ts';
import { createRequestId } from '../server/request-id.ts';
import { createMetrics } from './metrics.ts';
import { createPlanning } from './planning.ts';
import { createSimulation } from './simulation.ts';
import { warmUp } from './warm-up.ts';

/** A gateway, put together and not yet listening. */
export type Gateway = {
  readonly server: GatewayServer;
  readonly engine: Engine;
  readonly clock: Clock;
  readonly telemetry: Telemetry;
  config(): RuntimeConfig;
  /** From now on new requests are served by this configuration; those under way keep theirs. */
  swap(config: RuntimeConfig): void;
  /** Runs what the first request would otherwise pay for. */
  warmUp(): Promise<void>;
  /** Says where it listens, to another one that is refused its state directory. */
  announce(url: string): void;
  /** Ends what runs for the management API alone: nobody who leaves waits for it. */
  endSimulations(): void;
  close(): Promise<void>;
};

export type WireOptions = {
  readonly version: string;
  /** Stands above the configuration. */
  readonly log?: Partial<RuntimeConfig['telemetry']['log']>;
  /** How the log looks where nobody has said; JSON when absent. */
  readonly logFormat?: 'json' | 'pretty';
  /** Fills the port of health; in the memory of this process when absent. */
  readonly openHealth?: (options: MemoryHealthStoreOptions) => HealthStore;
};

/** Puts the gateway together. This is the one place where ports meet their adapters. */
export function wireGateway(
  first: RuntimeConfig,
  { version, log = {}, logFormat = 'json', openHealth = createMemoryHealthStore }: WireOptions,
): Gateway {
  let config = first;
  const secrets = createSecretMemory(first);
  const clock = createSystemClock();
  const random = createSystemRandom();
  const metrics = createMetrics(
    version,
    () => config,
    () => ({ clock, engine, health, ledger, log: lines }),
  );
  const lines = createPinoTelemetry({ ...logOf(first, log, logFormat), scrub: (text) => secrets.scrub(text) });
  const telemetry = combineTelemetry(lines, metrics);
  const owner: Owner = { boot: createRequestId(clock.now(), random).replace('req_', 'boot_'), worker: 0 };
  const ledger = openLedger(first, owner, clock, telemetry);
  const health = openHealth({ settings: () => config.health, telemetry });
  const http = createUndiciClient({ isAddressAllowed: (host, address) => isAddressAllowed(config, host, address) });
  const engine = createEngine({
    clock,
    random,
    http,
    ledger,
    health,
    telemetry,
    owner,
    failureRows: (provider) => {
      const preset = config.providers.get(provider)?.preset;
      return PRESETS.find((candidate) => candidate.name === preset)?.failureRows ?? [];
    },
    clean: (text) => secrets.clean(text),
  });
  const simulation = createSimulation(clock);
  const management = createManagement({
    ledger,
    health,
    clock,
    planning: createPlanning(engine),
    simulation,
  });
  const server = createGatewayServer({
    engine,
    health,
    clock,
    random,
    telemetry,
    metrics,
    management,
    config: () => config,
    clean: { text: (text) => secrets.clean(text, MAX_TOLD), name: (text) => secrets.cleanName(text) },
    version,
  });
  health.retain(listRoutes(config));
  return {
    server,
    engine,
    clock,
    telemetry,
    config: () => config,
    warmUp: () => warmUp({ clock, random, http }),
    swap(next) {
      secrets.learn(next);
      config = next;
      health.retain(listRoutes(next));
    },
    announce: (url) => ledger.announce?.(url),
    endSimulations: () => simulation.close(),
    async close() {
      simulation.close();
      await Promise.all([http.close(), health.close()]);
      // Last and alone: what the others still have to say is on record too.
      await ledger.close();
    },
  };
}

/** How the log is: what stands above the configuration, the configuration, what holds where nobody has said. */
export function logOf(
  { telemetry }: Pick<RuntimeConfig, 'telemetry'>,
  above: NonNullable<WireOptions['log']>,
  otherwise: NonNullable<WireOptions['logFormat']>,
) {
  const { level, format } = { ...telemetry.log, ...above };
  return { level, format: format ?? otherwise };
}

type AnyLedger = LedgerStore & Partial<Pick<SqliteLedgerStore, 'announce'>>;

/**
 * The store that the configuration names. Throws a `StateDirError` where another gateway has the state directory, or
 * nothing can be written there.
 */
function openLedger(config: RuntimeConfig, owner: Owner, clock: Clock, telemetry: Telemetry): AnyLedger {
  const onViolation = (violation: string): void =>
    telemetry.notice('error', 'the ledger refused a fact', { violation });
  const { kind, keepMs, maxBytes, explain } = config.store;
  if (kind === 'memory') return createMemoryLedgerStore({ onViolation });
  const store = createSqliteLedgerStore({
    stateDir: config.stateDir,
    owner,
    clock,
    keepMs,
    maxBytes,
    explain,
    onViolation,
    onTrouble: ({ state, message, kind: what, code, lost }) => {
      telemetry.notice(state === 'trouble' ? 'error' : 'info', message, { kind: what, code, lost });
    },
  });
  store.opened.then(
    ({ abandoned }) => {
      if (abandoned > 0) telemetry.notice('warn', 'closed what a gateway that died had left open', { abandoned });
    },
    // It was closed before it came up; there is nobody left to tell.
    () => {},
  );
  return store;
}

/** A name that resolves to a private address is a trap, unless its provider says that this is meant. */
export function isAddressAllowed(config: RuntimeConfig, host: string, address: string): boolean {
  if (!isPlainlyPrivate(address)) return true;
  const bare = host.toLowerCase();
  return [...config.providers.values()].some(
    (provider) => provider.allowPrivateNetwork && new URL(provider.origin).hostname.replace(/^\[|\]$/g, '') === bare,
  );
}

/** What the server itself says may be longer than what it quotes. */
const MAX_TOLD = 2000;

type SecretMemory = {
  scrub(text: string): string;
  /** The same, and everything that looks like a secret. */
  clean(text: string, maxLength?: number): string;
  /** The same for names and ids, which may look like one. */
  cleanName(text: string): string;
  learn(config: RuntimeConfig): void;
};

/** Takes known secrets out of texts. It never forgets: what was a secret before a reload may still be echoed. */
function createSecretMemory(first: RuntimeConfig): SecretMemory {
  const known = new Set(secretsOf(first));
  let scrub = createScrubber([...known]);
  return {
    scrub: (text) => scrub(text),
    clean: (text, maxLength) => cleanText(text, { scrub, ...(maxLength === undefined ? {} : { maxLength }) }),
    cleanName: (text) => cleanName(text, { scrub }),
    learn(config) {
      for (const secret of secretsOf(config)) known.add(secret);
      scrub = createScrubber([...known]);
    },
  };
}

function secretsOf({ providers, auth, telemetry }: RuntimeConfig): readonly string[] {
  const credentials = [...providers.values()].flatMap((provider) => provider.credentials.map((c) => c.secret));
  const tokens = [auth.adminToken, telemetry.prometheus.token].filter((token) => token !== null);
  const all = [...credentials, ...auth.keys.map((key) => key.secret), ...tokens];
  return [...all.filter((secret) => !secret.isEmpty).map((secret) => secret.reveal()), ...secretHeaders(providers)];
}

const SECRET_HEADER = /auth|key|token|secret|cookie|password/i;

/** A key may stand in a provider's own headers, with a word like "Bearer" before it. */
function secretHeaders(providers: RuntimeConfig['providers']): readonly string[] {
  const headers = [...providers.values()].flatMap((provider) => Object.entries(provider.headers));
  return headers.filter(([name]) => SECRET_HEADER.test(name)).flatMap(([, value]) => value.reveal().split(' '));
}
