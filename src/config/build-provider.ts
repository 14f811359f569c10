import type { Capabilities } from '../core/model/capability.ts';
import type { AuthScheme } from '../core/model/protocol.ts';
import { revealAll, type Secret } from '../core/redact/secret.ts';
import type { ProviderRuntime } from '../core/routing/provider.ts';
import type { Secrets } from '../port/secrets.ts';
import { type BaseUrl, isPlainlyPrivate, parseBaseUrl } from './address.ts';
import { didYouMean } from './nearest.ts';
import type { PresetData } from './preset-data.ts';
import { credentialsOf, headersOf } from './provider-parts.ts';
import { type Report, refuse } from './report.ts';
import type { ModelDefaultsInput, ProviderInput } from './schema/index.ts';
import { pinnedSettings } from './settings.ts';

export type ProviderContext = {
  readonly presets: readonly PresetData[];
  readonly secrets: Secrets;
  readonly modelDefaults: ModelDefaultsInput;
  /** Where the demo listens; null while it doesn't. */
  readonly demoOrigin: string | null;
  readonly report: Report;
};

/** A provider with everything filled in, with all that targets need to know of it. */
export type BuiltProvider = ProviderRuntime & {
  readonly capabilities: Capabilities;
  readonly credentials: readonly { readonly name: string; readonly secret: Secret; readonly identity: string }[];
};

const PROVIDER_NAME = /^[A-Za-z0-9][A-Za-z0-9._-]{0,63}$/;
/** The name that stands for "no preset" in records. */
const CUSTOM = 'custom';
const DEMO = 'demo';
/** Stands in for the demo's address where no demo runs (`check`, `plan`): nothing listens there. */
const NO_DEMO = 'http://127.0.0.1:9';

/** Fills in a provider; null (and findings) when something is missing. */
export function buildProvider(name: string, input: ProviderInput, context: ProviderContext): BuiltProvider | null {
  const { report } = context;
  const path = ['providers', name];
  const before = report.findings.length;
  if (!PROVIDER_NAME.test(name)) {
    refuse(
      report,
      path,
      `the name ${JSON.stringify(name.slice(0, 80))} is not allowed`,
      'letters, digits, ".", "_" and "-", at most 64',
    );
  }
  const preset = presetOf(name, input, context);
  const protocol = input.protocol ?? preset?.protocol;
  if (protocol === undefined && input.preset === undefined) {
    refuse(report, path, 'needs a preset or a protocol', presetHint(name, context.presets));
  }
  const base = baseUrlOf(name, input, preset, context);
  const pool = credentialsOf(name, input, preset, report);
  const headers = headersOf(name, input, report);
  if (report.findings.length > before || protocol === undefined || base === null) return null;
  if (base.origin.startsWith('http:') && !isPlainlyPrivate(base.host)) {
    report.warnings.push({ code: 'plain_http', provider: name, origin: base.origin });
  }
  const auth = authOf(input);
  const place = [
    `${base.origin}${base.basePath}`,
    JSON.stringify(revealAll(headers)),
    ...(auth === undefined ? [] : [auth]),
  ];
  const identify = (secret: Secret): string => context.secrets.fingerprint([secret.reveal(), ...place]);
  return {
    name,
    ...presetPart(preset),
    ...optionsOf(input),
    ...(auth === undefined ? {} : { auth }),
    protocol,
    origin: base.origin,
    basePath: base.basePath,
    endpoint: base.endpoint,
    headers,
    credentials: pool.map((credential) => ({ ...credential, identity: identify(credential.secret) })),
    allowPrivateNetwork: input.allowPrivateNetwork === true || isPlainlyPrivate(base.host),
    settings: pinnedSettings(input, context.modelDefaults),
  };
}

/** What comes from the vendor alone. */
const presetPart = (preset: PresetData | null) => ({
  preset: preset?.name ?? CUSTOM,
  accountWideLimit: preset?.accountWideLimit ?? false,
  capabilities: preset?.capabilities ?? {},
});

/** The default is the same thing whether it is written down or not. */
const authOf = ({ auth }: ProviderInput): AuthScheme | undefined => (auth === 'auto' ? undefined : auth);

/** What comes from the file alone. */
const optionsOf = (input: ProviderInput) => ({
  credentialStrategy: input.credentialStrategy ?? ('order' as const),
  limits: { concurrency: input.limits?.concurrency ?? null, queueMs: input.limits?.queue ?? 0 },
  pinned: input.pinned ?? ('listed' as const),
});

function presetOf(name: string, input: ProviderInput, { presets, report }: ProviderContext): PresetData | null {
  if (input.preset === undefined) return null;
  const preset = presets.find((candidate) => candidate.name === input.preset);
  if (preset) return preset;
  const names = presets.map((candidate) => candidate.name);
  const hint = didYouMean(input.preset, names) ?? `presets: ${names.join(', ')}`;
  refuse(report, ['providers', name, 'preset'], `unknown preset "${input.preset.slice(0, 80)}"`, hint);
  return null;
}

function presetHint(name: string, presets: readonly PresetData[]): string {
  const preset = presets.find((candidate) => candidate.name === name);
  return preset
    ? `add "preset: ${name}"`
    : 'add "preset: …" for a known vendor, or "protocol: openai-chat" and a baseUrl';
}

function baseUrlOf(
  name: string,
  input: ProviderInput,
  preset: PresetData | null,
  context: ProviderContext,
): BaseUrl | null {
  const demo = preset?.name === DEMO ? (context.demoOrigin ?? NO_DEMO) : null;
  const text = input.baseUrl ?? preset?.baseUrl ?? (demo === null ? null : `${demo.replace(/\/+$/, '')}/v1`);
  if (text === null) {
    // Without a known preset or a protocol something else is wrong, and told already.
    if (preset === null && (input.preset !== undefined || input.protocol === undefined)) return null;
    refuse(
      context.report,
      ['providers', name],
      'needs a baseUrl',
      'add "baseUrl: https://…", ending where the vendor documents it to end',
    );
    return null;
  }
  const parsed = parseBaseUrl(text);
  if (parsed.ok) return parsed.value;
  refuse(context.report, ['providers', name, 'baseUrl'], parsed.message, parsed.hint);
  return null;
}
