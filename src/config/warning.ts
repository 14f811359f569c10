/**
 * What is allowed in a configuration, and unwise. Names and addresses are shown as they are: a value that came from the
 * environment or a file is hidden in them.
 */
export type ConfigWarning =
  | { readonly code: 'plain_http'; readonly provider: string; readonly origin: string }
  | { readonly code: 'same_key'; readonly provider: string; readonly first: string; readonly second: string }
  | { readonly code: 'preset_without_continuation'; readonly model: string; readonly preset: string }
  | { readonly code: 'one_endpoint'; readonly model: string; readonly targets: number; readonly endpoint: string }
  | { readonly code: 'nobody_stands_in'; readonly model: string; readonly target: string; readonly protocol: string }
  | { readonly code: 'request_keys'; readonly place: string; readonly keys: readonly string[] }
  | { readonly code: 'open_to_all'; readonly host: string }
  | { readonly code: 'short_key'; readonly key: string; readonly atLeast: number }
  | { readonly code: 'idle_store_key'; readonly key: string };

type WarningOf<C extends ConfigWarning['code']> = Extract<ConfigWarning, { code: C }>;

/** How warnings and orders say that a protocol has one target only. */
export const NOBODY_STANDS_IN = 'nobody can stand in';

/** Each in one line, for people. */
const SENTENCES: { readonly [C in ConfigWarning['code']]: (warning: WarningOf<C>) => string } = {
  plain_http: ({ provider, origin }) =>
    `provider ${provider}: ${origin} is not encrypted; keys and prompts can be read on the way`,
  same_key: ({ provider, first, second }) =>
    `provider ${provider}: the credentials ${first} and ${second} are the same key, so they are one quota`,
  preset_without_continuation: ({ model, preset }) =>
    `model ${model}: the preset ${preset} has "midStream: error" here: continuation is not available in this version`,
  one_endpoint: ({ model, targets, endpoint }) =>
    `model ${model}: all ${targets} targets share the endpoint ${endpoint}; when it is down, all are`,
  nobody_stands_in: ({ model, target, protocol }) =>
    `model ${model}: ${target} is the only target that speaks ${protocol}; when it fails, ${NOBODY_STANDS_IN}`,
  request_keys: ({ place, keys }) => `${place}: ${keys.join(', ')} count for the whole request; set them at the model`,
  open_to_all: ({ host }) =>
    `auth: no key is needed, and ${host} is no loopback address: whoever reaches the port spends your money`,
  short_key: ({ key, atLeast }) =>
    `auth: the key "${key}" has fewer than ${atLeast} characters, so it can be guessed: make one with "openssl rand -hex 24"`,
  idle_store_key: ({ key }) => `store: "${key}" does nothing for a ledger in memory, which ends with the process`,
};

/** A warning as people read it. */
export function tellWarning<C extends ConfigWarning['code']>(warning: WarningOf<C>): string {
  const tell: (warning: WarningOf<C>) => string = SENTENCES[warning.code];
  return tell(warning);
}

/** The same warning with every text in it passed through `change`. */
export function changeTexts(warning: ConfigWarning, change: (text: string) => string): ConfigWarning {
  const { code, ...fields } = warning;
  const changed = Object.entries(fields).map(([name, value]: [string, unknown]) => {
    if (Array.isArray(value)) return [name, value.map((each) => change(String(each)))];
    return [name, typeof value === 'string' ? change(value) : value];
  });
  return { code, ...Object.fromEntries(changed) } as ConfigWarning;
}
