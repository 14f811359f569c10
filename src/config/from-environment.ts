import type { Secrets } from '../port/secrets.ts';
import type { PresetData } from './preset-data.ts';
import { groupByProtocol } from './service-order.ts';

/** A configuration without a file, as the text that a file would hold: no value of the environment is in it. */
export type EnvironmentConfig = {
  readonly source: 'environment' | 'demo';
  readonly text: string;
  /** Presets that it uses, in the order of service. */
  readonly presets: readonly string[];
};

/** For editors: first line of every file that the gateway writes. */
export const SCHEMA_COMMENT =
  '# yaml-language-server: $schema=https://unpkg.com/understudy-gateway/schema/understudy.schema.json';

const DEMO = 'demo';

/** A broken and a healthy provider for each protocol that a client may speak. */
const DEMOS = [
  { name: DEMO, protocol: 'openai-chat' },
  { name: `${DEMO}-responses`, protocol: 'openai-responses' },
  { name: `${DEMO}-messages`, protocol: 'anthropic-messages' },
  { name: `${DEMO}-gemini`, protocol: 'gemini' },
] as const;

/**
 * What a start without a file serves: a model `main` over the vendors whose keys are in the environment, each with its
 * best model, by every protocol that it speaks, in the order of `presets`; without any key, the demo: a target that
 * fails and one that answers.
 */
export function configFromEnvironment(
  secrets: Pick<Secrets, 'variable'>,
  presets: readonly PresetData[],
): EnvironmentConfig {
  const isSet = (name: string | null): boolean => name !== null && (secrets.variable(name) ?? '') !== '';
  const found = presets.filter((preset) => isSet(preset.keyVariable) && preset.models.length > 0);
  if (found.length === 0) return { source: 'demo', text: demoText(isSet), presets: [DEMO] };
  const providers = found.map(
    (preset) => `  ${preset.name}: { preset: ${preset.name}, apiKey: "\${${preset.keyVariable}}" }`,
  );
  const targets = groupByProtocol(found).flatMap(({ members }) =>
    members.map(({ name, models }) => `      - ${name}/${models[0]}`),
  );
  const text = lines([
    ...authLines(isSet),
    'providers:',
    ...providers,
    'models:',
    '  main:',
    '    translate: last',
    '    targets:',
    ...targets,
  ]);
  return { source: 'environment', text, presets: found.map((preset) => preset.name) };
}

function demoText(isSet: (name: string) => boolean): string {
  return lines([
    ...authLines(isSet),
    // Else the broken provider would soon be known, and nobody would see it fail.
    'readiness: { probe: { mode: off } }',
    'providers:',
    ...DEMOS.map(({ name, protocol }) => `  ${name}: { preset: ${DEMO}, protocol: ${protocol} }`),
    'models:',
    '  main:',
    '    translate: last',
    '    targets:',
    ...DEMOS.flatMap(({ name }) => [`      - ${name}/error-503`, `      - ${name}/ok`]),
  ]);
}

function authLines(isSet: (name: string) => boolean): string[] {
  const key = isSet('UNDERSTUDY_KEY') ? ['  keys:', '    - { name: environment, key: "${UNDERSTUDY_KEY}" }'] : [];
  const admin = isSet('UNDERSTUDY_ADMIN_TOKEN') ? ['  adminToken: "${UNDERSTUDY_ADMIN_TOKEN}"'] : [];
  const required = key.length > 0 ? ['  required: true'] : [];
  return key.length + admin.length > 0 ? ['auth:', ...required, ...key, ...admin] : [];
}

const lines = (parts: readonly string[]): string => [SCHEMA_COMMENT, ...parts, ''].join('\n');
