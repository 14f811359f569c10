import { writeDuration, writeSize } from '../config/units.ts';
import type { ModelSettings } from '../core/model/settings.ts';

/** Settings under the names and in the units of the configuration file, so that they can be copied into one. */
export type SettingsView = { readonly [key: string]: unknown };

const SIZES = ['maxBytes', 'maxJson'];

export function viewSettings(settings: ModelSettings): SettingsView {
  return viewMembers(settings);
}

/** Where `settings` says another thing than `base`, key by key; empty where it does not. */
export function viewDifference(settings: ModelSettings, base: ModelSettings): SettingsView {
  return differ(viewSettings(settings), viewSettings(base));
}

function viewMembers(members: object): SettingsView {
  return Object.fromEntries(Object.entries(members).map(([key, value]) => viewMember(key, value)));
}

function viewMember(key: string, value: unknown): readonly [string, unknown] {
  if (value === null) return [key, 'off'];
  if (typeof value === 'object') return [key, viewMembers(value)];
  if (typeof value !== 'number') return [key, value];
  if (key.endsWith('Ms')) return [key.slice(0, -2), writeDuration(value)];
  return [key, SIZES.includes(key) ? writeSize(value) : value];
}

function differ(settings: SettingsView, base: SettingsView): SettingsView {
  const entries = Object.entries(settings).flatMap(([key, value]) => {
    const under = base[key];
    if (!isView(value) || !isView(under)) return value === under ? [] : [[key, value] as const];
    const inner = differ(value, under);
    return Object.keys(inner).length === 0 ? [] : [[key, inner] as const];
  });
  return Object.fromEntries(entries);
}

const isView = (value: unknown): value is SettingsView => typeof value === 'object' && value !== null;
