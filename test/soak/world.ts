import { SPOKEN, type Spoken } from '../kit/wire-scripts.ts';

/*
 * Who stands behind the gateway. Faults are drawn for each physical send on its own, at the given share, by every target
 * but `clean`; so one in eleven sends meets two in a row at a share of 0.3, and every one of these chains must be cured.
 *
 *   main  six targets in turn, and `clean`, which never fails, in a tier behind them. Whatever happens before output can be
 *         cured there: no failure without output may reach a client, whatever the share of faults is.
 *   lone  two targets that fail as often, and nothing behind them. A failure may be seen here, but only if each of the two
 *         has failed or was held.
 *   pin   one target, as clients name it: how its circuit is closed once the faults are over.
 *
 * Circuits and holds stay on, since they are what goes wrong under load: they open after the usual three failures, but for
 * parts of a second, so that they open and close all the time and never keep the traffic off the faults for long.
 */

/** Targets of one protocol by name: each is an endpoint of its own. */
export const SHAKY = ['s1', 's2', 's3', 's4', 's5', 's6'] as const;
export const LONE = ['l1', 'l2'] as const;
export const CLEAN = 'clean';
export const TARGETS: readonly string[] = [...SHAKY, ...LONE, CLEAN];

export const ADMIN_TOKEN = 'admin-soak-1234567890';
export const CLIENT_KEYS = ['client-soak-a-1234567890', 'client-soak-b-1234567890'] as const;
const PROVIDER_KEYS = ['sk-fake-soak-main-1234567890', 'sk-fake-soak-sub-1234567890'] as const;
/** What no log may ever show. */
export const SECRETS: readonly string[] = [ADMIN_TOKEN, ...CLIENT_KEYS, ...PROVIDER_KEYS];

/** A name of the configuration: the target `s1` of Chat is `s1-openai-chat/m`. */
export const targetId = (name: string, protocol: Spoken): string => `${name}-${protocol}/m`;

/** What a client may ask for, and who could answer. */
export type Route = { readonly model: string; readonly targets: readonly string[] };

export const mainRoute = (protocol: Spoken): Route => ({ model: `main-${protocol}`, targets: [...SHAKY, CLEAN] });
export const loneRoute = (protocol: Spoken): Route => ({ model: `lone-${protocol}`, targets: LONE });
export const pinnedRoute = (name: string, protocol: Spoken): Route => ({
  model: targetId(name, protocol),
  targets: [name],
});

/** How long a target may be silent, ms: long enough that a busy machine is not taken for a stall. */
export const SILENCE_MS = 5_000;

const short = `{ connect: 30s, headers: ${SILENCE_MS}ms, firstOutput: ${SILENCE_MS}ms, idle: ${SILENCE_MS}ms, whole: ${SILENCE_MS}ms }`;
const patient = '{ connect: 60s, headers: 60s, firstOutput: 60s, idle: 60s, whole: 60s }';

/** The gateway's configuration, by the ports of the targets. */
export function configOf(ports: Readonly<Record<string, number>>): string {
  const providers = SPOKEN.flatMap((protocol) => TARGETS.map((name) => providerOf(name, protocol, ports[name] ?? 0)));
  const models = SPOKEN.flatMap((protocol) => {
    const ids = (names: readonly string[]): string => names.map((name) => targetId(name, protocol)).join(', ');
    const clean = `{ provider: ${CLEAN}-${protocol}, model: m, tier: 1, timeouts: ${patient} }`;
    return [
      `  main-${protocol}: { strategy: round-robin, retry: { maxAttempts: 30 }, targets: [${ids(SHAKY)}, ${clean}] }`,
      `  lone-${protocol}: { targets: [${ids(LONE)}] }`,
    ];
  });
  return `
stateDir: ./state
server: { drain: 10s }
auth:
  required: true
  adminToken: ${ADMIN_TOKEN}
  keys:
${CLIENT_KEYS.map((key, i) => `    - { name: client-${i}, key: ${key} }`).join('\n')}
health:
  breaker: { failures: 3, window: 10s, open: 250ms, maxOpen: 500ms, slowFactor: 1, maxSlowOpen: 500ms }
  cooldown: { rateLimited: 200ms, auth: 200ms, max: 1s }
modelDefaults:
  keepalive: { after: 300ms, every: 300ms }
  timeouts: ${short}
store: { maxSize: 20GiB }
telemetry: { log: { level: info, format: json } }
providers:
${providers.join('\n')}
models:
${models.join('\n')}
`;
}

function providerOf(name: string, protocol: Spoken, port: number): string {
  const base = protocol === 'anthropic-messages' ? '' : '/v1';
  const credentials = PROVIDER_KEYS.map((key, i) => `{ name: c${i}, apiKey: ${key} }`).join(', ');
  return `  ${name}-${protocol}: { protocol: ${protocol}, baseUrl: "http://127.0.0.1:${port}${base}", credentialStrategy: round-robin, credentials: [${credentials}] }`;
}
