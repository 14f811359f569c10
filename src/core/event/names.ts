import { looksSecret } from '../redact/index.ts';

/** What a pattern of a name has found is still refused where it looks like a secret. */
type NameRule = { readonly pattern: RegExp; readonly maxLength: number; readonly form: string };

const WORD = '[A-Za-z0-9][A-Za-z0-9._-]{0,63}';
const MODEL = '[A-Za-z0-9@][A-Za-z0-9._:/@+-]{0,159}';
const HOST = '(?:[A-Za-z0-9](?:[A-Za-z0-9.-]{0,252})|\\[[0-9a-f:.]{2,45}\\]):\\d{1,5}';
const ROUTE = `${WORD}/${MODEL}#${WORD}`;

const rule = (source: string, maxLength: number, form: string): NameRule => ({
  pattern: new RegExp(`^(?:${source})$`),
  maxLength,
  form,
});

/** Names in events, each of one kind. All are of letters that nothing looks like: no blank, no quote, no escape. */
export const NAMES = {
  request: rule('req_[0-7][0-9A-HJKMNP-TV-Z]{25}', 30, 'an id of the ledger: `req_…`'),
  model: rule(MODEL, 160, 'a name under `models`, or a target'),
  provider: rule(WORD, 64, 'a name under `providers`'),
  target: rule(`${WORD}/${MODEL}`, 225, '`provider/model`'),
  credential: rule(WORD, 64, 'the name of a key of a provider'),
  route: rule(ROUTE, 290, '`provider/model#credential`'),
  endpoint: rule(HOST, 259, '`host:port`'),
  scope: rule(`${ROUTE}|${WORD}/${MODEL}|${HOST}`, 290, 'id of a route, target, credential or endpoint'),
  client: rule(WORD, 64, 'the name of a key under `auth.keys`'),
  trace: rule('[0-9a-f]{32}', 32, '32 hex digits'),
} as const satisfies Readonly<Record<string, NameRule>>;

export type NameKind = keyof typeof NAMES;

/** Ids that are made of chance, as secrets are. */
const BY_CHANCE: ReadonlySet<NameKind> = new Set(['request', 'trace']);

/**
 * Whether a text can be a name of this kind: its form, its length, and that it does not look like a secret. For ids that
 * are made of chance the form is all.
 */
export function isNameOf(kind: NameKind, text: string): boolean {
  const { pattern, maxLength } = NAMES[kind];
  return text.length <= maxLength && pattern.test(text) && (BY_CHANCE.has(kind) || !looksSecret(text));
}
