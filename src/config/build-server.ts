import type { HealthSettings } from '../core/health/settings.ts';
import type { ProbeSettings } from '../core/readiness/settings.ts';
import { Secret } from '../core/redact/secret.ts';
import type { Secrets } from '../port/secrets.ts';
import { isLoopback, isNetwork, isOrigin } from './address.ts';
import { buildOtlp } from './build-otlp.ts';
import { DEFAULT_HEALTH, DEFAULT_PROBE, DEFAULT_RESPONSES, DEFAULT_SERVER, DEFAULT_STORE } from './defaults.ts';
import { fileProblem } from './interpolate.ts';
import { overlay } from './overlay.ts';
import type { Finding } from './problem.ts';
import { checkKey } from './provider-parts.ts';
import { type Report, refuse } from './report.ts';
import type { ResponsesSettings, RuntimeConfig, ServerSettings, StoreSettings } from './runtime.ts';
import type { ConfigInput } from './schema/index.ts';

/** What the command line and the environment say; it wins over the file. */
export type Overrides = { readonly host?: string; readonly port?: number; readonly stateDir?: string };

export type ServerContext = {
  readonly overrides: Overrides;
  readonly secrets: Pick<Secrets, 'file'>;
  readonly totalMemoryBytes: number;
  readonly resolvePath: (path: string) => string;
  readonly report: Report;
};

export function buildServer(input: ConfigInput, context: ServerContext): ServerSettings {
  const { overrides, report, totalMemoryBytes } = context;
  const server = input.server ?? {};
  const host = overrides.host ?? server.host ?? DEFAULT_SERVER.host;
  checkLists(server, report);
  const fault = findHostFault(host);
  if (fault !== null) report.findings.push(fault);
  // What else hangs on the host is judged by what was meant.
  const meant = HOST_AND_PORT.exec(host)?.[1] ?? host;
  const { maxBufferedShare, ...limits } = DEFAULT_SERVER;
  const buffered = server.maxBuffered ?? { share: maxBufferedShare };
  return {
    ...overlay<typeof limits>(limits, {
      bodyLimit: server.bodyLimit,
      websocket: server.websocket,
      maxRetryAfterMs: server.maxRetryAfter,
      clientStallMs: server.clientStall,
      maxInFlight: server.maxInFlight,
      headersTimeoutMs: server.headersTimeout,
      requestTimeoutMs: server.requestTimeout,
      keepAliveTimeoutMs: server.keepAliveTimeout,
      maxHeaderSize: server.maxHeaderSize,
      maxConnections: server.maxConnections,
      drainMs: server.drain,
    }),
    host: meant,
    port: overrides.port ?? server.port ?? DEFAULT_SERVER.port,
    hosts: server.hosts ?? [],
    cors: server.cors ?? [],
    trustedProxies: server.trustedProxies ?? [],
    tls: tlsOf(server.tls ?? {}, context),
    maxBuffered: 'bytes' in buffered ? buffered.bytes : Math.max(1, Math.floor(buffered.share * totalMemoryBytes)),
  };
}

/** What is wrong with an address to listen on; null: nothing that can be seen. */
export function findHostFault(host: string): Finding | null {
  const path = ['server', 'host'];
  if (/[/\s]/.test(host)) {
    return { path, message: 'is no host name or address', hint: 'write 127.0.0.1, 0.0.0.0, :: or a name' };
  }
  const [, name, port] = HOST_AND_PORT.exec(host) ?? [];
  if (name === undefined) return null;
  const hint = `the port has a place of its own: server.port, or --host ${name} --port ${port}`;
  return { path, message: `"${host}" holds a port`, hint };
}

/** `localhost:4180`, `[::1]:4180`; an address of IPv6 alone has more colons. */
const HOST_AND_PORT = /^([^:]+|\[.*\]):(\d+)$/;

type ServerInput = NonNullable<ConfigInput['server']>;

