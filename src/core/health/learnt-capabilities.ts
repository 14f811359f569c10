import { type Capabilities, FEATURES } from '../model/capability.ts';
import type { Target } from '../routing/candidate.ts';
import { type HealthState, readScope } from './state.ts';

/** Providers learn too: what was refused a day ago may be tried again. */
const FORGET_AFTER_MS = 24 * 60 * 60_000;

const WORDS: ReadonlySet<string> = new Set([...FEATURES, 'streamUsage']);

/**
 * What a target can do and takes, by the configuration and by what it was seen to refuse. What the configuration says
 * stands above what one refusal taught: a feature, and a list of flags. Parts that are left out come from both.
 */
export function knownCapabilities(
  state: HealthState,
  { id, capabilities }: Pick<Target, 'id' | 'capabilities'>,
  now: number,
): Capabilities {
  const { learnt } = readScope(state, 'target', id);
  const fresh = Object.entries(learnt).filter(([, at]) => at !== undefined && now - at < FORGET_AFTER_MS);
  if (fresh.length === 0) return capabilities;
  const names = fresh.map(([name]) => name);
  const features = Object.fromEntries(names.filter((name) => WORDS.has(name)).map((name) => [name, false]));
  const parts = names.filter((name) => !WORDS.has(name) && !(capabilities.betas && name.startsWith('beta:')));
  const leaveOut = [...new Set([...(capabilities.leaveOut ?? []), ...parts])];
  return { ...features, ...capabilities, ...(leaveOut.length === 0 ? {} : { leaveOut }) };
}
