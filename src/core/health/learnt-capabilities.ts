import type { Capabilities } from '../model/capability.ts';
import { type HealthState, readScope } from './state.ts';

/** Providers learn too: what was refused a day ago may be tried again. */
const FORGET_AFTER_MS = 24 * 60 * 60_000;

/** What a target (`provider/model`) was seen to refuse. What the configuration says of it stands above this. */
export function learntCapabilities(state: HealthState, target: string, now: number): Capabilities {
  const { learnt } = readScope(state, 'target', target);
  const fresh = Object.entries(learnt).filter(([, at]) => now - at < FORGET_AFTER_MS);
  return Object.fromEntries(fresh.map(([feature]) => [feature, false]));
}
