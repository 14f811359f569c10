import { describeOrder } from '../config/service-order.ts';
import {
  listStarterTargets,
  type StarterChoice,
  type StarterVendor,
  writeStarterFile,
} from '../config/starter-file.ts';
import { PRESETS } from '../provider/registry.ts';
import type { Env } from './configuration.ts';

/** A vendor that a configuration can begin with. */
export type Vendor = StarterVendor['preset'] & {
  /** Its key is in the environment. */
  readonly isReady: boolean;
};

const isSet = (env: Env, name: string | null): boolean => name !== null && (env[name] ?? '') !== '';

/** Known vendors, in the order in which a start without configuration asks them; who shares a key is one. */
export function listVendors(env: Env): readonly Vendor[] {
  const known = PRESETS.filter((preset) => preset.baseUrl !== null && preset.models.length > 0);
  const leadOf = ({ name, keyVariable }: Vendor['others'][number]): string =>
    known.find((preset) => keyVariable !== null && preset.keyVariable === keyVariable)?.name ?? name;
  return known
    .filter((preset) => leadOf(preset) === preset.name)
    .map((preset) => ({
      ...preset,
      others: known.filter((other) => other !== preset && leadOf(other) === preset.name),
      isReady: isSet(env, preset.keyVariable),
    }));
}

/** What the environment suggests of who may call. */
export const suggestAccess = (env: Env): Pick<StarterChoice, 'needsKey' | 'needsAdminToken'> => ({
  needsKey: isSet(env, 'UNDERSTUDY_KEY'),
  needsAdminToken: isSet(env, 'UNDERSTUDY_ADMIN_TOKEN'),
});

export type Starter = {
  readonly text: string;
  /** Targets in the order of service, one protocol after the other. */
  readonly targets: readonly string[];
  /** The same for people, a line for each protocol. */
  readonly order: ReturnType<typeof describeOrder>;
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
  const targets = listStarterTargets(choice);
  return {
    text: writeStarterFile(choice),
    targets: targets.map(({ id }) => id),
    order: describeOrder(targets, 'failover', 'last'),
    variables,
    missing: variables.filter((name) => !isSet(env, name)),
  };
}
