import type { ModelSettings } from '../core/model/settings.ts';
import { DEFAULT_SETTINGS, MODEL_PRESETS } from './defaults.ts';
import { type Layer, overlay } from './overlay.ts';
import type { ModelDefaultsInput, ModelInput, ProviderInput, TargetInput } from './schema/index.ts';

/** Settings as the file gives them at one place: what is not said there is absent. */
export type SettingsInput = Pick<
  TargetInput,
  | 'commitOn'
  | 'onEmpty'
  | 'onContentPolicy'
  | 'onMalformed'
  | 'holdToolEnd'
  | 'midStream'
  | 'exhausted'
  | 'responseModel'
  | 'usage'
  | 'replay'
  | 'translate'
  | 'keepalive'
  | 'retry'
  | 'timeouts'
  | 'preflight'
  | 'defaults'
>;

/** Lays one place's settings over what stands farther away. Maps are merged key by key, everything else is replaced. */
function overlaySettings(base: ModelSettings, layer: SettingsInput): ModelSettings {
  const { keepalive, retry, timeouts, preflight, defaults, ...words } = base;
  const { waitForCooldown, ...repeats } = layer.retry ?? {};
  return {
    ...overlay(words, layer),
    keepalive: overlayKeepalive(keepalive, layer.keepalive),
    retry: overlay(retry, { ...repeats, waitForCooldownMs: waitForCooldown }),
    timeouts: overlay(timeouts, inMs(layer.timeouts ?? {})),
    preflight: overlay(preflight, layer.preflight ?? {}),
    defaults: overlayDefaults(defaults, layer.defaults ?? {}),
  };
}

/** The clocks of the file under their names in the code. */
function inMs(timeouts: NonNullable<SettingsInput['timeouts']>): Layer<ModelSettings['timeouts']> {
  return {
    connectMs: timeouts.connect,
    headersMs: timeouts.headers,
    firstOutputMs: timeouts.firstOutput,
    idleMs: timeouts.idle,
    progressMs: timeouts.progress,
    wholeMs: timeouts.whole,
    commitMs: timeouts.commit,
    totalMs: timeouts.total,
  };
}

function overlayKeepalive(
  base: ModelSettings['keepalive'],
  layer: SettingsInput['keepalive'],
): ModelSettings['keepalive'] {
  if (layer === undefined) return base;
  if (layer === 'off') return null;
  // Switched on again behind an `off`: what is not said is as if nothing had been said before.
  const under = base ?? DEFAULT_SETTINGS.keepalive;
  return under === null ? null : { afterMs: layer.after ?? under.afterMs, everyMs: layer.every ?? under.everyMs };
}

function overlayDefaults(
  base: ModelSettings['defaults'],
  layer: NonNullable<SettingsInput['defaults']>,
): ModelSettings['defaults'] {
  const reasoningEffort = layer.reasoningEffort ?? base.reasoningEffort;
  const maxOutputTokens = layer.maxOutputTokens ?? base.maxOutputTokens;
  return {
    ...(reasoningEffort === undefined ? {} : { reasoningEffort }),
    ...(maxOutputTokens === undefined ? {} : { maxOutputTokens }),
  };
}

/** What stands below the explicit keys of a model: built-in defaults, preset, `modelDefaults`. */
function baseSettings(model: ModelInput | null, modelDefaults: ModelDefaultsInput): ModelSettings {
  const preset = MODEL_PRESETS[model?.preset ?? modelDefaults.preset ?? 'standard'];
  const built = overlaySettings(DEFAULT_SETTINGS, preset.settings);
  const targets = model?.targets.length ?? 1;
  const counted = preset.oneAttemptPerTarget
    ? { ...built, retry: { ...built.retry, maxAttempts: Math.max(1, targets) } }
    : built;
  return overlaySettings(counted, modelDefaults);
}

/** Effective settings of a request to a model. */
export function modelSettings(model: ModelInput, modelDefaults: ModelDefaultsInput): ModelSettings {
  return overlaySettings(baseSettings(model, modelDefaults), model);
}

/** Effective settings of an attempt at one target: nearest wins (target, model, provider, `modelDefaults`, preset). */
export function targetSettings(
  layers: { readonly model: ModelInput; readonly provider: ProviderInput; readonly target: SettingsInput },
  modelDefaults: ModelDefaultsInput,
): ModelSettings {
  const { model, provider, target } = layers;
  return [provider, model, target].reduce<ModelSettings>(overlaySettings, baseSettings(model, modelDefaults));
}

/** Settings of a target that a client named itself: its provider's and `modelDefaults`. */
export function pinnedSettings(provider: ProviderInput, modelDefaults: ModelDefaultsInput): ModelSettings {
  return overlaySettings(baseSettings(null, modelDefaults), provider);
}
