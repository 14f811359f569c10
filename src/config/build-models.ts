import type { Capabilities } from '../core/model/capability.ts';
import type { Strategy, Target, VirtualModel } from '../core/routing/candidate.ts';
import { buildTarget } from './build-model.ts';
import type { BuiltProvider } from './build-provider.ts';
import { checkClocks } from './check-clocks.ts';
import { MODEL_PRESETS } from './defaults.ts';
import { isGlob, matchesGlob } from './glob.ts';
import { didYouMean } from './nearest.ts';
import type { Path } from './problem.ts';
import { type Report, refuse } from './report.ts';
import type { ConfigInput, ModelInput, TargetInput } from './schema/index.ts';
import { modelSettings, type SettingsInput, targetSettings } from './settings.ts';

export type ModelsContext = {
  readonly input: ConfigInput;
  /** Of the providers that the file names, those that are sound. */
  readonly providers: ReadonlyMap<string, BuiltProvider>;
  readonly providerNames: readonly string[];
  readonly report: Report;
};

/** All virtual models with their effective settings; what is wrong with targets goes to the report. */
export function buildModels(context: ModelsContext): Map<string, VirtualModel> {
  const models = new Map<string, VirtualModel>();
  for (const [name, model] of Object.entries(context.input.models ?? {}))
    models.set(name, buildModel(name, model, context));
  return models;
}

function buildModel(name: string, model: ModelInput, context: ModelsContext): VirtualModel {
  const { input, report } = context;
  const defaults = input.modelDefaults ?? {};
  if (model.targets.length === 0) {
    refuse(report, ['models', name, 'targets'], 'is empty', 'list at least one provider/model');
  }
  const targets = buildTargets(name, model, context);
  const preset = model.preset ?? defaults.preset ?? 'standard';
  if (MODEL_PRESETS[preset].lacksContinuation) {
    report.warnings.push({ code: 'preset_without_continuation', model: name, preset });
  }
  const isDemo = (provider: string): boolean => context.providers.get(provider)?.preset === 'demo';
  // Who else there is besides those that are named is seen when lists are read.
  if (!model.targets.some(hasSelector)) {
    warnOfOneEndpoint(name, targets, isDemo, report);
    warnOfLonelyProtocol(name, targets, report);
  }
  const settings = modelSettings(model, defaults);
  checkClocks(settings, [['models', name], ['modelDefaults']], context);
  return {
    name,
    aliases: model.aliases ?? [],
    // The words of later versions are refused by the table of what is not available.
    strategy: (model.strategy ?? defaults.strategy ?? 'failover') as Strategy,
    sticky: model.sticky ?? defaults.sticky ?? 1,
    affinity: (model.affinity ?? defaults.affinity ?? 'auto') === 'auto',
    pinned: false,
    targets,
    settings,
  };
}

/** Fake providers are all on one endpoint, and nobody relies on them. */
function warnOfOneEndpoint(
  name: string,
  targets: readonly Target[],
  isDemo: (provider: string) => boolean,
  report: Report,
): void {
  const [endpoint, ...others] = new Set(targets.flatMap((target) => target.routes.map((route) => route.endpoint)));
  // Where nobody stands in for anybody, that is told already.
  const isTranslated = targets.some(({ settings }) => settings.translate !== 'never');
  const standsIn = targets.length > (isTranslated ? 1 : new Set(targets.map(({ protocol }) => protocol)).size);
  if (!standsIn || endpoint === undefined || others.length > 0) return;
  if (targets.every(({ provider }) => isDemo(provider))) return;
  report.warnings.push({ code: 'one_endpoint', model: name, targets: targets.length, endpoint });
}

/** Targets that nothing is translated for do not stand in for those of other protocols. */
function warnOfLonelyProtocol(name: string, all: readonly Target[], report: Report): void {
  const targets = all.filter(({ settings }) => settings.translate === 'never');
  if (targets.length < all.length) return;
  const protocols = new Set(targets.map(({ protocol }) => protocol));
  if (protocols.size < 2) return;
  for (const protocol of protocols) {
    const [target, ...others] = targets.filter((each) => each.protocol === protocol);
    if (target !== undefined && others.length === 0)
      report.warnings.push({ code: 'nobody_stands_in', model: name, target: target.id, protocol });
  }
}

/** It stands for targets out of lists, and names none. */
export const hasSelector = (
  entry: ModelInput['targets'][number],
): entry is TargetInput & { readonly discover: NonNullable<TargetInput['discover']> } =>
  typeof entry !== 'string' && entry.discover !== undefined;

type NamedTarget = { readonly provider: string; readonly model: string };

