import { type StarterChoice, type StarterVendor, writeStarterFile } from '../config/starter-file.ts';
import { PRESETS } from '../provider/registry.ts';
import type { Env } from './configuration.ts';

/** A vendor that a configuration can begin with. */
export type Vendor = StarterVendor['preset'] & {
  /** Its key is in the environment. */
  readonly isReady: boolean;
};

const isSet = (env: Env, name: string | null): boolean => name !== null && (env[name] ?? '') !== '';

/** Known vendors, in the order in which a start without configuration asks them. */
export const listVendors = (env: Env): readonly Vendor[] =>
  PRESETS.filter((preset) => preset.baseUrl !== null && preset.models.length > 0).map((preset) => ({
    ...preset,
    isReady: isSet(env, preset.keyVariable),
  }));

/** What the environment suggests of who may call. */
export const suggestAccess = (env: Env): Pick<StarterChoice, 'needsKey' | 'needsAdminToken'> => ({
  needsKey: isSet(env, 'UNDERSTUDY_KEY'),
  needsAdminToken: isSet(env, 'UNDERSTUDY_ADMIN_TOKEN'),
});

export type Starter = {
  readonly text: string;
  /** Targets in the order of service. */
  readonly targets: readonly string[];
  /** Variables that the file names. */
  readonly variables: readonly string[];
  /** Those of them that the environment does not have. */
  readonly missing: readonly string[];
};

export function createStarter(choice: StarterChoice, env: Env): Starter {
  const names = [
    ...choice.vendors.map(({ preset }) => preset.keyVariable),
    choice.needsKey ? 'UNDERSTUDY_KEY' : null,
    choice.needsAdminToken ? 'UNDERSTUDY_ADMIN_TOKEN' : null,
  ];
  const variables = names.filter((name) => name !== null);
  return {
    text: writeStarterFile(choice),
    targets: choice.vendors.map(({ preset, model }) => `${preset.name}/${model}`),
    variables,
    missing: variables.filter((name) => !isSet(env, name)),
  };
}
