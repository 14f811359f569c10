export { createProber, type WatchingProber } from './create-prober.ts';
export { type Discovered, discover, LIST_LIMIT_MS } from './discover.ts';
export { lookOnFailure } from './look-on-failure.ts';
export type { ProberPorts } from './ports.ts';
export type { ProbeProgress, Prober } from './types.ts';