function buildTargets(name: string, model: ModelInput, context: ModelsContext): Target[] {
  const seen = new Map<string, number>();
  const targets: Target[] = [];
  model.targets.forEach((entry, index) => {
    const path = ['models', name, 'targets', index];
    const named = nameTarget(entry, path, context);
    if (named === null) return;
    const id = `${named.provider}/${named.model}`;
    const first = seen.get(id);
    if (first !== undefined) {
      refuse(
        context.report,
        path,
        `the target "${id}" stands twice`,
        `it is targets[${first}] already: remove one, or use "weight"`,
      );
      return;
    }
    seen.set(id, index);
    const provider = context.providers.get(named.provider);
    if (provider === undefined) return;
    targets.push(
      fillTarget(
        { name, model, index, entry: typeof entry === 'string' ? {} : entry, upstream: named.model, provider },
        context,
      ),
    );
  });
  return targets;
}

type TargetPlace = {
  readonly name: string;
  readonly model: ModelInput;
  readonly index: number;
  readonly entry: TargetInput;
  readonly upstream: string;
  readonly provider: BuiltProvider;
};

function fillTarget(place: TargetPlace, context: ModelsContext): Target {
  const { name, model, index, entry, provider } = place;
  const path = ['models', name, 'targets', index];
  const providerInput = context.input.providers?.[provider.name] ?? {};
  const settings = targetSettings({ model, provider: providerInput, target: entry }, context.input.modelDefaults ?? {});
  checkClocks(settings, [path, ['models', name], ['providers', provider.name], ['modelDefaults']], context);
  warnOfRequestKeys(entry, `model ${name}: targets[${index}]`, context.report);
  const { model: upstream, tier = 0, weight = 1 } = { ...entry, model: place.upstream };
  const capabilities = saidCapabilities(entry);
  return buildTarget({ provider, model: upstream, tier, weight, capabilities, settings });
}

/** Absent members stay absent: an unknown capability is not one that is missing. */
export const saidCapabilities = ({ capabilities }: TargetInput): Capabilities =>
  Object.fromEntries(Object.entries(capabilities ?? {}).filter(([, value]) => value !== undefined));

/** Keys that count for the whole request: the model's hold, a target's can't. */
export function warnOfRequestKeys(entry: SettingsInput, place: string, report: Report): void {
  const keys: readonly (readonly [string, unknown])[] = [
    ['keepalive', entry.keepalive],
    ['exhausted', entry.exhausted],
    ['retry.maxAttempts', entry.retry?.maxAttempts],
    ['timeouts.commit', entry.timeouts?.commit],
    ['timeouts.total', entry.timeouts?.total],
  ];
  const idle = keys.filter(([, value]) => value !== undefined).map(([key]) => key);
  if (idle.length > 0) report.warnings.push({ code: 'request_keys', place, keys: idle });
}

/** What a target names; null (and a finding) if that is no provider's model. */
function nameTarget(entry: ModelInput['targets'][number], path: Path, context: ModelsContext): NamedTarget | null {
  if (typeof entry === 'string') {
    const slash = entry.indexOf('/');
    if (slash > 0 && slash < entry.length - 1) {
      return knownTarget({ provider: entry.slice(0, slash), model: entry.slice(slash + 1) }, path, context);
    }
    if (isVirtual(entry, context.input)) return refuseNesting(entry, path, context.report);
    refuse(context.report, path, `${JSON.stringify(entry.slice(0, 80))} is no target`, 'write provider/model');
    return null;
  }
  if (hasSelector(entry)) return null;
  if (entry.provider === undefined || entry.model === undefined) {
    const missing = entry.provider === undefined ? 'provider' : 'model';
    refuse(
      context.report,
      path,
      `the target has no ${missing}`,
      'write provider/model, or a map with "provider" and "model"',
    );
    return null;
  }
  return knownTarget({ provider: entry.provider, model: entry.model }, path, context);
}

function knownTarget(target: NamedTarget, path: Path, context: ModelsContext): NamedTarget | null {
  if (context.providerNames.includes(target.provider)) return target;
  const id = `${target.provider}/${target.model}`;
  const virtual = [id, target.provider].find((word) => isVirtual(word, context.input));
  if (virtual !== undefined) return refuseNesting(virtual, path, context.report);
  const known =
    context.providerNames.length > 0 ? `providers: ${context.providerNames.join(', ')}` : 'add it to "providers"';
  const hint = didYouMean(target.provider, context.providerNames) ?? known;
  refuse(context.report, path, `unknown provider "${target.provider.slice(0, 80)}"`, hint);
  return null;
}

function isVirtual(word: string, input: ConfigInput): boolean {
  const models = input.models ?? {};
  if (Object.hasOwn(models, word)) return true;
  return Object.values(models).some((model) =>
    (model.aliases ?? []).some(
      (alias) => alias === word || (isGlob(alias) && literal(alias) && matchesGlob(alias, word)),
    ),
  );
}

/** `*` alone matches everything and so says nothing. */
const literal = (alias: string): boolean => /[^*]/.test(alias);

function refuseNesting(word: string, path: Path, report: Report): null {
  refuse(
    report,
    path,
    `"${word}" is a virtual model, and models can not be nested`,
    'list its targets here, or use tiers',
  );
  return null;
}
