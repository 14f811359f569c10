import type { HealthSettings } from '../core/health/settings.ts';
import type { ModelSettings } from '../core/model/settings.ts';
import type { ProbeSettings } from '../core/readiness/settings.ts';
import type { ResponsesSettings, ServerSettings, StoreSettings } from './runtime.ts';
import type { SettingsInput } from './settings.ts';

const SECOND = 1000;
const MINUTE = 60 * SECOND;
const HOUR = 60 * MINUTE;
const DAY = 24 * HOUR;
const MIB = 1024 * 1024;
const GIB = 1024 * MIB;

/** What holds where nothing else is said. */
export const DEFAULT_SETTINGS: ModelSettings = {
  commitOn: 'output',
  onEmpty: 'next',
  onContentPolicy: 'stop',
  onMalformed: 'fail',
  holdToolEnd: true,
  midStream: 'error',
  exhausted: 'auto',
  responseModel: 'upstream',
  usage: 'ask',
  replay: 'auto',
  translate: 'in-order',
  keepalive: { afterMs: 10 * SECOND, everyMs: 10 * SECOND },
  retry: { sameTarget: 'auto', maxAttempts: 8, waitForCooldownMs: 0, preferSameTarget: false },
  timeouts: {
    connectMs: 5 * SECOND,
    headersMs: 60 * SECOND,
    firstOutputMs: 120 * SECOND,
    idleMs: 120 * SECOND,
    progressMs: 5 * MINUTE,
    wholeMs: 5 * MINUTE,
    commitMs: 10 * MINUTE,
    totalMs: 60 * MINUTE,
  },
  preflight: { maxBytes: 4 * MIB, maxEvents: 4096, maxJson: 32 * MIB },
  defaults: {},
};

export type ModelPreset = {
  readonly settings: SettingsInput;
  /** `maxAttempts` is the number of the model's targets. */
  readonly oneAttemptPerTarget: boolean;
  /** It would go on behind a cut, if this version could: each model that uses it is warned. */
  readonly lacksContinuation: boolean;
};

/** Presets of models: they stand below every explicit key. */
export const MODEL_PRESETS: Readonly<Record<'standard' | 'resilient' | 'strict', ModelPreset>> = {
  standard: { settings: {}, oneAttemptPerTarget: false, lacksContinuation: false },
  resilient: {
    settings: {
      retry: { sameTarget: 1, preferSameTarget: true, waitForCooldown: 3 * SECOND },
      timeouts: { firstOutput: 10 * SECOND, idle: 30 * SECOND },
      keepalive: { after: 5 * SECOND },
      midStream: 'error',
    },
    oneAttemptPerTarget: false,
    lacksContinuation: true,
  },
  strict: {
    settings: { retry: { sameTarget: 0 }, holdToolEnd: 'all', exhausted: 'status' },
    oneAttemptPerTarget: true,
    lacksContinuation: false,
  },
};

export const DEFAULT_HEALTH: HealthSettings = {
  breaker: {
    failures: 3,
    windowMs: 5 * MINUTE,
    openMs: 10 * SECOND,
    maxOpenMs: 30 * SECOND,
    slowFactor: 6,
    maxSlowOpenMs: 10 * MINUTE,
  },
  cooldown: {
    rateLimitedMs: 5 * SECOND,
    quotaMs: 10 * MINUTE,
    authMs: 5 * MINUTE,
    permissionMs: 10 * MINUTE,
    notFoundMs: 10 * MINUTE,
    retiredMs: 24 * HOUR,
    maxMs: 24 * HOUR,
  },
};

export const DEFAULT_STORE: StoreSettings = {
  kind: 'sqlite',
  keepMs: 30 * DAY,
  maxBytes: 2 * GIB,
  explain: 'failures',
};

export const DEFAULT_PROBE: ProbeSettings = {
  mode: null,
  everyMs: 10 * MINUTE,
  targetReady: 8,
  maxProbes: 16,
  maxTimeMs: MINUTE,
  maxTokens: 65_536,
  slowAfterMs: 20 * SECOND,
  tokens: 16,
  escalatedTokens: 1024,
  maxEscalations: 4,
  priced: false,
};

export const DEFAULT_RESPONSES: ResponsesSettings = { store: 'memory', maxBytes: 64 * MIB, keepMs: HOUR };

/** `maxBuffered` is a share of the machine's memory here. */
export const DEFAULT_SERVER: Omit<ServerSettings, 'maxBuffered' | 'hosts' | 'cors' | 'trustedProxies' | 'tls'> & {
  readonly maxBufferedShare: number;
} = {
  host: '127.0.0.1',
  port: 4180,
  bodyLimit: 32 * MIB,
  websocket: true,
  maxRetryAfterMs: 60 * SECOND,
  clientStallMs: 60 * SECOND,
  maxInFlight: 10_000,
  maxBufferedShare: 0.25,
  headersTimeoutMs: 15 * SECOND,
  requestTimeoutMs: 60 * SECOND,
  keepAliveTimeoutMs: 75 * SECOND,
  maxHeaderSize: 32 * 1024,
  maxConnections: 20_000,
  drainMs: 30 * SECOND,
};