function checkLists(server: ServerInput, report: Report): void {
  const rules: readonly (readonly ['hosts' | 'cors' | 'trustedProxies', (text: string) => boolean, string, string])[] =
    [
      [
        'hosts',
        (text) => /^[A-Za-z0-9._[\]:-]+$/.test(text),
        'is no host name',
        'write the name alone: gateway.example.test',
      ],
      ['cors', isOrigin, 'is no origin', 'write scheme and host, nothing behind it: https://app.example.test'],
      ['trustedProxies', isNetwork, 'is no address or network', 'write 10.0.0.7 or 10.0.0.0/8'],
      ['trustedProxies', (text) => !/\/0+$/.test(text), 'is everybody', 'name your proxies: 10.0.0.7 or 10.0.0.0/8'],
    ];
  for (const [key, isRight, message, hint] of rules) {
    (server[key] ?? []).forEach((text, index) => {
      if (!isRight(text)) refuse(report, ['server', key, index], message, hint);
    });
  }
}

function tlsOf(tls: NonNullable<ServerInput['tls']>, context: ServerContext): ServerSettings['tls'] {
  if (tls.cert === undefined && tls.key === undefined) return null;
  if (tls.cert === undefined || tls.key === undefined) {
    refuse(
      context.report,
      ['server', 'tls'],
      `has no ${tls.cert === undefined ? 'cert' : 'key'}`,
      'give both "cert" and "key"',
    );
    return null;
  }
  return { cert: pemOf('cert', tls.cert, context), key: new Secret(pemOf('key', tls.key.reveal(), context)) };
}

/** PEM text as it is; everything else is a path. */
function pemOf(key: 'cert' | 'key', text: string, context: ServerContext): string {
  if (text.includes('-----BEGIN ')) return text;
  let pem = '';
  try {
    pem = context.secrets.file(context.resolvePath(text)).reveal();
  } catch (error) {
    const message = `is a file that can not be read${fileProblem(error)}`;
    refuse(context.report, ['server', 'tls', key], message, 'give a path or PEM text');
    return '';
  }
  if (!pem.includes('-----BEGIN '))
    refuse(context.report, ['server', 'tls', key], 'holds no PEM text', 'it must have a line "-----BEGIN …"');
  return pem;
}

export function buildAuth(
  input: ConfigInput,
  { host, hasFile, command }: { readonly host: string; readonly hasFile: boolean; readonly command: string },
  report: Report,
): RuntimeConfig['auth'] {
  const auth = input.auth ?? {};
  const keys = auth.keys ?? [];
  const setting = auth.required ?? 'auto';
  const required = setting === 'auto' ? !isLoopback(host) : setting;
  checkKeys(keys, report);
  if (required && keys.length === 0) {
    const why = setting === 'auto' ? `the host ${host} is no loopback address` : '"required" says so';
    refuse(
      report,
      ['auth', 'keys'],
      `keys are needed (${why}), but there are none`,
      hasFile
        ? 'add one: { name: me, key: "${UNDERSTUDY_KEY}" }'
        : `set UNDERSTUDY_KEY: it becomes the key that clients need; or write a file with "${command} init"`,
    );
  }
  if (!required && !isLoopback(host)) {
    report.warnings.push({ code: 'open_to_all', host });
  }
  if (required) warnOfShortKeys(keys, report);
  return {
    required,
    keys: keys.map(({ name, key, models }) => ({ name, secret: key, models: models ?? null })),
    adminToken: auth.adminToken === undefined || auth.adminToken.isEmpty ? null : auth.adminToken,
  };
}

/** Shorter ones can be guessed by trying. */
const SHORT_KEY = 16;

function warnOfShortKeys(keys: NonNullable<NonNullable<ConfigInput['auth']>['keys']>, report: Report): void {
  for (const { name, key } of keys) {
    const { length } = key.reveal();
    if (length === 0 || length >= SHORT_KEY) continue;
    report.warnings.push({ code: 'short_key', key: name, atLeast: SHORT_KEY });
  }
}

export function buildTelemetry(input: ConfigInput, report: Report): RuntimeConfig['telemetry'] {
  const { log = {}, prometheus = {}, otlp = '', traces = {} } = input.telemetry ?? {};
  const { enabled = true, token } = prometheus;
  const isOpen = token === undefined || token.isEmpty;
  if (!isOpen) checkKey(token, ['telemetry', 'prometheus', 'token'], report);
  return {
    prometheus: { enabled, token: isOpen ? null : token },
    otlp: buildOtlp(otlp, traces, report),
    log: { level: log.level ?? 'info', format: log.format ?? null },
  };
}

