import type { Env } from '../configuration.ts';

export type ChildSetting = {
  /** The private gateway, without a path. */
  readonly url: string;
  readonly key: string;
  /** Name of the model to ask for; null: the configuration has none. */
  readonly model: string | null;
  /** What the configuration keeps secret. */
  readonly secrets: readonly string[];
  /** Leave the providers' keys where they are. */
  readonly keepsKeys: boolean;
};

type Value = (setting: ChildSetting) => string;

const withVersion: Value = ({ url }) => `${url}/v1`;
const origin: Value = ({ url }) => url;
const key: Value = (setting) => setting.key;

/** What points clients at the gateway, whatever the caller's environment says. */
const ALWAYS: Readonly<Record<string, Value>> = {
  UNDERSTUDY_URL: origin,
  UNDERSTUDY_KEY: key,
  OPENAI_BASE_URL: withVersion,
  OPENAI_API_BASE: withVersion,
  OPENAI_API_KEY: key,
  // No /v1: these clients add their own.
  ANTHROPIC_BASE_URL: origin,
  ANTHROPIC_AUTH_TOKEN: key,
  ANTHROPIC_API_KEY: key,
  GEMINI_BASE_URL: origin,
  GOOGLE_GEMINI_BASE_URL: origin,
  GEMINI_API_KEY: key,
  COPILOT_PROVIDER_BASE_URL: withVersion,
  COPILOT_PROVIDER_API_KEY: key,
};

/** Names of models are the caller's, where the caller has set them. */
const MODELS = [
  'OPENAI_MODEL',
  'ANTHROPIC_MODEL',
  'ANTHROPIC_DEFAULT_HAIKU_MODEL',
  'GEMINI_MODEL',
  'COPILOT_MODEL',
] as const;

/** With these a client would go past the gateway, or send it another key. */
const ASTRAY = [
  'GOOGLE_API_KEY',
  'GOOGLE_GENAI_USE_VERTEXAI',
  'CLAUDE_CODE_OAUTH_TOKEN',
  'CLAUDE_CODE_USE_BEDROCK',
  'CLAUDE_CODE_USE_VERTEX',
] as const;

/** The gateway's own: a command in it that starts another one must not find them. */
const OURS = ['UNDERSTUDY_ADMIN_TOKEN', 'UNDERSTUDY_CONFIG', 'UNDERSTUDY_MODEL', 'UNDERSTUDY_STATE_DIR'] as const;

/** Shorter values are words, which stand in many variables. */
const MIN_SECRET = 8;

/** What the command gets in place of the caller's environment. */
export function childEnvironment(env: Env, setting: ChildSetting): Record<string, string> {
  const { model, secrets, keepsKeys } = setting;
  const long = secrets.filter(({ length }) => length >= MIN_SECRET);
  const isSecret = (value: string): boolean => secrets.includes(value) || long.some((secret) => value.includes(secret));
  const isLeft = ([name, value]: [string, string]): boolean =>
    ![...ASTRAY, ...OURS].some((each) => each === name) && (keepsKeys || value === '' || !isSecret(value));
  const left = Object.fromEntries(
    Object.entries(env)
      .flatMap(([name, value]): [string, string][] => (value === undefined ? [] : [[name, value]]))
      .filter(isLeft),
  );
  const ours = Object.entries(ALWAYS).map(([name, value]) => [name, value(setting)]);
  const named = model === null ? [] : MODELS.filter((name) => !left[name]).map((name) => [name, model]);
  return {
    ...left,
    ...Object.fromEntries([...named, ...ours]),
    ...(model === null ? {} : { UNDERSTUDY_MODEL: model }),
    ...besideProxy(left),
  };
}

const PROXIES = ['HTTP_PROXY', 'http_proxy', 'HTTPS_PROXY', 'https_proxy', 'ALL_PROXY', 'all_proxy'];
const HERE = '127.0.0.1';

/** A proxy between the command and a gateway on the same machine has nothing to reach. */
function besideProxy(env: Readonly<Record<string, string>>): Record<string, string> {
  if (!PROXIES.some((name) => env[name])) return {};
  return Object.fromEntries(
    ['NO_PROXY', 'no_proxy'].map((name) => {
      const given = env[name] ?? env[name === 'NO_PROXY' ? 'no_proxy' : 'NO_PROXY'] ?? '';
      const parts = given.split(',').map((part) => part.trim());
      return [name, parts.includes(HERE) || parts.includes('*') ? given : [given, HERE].filter(Boolean).join(',')];
    }),
  );
}
