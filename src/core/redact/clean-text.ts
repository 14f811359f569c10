import { undoEscapes } from './undo-escapes.ts';

export type CleanOptions = {
  /** Longest result in UTF-16 units, the ellipsis included. Default 300. */
  readonly maxLength?: number;
  /** Takes out secrets that are known by value, before anything is guessed by shape (`createScrubber`). */
  readonly scrub?: (text: string) => string;
};

const MAX_LENGTH = 300;
/** Nothing behind this is looked at: a result is short, and hostile texts may be megabytes long. */
const MAX_INPUT = 8192;

type Rule = readonly [pattern: RegExp, replace: (...groups: string[]) => string];

const hasDigit = (text: string) => /\d/.test(text);
const hasLetter = (text: string) => /[a-z]/i.test(text);
/** Words joined by underscores or hyphens, with a date or not, are names of things, not keys. */
const isSnakeWord = (text: string) => /^[a-z]+\d{0,2}(?:_[a-z]+\d{0,2})+(?:_20\d\d(?:_?\d\d){2})?$/i.test(text);
/** The gateway's own ids are there to be found again. */
const isOwnId = (text: string) => /^req_[0-9A-Z]{26}$/.test(text);
const looksSecret = (text: string) => hasDigit(text) && hasLetter(text) && !isSnakeWord(text) && !isOwnId(text);

/** Keys that announce themselves: sk-…, gsk_…, hf_… */
const announced = (isName: (text: string) => boolean): Rule => [
  /(?<![A-Za-z0-9])(?:sk|pk|rk|ak|gsk|xai|nvapi|hf|ghp|gho|ghs|ghu|github_pat|glpat|xox[a-z]|pplx|r8|tgp|csk|fw|gw|dapi|lin|key|token|secret)[-_][\w*.-]{6,}[\w*]/gi,
  (all) => (isName(all) ? all : '[secret]'),
];
const isWords = (text: string) => isSnakeWord(text.replaceAll('-', '_'));
/** `gw-prod-eu-1`, `r8-c12-n3`: what a key is made of has no part of eight letters and digits. */
const isShortParts = (text: string) => !text.includes('*') && !/(?=[a-z]*\d)[a-z\d]{8}/i.test(text);

/** By shape, the surest first. Each takes out the value and leaves what says that one was there. */
const ANNOUNCED: readonly Rule[] = [
  // A private key, whole or cut off.
  [/-----BEGIN [A-Z ]{3,40}-----.*?(?:-----END [A-Z ]{3,40}-----|$)/g, () => '[secret]'],
  // User info, query and fragment of a URL; the place itself may be told.
  [/\b([a-z][a-z0-9+.-]{1,20}:\/\/)[^\s/@"'<>]{1,512}@/gi, (_, scheme = '') => `${scheme}[secret]@`],
  [/\b([a-z][a-z0-9+.-]{1,20}:\/\/[^\s?#"'<>]{1,2048})[?#][^\s"'<>]*/gi, (_, place = '') => `${place}?[secret]`],
  // A JSON web token.
  [/\beyJ[\w-]{8,}(?:\.[\w-]*){0,4}/g, () => '[secret]'],
  [
    /\b(bearer|basic)(\s+)([\w.~+/=:-]{8,})/gi,
    (all, scheme = '', gap = '', value = '') =>
      hasDigit(value) || /[._=-]/.test(value) || value.length >= 20 ? `${scheme}${gap}[secret]` : all,
  ],
  [/(?<![A-Za-z0-9])(?:AIza|AKIA|ASIA|ya29\.|GOCSPX-)[\w-]{8,}/g, () => '[secret]'],
  // name=value and "name": "value".
  [
    /((?:[\w-]{0,40}[-_])?(?:api[-_ ]?key|apikey|access[-_]?key|secret|token|password|passwd|pwd|authorization|credentials?|signature|sig|cookie|session)["'`\\]{0,3}\s{0,4}[:=]\s{0,4}["'`\\]{0,3})([^\s"'`,;&(){}[\]<>\\]{4,})/gi,
    (_, name = '') => `${name}[secret]`,
  ],
  // "Incorrect API key provided: …"
  [
    /(\b(?:key|token|credential|password|secret)\b[^:=\n]{0,24}[:=]?\s{1,4}["'`]?)([\w*.+/=-]{8,})/gi,
    (all, lead = '', value = '') => (looksSecret(value) || value.includes('**') ? `${lead}[secret]` : all),
  ],
];

const RULES: readonly Rule[] = [
  announced((text) => isWords(text) || isShortParts(text)),
  ...ANNOUNCED,
  // Long runs of hex or base64, whatever they are.
  [/(?<![A-Za-z0-9])[0-9a-f]{32,}(?![A-Za-z0-9])/gi, () => '[secret]'],
  [/[\w+=]{24,}/g, (all) => (looksSecret(all) ? '[secret]' : all)],
];

const NAME_RULES: readonly Rule[] = [announced((text) => isWords(text) || isShortParts(text)), ...ANNOUNCED];

/** Line breaks and control characters become spaces; what hides or reorders text goes; halves of characters are shown. */
function fold(text: string): string {
  return text
    .replace(/[\p{Cf}\p{Default_Ignorable_Code_Point}]/gu, '')
    .replace(/[\ud800-\udbff](?![\udc00-\udfff])|(?<![\ud800-\udbff])[\udc00-\udfff]/g, '\ufffd')
    .replace(/[\s\p{Cc}]+/gu, ' ')
    .trim();
}

function shorten(text: string, maxLength: number): string {
  if (text.length <= maxLength) return text;
  const cut = text.slice(0, Math.max(0, maxLength - 1));
  return `${cut.replace(/[\ud800-\udbff]$/, '').trimEnd()}…`;
}

/** Takes out secrets; how many is told by the marks. */
function hideSecrets(text: string, rules: readonly Rule[], scrub: CleanOptions['scrub']): string {
  let out = scrub ? scrub(text) : text;
  for (const [pattern, replace] of rules) out = out.replace(pattern, replace as (...groups: unknown[]) => string);
  return out;
}

const countMarks = (text: string): number => text.split('[secret]').length;

/** A text in which more is found once its escapes are undone is told without them. */
function clean(text: string, rules: readonly Rule[], scrub: CleanOptions['scrub']): string {
  const folded = fold(text);
  const out = hideSecrets(folded, rules, scrub);
  const read = fold(undoEscapes(folded));
  if (read === folded) return out;
  const hidden = hideSecrets(read, rules, scrub);
  return countMarks(hidden) > countMarks(out) ? hidden : out;
}

/**
 * Text of strangers made fit for errors, logs and records: one line, at most `maxLength` long, without what looks like a
 * secret. Total: any string gives a string, and cleaning twice changes nothing more than cleaning once.
 */
export function cleanText(text: string, { maxLength = MAX_LENGTH, scrub }: CleanOptions = {}): string {
  return shorten(clean(text.slice(0, MAX_INPUT), RULES, scrub), maxLength);
}

const MAX_NAME_LENGTH = 200;

/**
 * The same for names and ids that strangers chose: long runs of letters and digits are what ids are made of, so that only
 * known secrets and keys that announce themselves are taken out.
 */
export function cleanName(text: string, { maxLength = MAX_NAME_LENGTH, scrub }: CleanOptions = {}): string {
  return shorten(clean(text.slice(0, MAX_INPUT), NAME_RULES, scrub), maxLength);
}
