import type { Workload } from './workloads.ts';

/** What can be left out, so that its price shows. */
export const FEATURES = ['ledger', 'log', 'metrics', 'keys'] as const;
export type Feature = (typeof FEATURES)[number];

export const CLIENT_KEY = 'client-bench-1234567890';

/**
 * The gateway with everything on, but for `off`. Behind a model stand two providers in two tiers. Circuits and holds stay as
 * they are, but end at once: a first provider that is left alone would not fail any more, and nothing would be measured.
 */
export function understudyConfig(
  { name, plan, fault }: Workload,
  ports: { readonly port: number; readonly faultPort: number },
  off: readonly Feature[],
): string {
  const has = (feature: Feature): boolean => !off.includes(feature);
  const provider = (port: number): string =>
    `{ protocol: openai-chat, baseUrl: "http://127.0.0.1:${port}/${plan}/v1", apiKey: sk-fake-bench-1234567890 }`;
  return `
stateDir: ./state
auth: ${has('keys') ? `{ required: true, keys: [{ name: bench, key: ${CLIENT_KEY} }] }` : '{ required: false }'}
store: { kind: ${has('ledger') ? 'sqlite' : 'memory'} }
telemetry:
  log: { level: ${has('log') ? 'info' : 'silent'}, format: json }
  prometheus: { enabled: ${has('metrics')} }
health:
  breaker: { failures: 1000, window: 10ms }
  cooldown: { max: 1ms }
providers:
  first: ${provider(fault === null ? ports.port : ports.faultPort)}
  second: ${provider(ports.port)}
models:
  ${name}:
    targets: [first/m, { provider: second, model: m, tier: 1 }]
`;
}