function checkKeys(keys: NonNullable<NonNullable<ConfigInput['auth']>['keys']>, report: Report): void {
  const names = new Map<string, number>();
  const values = new Map<string, number>();
  keys.forEach(({ name, key }, index) => {
    const path = ['auth', 'keys', index];
    if (names.has(name))
      refuse(report, [...path, 'name'], `two keys are named "${name}"`, 'give each a name of its own');
    checkKey(key, [...path, 'key'], report);
    const twin = values.get(key.reveal());
    if (twin !== undefined && !key.isEmpty)
      refuse(report, [...path, 'key'], `is the same key as that of keys[${twin}]`, 'one key, one name');
    names.set(name, index);
    values.set(key.reveal(), index);
  });
}

/** Less than this is no ledger: a few requests with their plans, and SQLite's own pages. */
const MIN_STORE_BYTES = 1024 * 1024;

export function buildStore(input: ConfigInput, report: Report): StoreSettings {
  const { kind = DEFAULT_STORE.kind, keep, maxSize, explain } = input.store ?? {};
  if (maxSize !== undefined && maxSize < MIN_STORE_BYTES) {
    refuse(report, ['store', 'maxSize'], 'is too small for a ledger', 'at least 1MiB');
  }
  if (kind === 'memory') {
    const idle = Object.entries({ keep, maxSize, explain }).filter(([, value]) => value !== undefined);
    for (const [key] of idle) {
      report.warnings.push({ code: 'idle_store_key', key });
    }
  }
  return overlay(DEFAULT_STORE, {
    // Postgres is refused by name elsewhere.
    kind: kind === 'memory' ? 'memory' : 'sqlite',
    keepMs: keep,
    maxBytes: maxSize,
    explain,
  });
}

export function buildResponses(input: ConfigInput): ResponsesSettings {
  const { store, maxBytes, keep } = input.responses ?? {};
  return overlay(DEFAULT_RESPONSES, {
    // A disk is refused by name elsewhere.
    store: store === 'disk' ? undefined : store,
    maxBytes,
    keepMs: keep,
  });
}

export function buildProbe(input: ConfigInput): ProbeSettings {
  const { every, maxTime, slowAfter, ...rest } = input.readiness?.probe ?? {};
  return overlay(DEFAULT_PROBE, { ...rest, everyMs: every, maxTimeMs: maxTime, slowAfterMs: slowAfter });
}

/** More than one process or instance needs a store that serves it. */
export function checkStore(input: ConfigInput, report: Report): void {
  const kind = input.store?.kind ?? DEFAULT_STORE.kind;
  const workers = input.server?.workers ?? 1;
  if (workers !== 1 && kind === 'memory') {
    refuse(
      report,
      ['server', 'workers'],
      `the store "${kind}" can not serve more than one process`,
      'use one worker, or another store',
    );
  }
  if (input.shared?.kind === 'redis' && kind !== 'postgres') {
    refuse(
      report,
      ['shared', 'kind'],
      `the store "${kind}" can not serve more than one instance`,
      'use "store: { kind: postgres }"',
    );
  }
}

export function buildHealth(input: ConfigInput, report: Report): HealthSettings {
  const { breaker = {}, cooldown = {} } = input.health ?? {};
  const { breaker: base, cooldown: hold } = DEFAULT_HEALTH;
  const openMs = breaker.open ?? base.openMs;
  if (breaker.maxOpen !== undefined && breaker.maxOpen < openMs) {
    refuse(
      report,
      ['health', 'breaker', 'maxOpen'],
      'is shorter than "open"',
      'lengthen it, or shorten health.breaker.open',
    );
  }
  return {
    breaker: overlay(base, {
      failures: breaker.failures,
      windowMs: breaker.window,
      openMs,
      // A longer `open` alone means that much, and no more.
      maxOpenMs: breaker.maxOpen ?? Math.max(base.maxOpenMs, openMs),
      slowFactor: breaker.slowFactor,
      maxSlowOpenMs: breaker.maxSlowOpen,
    }),
    cooldown: overlay(hold, {
      rateLimitedMs: cooldown.rateLimited,
      quotaMs: cooldown.quota,
      authMs: cooldown.auth,
      permissionMs: cooldown.permission,
      notFoundMs: cooldown.notFound,
      retiredMs: cooldown.retired,
      maxMs: cooldown.max,
    }),
  };
}
