import { isProse, isWordy, looksLikeKey, randomParts } from './looks-random.ts';
import type { Range } from './reading.ts';

/** What a shape has found: the value, what it is called, and the text in front of it. */
type Found = { readonly value: string; readonly name: string; readonly before: string };

/** `pattern` has a group `secret`, and may have one `name`. */
type Shape = { readonly pattern: RegExp; readonly isSecret: (found: Found) => boolean };

const always = (): boolean => true;

/** What keys begin with, in front of `-` or `_`: vendors of models first, then where their keys are kept and passed on. */
const KEY_PREFIXES = [
  'sk|pk|rk|ak|gsk|xai|nvapi|hf|r8|pplx|fw|tgp|csk|jina|tvly|flp|bfl|rpa|vck|esecret|dapi|lin|gw|key|token|secret',
  'gh[oprsu]|github_pat|glpat|glsa|xox[a-z]|xapp|npm|pypi|shp(?:at|ca|pa|ss)|whsec|tskey|dop_v1|dckr_pat|lsv2|phc|phx|sbp|ntn|figd',
].join('|');

/** What is there instead of a value. */
const NOTHING = /^(?:null|none|nil|undefined|true|false|required|missing|invalid|empty|expired|unknown)[.:!?…]*$/i;
const isNumber = (text: string): boolean => /^[\d.,]{1,12}[:!?…]*$/.test(text);
const PASSWORD = /pass|pwd/i;

const isValue = ({ value, name }: Found): boolean => !NOTHING.test(value) && (PASSWORD.test(name) || !isNumber(value));
const isValueInProse = (found: Found): boolean => isValue(found) && !isProse(found.value);

/** Names of what is secret, as headers, members, variables and parameters have them. */
const NAMES =
  'api[-_ ]?key|access[-_]?key(?:[-_]?id)?|account[-_]?key|shared[-_]?key|private[-_]?key|secret|token|password|passwd|pwd|credentials?|signature|sig|session';
const QUOTE = '\\\\{0,8}["\'`]';
const VALUE = '[^\\s"\'`,;&(){}[\\]<>\\\\“”‘’«»]';

/** In a query each parameter may hold anything; what is only words and dates is no key. */
const QUERY_NAME = new RegExp(`^(?:[\\w.-]*[-_.])?(?:${NAMES}|key|auth|jwt)$`, 'i');
const isParameter = (found: Found): boolean =>
  QUERY_NAME.test(found.name) ? isValue(found) : !isWordy(found.value.replace(/%[\da-f]{2}/gi, '-'));

const UUID = /^(?:[a-z]{2,12}[-_])?[\da-f]{8}(?:-[\da-f]{4}){3}-[\da-f]{12}$/i;
/** What ids of calls, answers, files and accounts begin with. */
const ID_PREFIXES =
  'toolu|srvtoolu|call|fc|req|msg|resp|rs|item|run|step|thread|asst|batch|vs|ws|ig|mcp|ctc|cu|chatcmpl|cmpl|file|gen|org|proj|user|embd|modr|ftjob|trace';
const ID_BODY = '[a-z\\d]{6,}(?:[-_][a-z\\d]+)*$';
const KNOWN_ID = new RegExp(`^(?:${ID_PREFIXES})[-_]${ID_BODY}`, 'i');
/** Where nothing speaks of a key, any short word and `_` may begin an id; a word that does speak of one begins none. */
const ANY_ID = new RegExp(`^(?!\\w*?(?:key|secret|token|pass|auth|cred))[a-z]{2,12}_${ID_BODY}`, 'i');
/** What stands in front of ids and digests: `sha256:…`, `"request_id": "…"`, `commit …`. */
const ID_LABEL =
  /(?:\b(?:sha-?\d{1,3}|md5|digest|etag|commit|revision|checksum|fingerprint|trace|cf-ray)|\b(?:request|trace|span|correlation|response|message|generation|completion|activity)[-_ ]?id)["'`]?\s{0,2}[:=@(]?\s{0,2}["'`(]?$/i;

/** Ids are told even where a key is spoken of: "token revoked, request req_…". */
const isId = ({ value, before }: Found): boolean => KNOWN_ID.test(value) || ID_LABEL.test(before);

/** Words that a value may follow, with some others between: "key", "the token that was sent is". */
const LABELS = 'key|token|credential|password|secret';
const DIRECT = new RegExp(`\\b(?:${LABELS})\\b(?: [a-z]{2,10})?\\s?[:=]?\\s{0,4}["'\`(]?$`, 'i');
/** Farther off it may be the name of something else, which only what chance has made is not. */
const isLabelled = (found: Found): boolean =>
  !isId(found) &&
  (DIRECT.test(found.before)
    ? looksLikeKey(found.value)
    : randomParts(found.value).length > 0 && !ANY_ID.test(found.value));

/** Shapes that announce themselves, the surest first. */
const ANNOUNCED: readonly Shape[] = [
  // A private key, whole or cut off.
  { pattern: /(?<secret>-----BEGIN [A-Z ]{3,40}-----.*?(?:-----END [A-Z ]{3,40}-----|$))/dg, isSecret: always },
  // User info of a URL.
  { pattern: /\b[a-z][a-z0-9+.-]{1,20}:\/\/(?<secret>[^\s/@"'<>]{1,512})@/dgi, isSecret: always },
  // Parameters of a query or a fragment.
  { pattern: /[?&#](?<name>[\w.~%-]{1,64})=(?<secret>[^\s&#"'`<>[\]]{1,2048})/dgi, isSecret: isParameter },
  // A JSON web token.
  { pattern: /\b(?<secret>eyJ[\w-]{8,}(?:\.[\w-]*){0,4})/dg, isSecret: always },
  {
    pattern: new RegExp(`(?<![a-z0-9])(?<secret>(?:${KEY_PREFIXES})[-_][\\w*.-]{6,}[\\w*])`, 'dgi'),
    isSecret: ({ value }) => looksLikeKey(value),
  },
  { pattern: /(?<![A-Za-z0-9])(?<secret>(?:AIza|ya29\.|GOCSPX-)[\w-]{8,})/dg, isSecret: always },
  { pattern: /(?<![A-Za-z0-9])(?<secret>(?:AKIA|ASIA|ABIA|ACCA)[A-Z0-9*]{8,})/dg, isSecret: always },
  // Headers.
  {
    pattern: new RegExp(
      `authorization${QUOTE}?\\s{0,4}[:=]\\s{0,4}(?:${QUOTE})?(?:[a-z][\\w-]{2,20}\\s+)?(?<secret>${VALUE}{4,})`,
      'dgi',
    ),
    isSecret: isValueInProse,
  },
  { pattern: /\b(?:bearer|basic)\s+(?<secret>[\w.~+/=:-]{7,}[\w~+/=-])/dgi, isSecret: ({ value }) => !isProse(value) },
  {
    pattern:
      /cookie["'`\\]{0,4}\s{0,4}[:=]\s{0,4}["'`\\]{0,4}(?<secret>[^\s"'`=;,[\]]{1,128}=[^\s"'`;,[\]]{1,4096}(?:; ?[^\s"'`;,[\]]{1,4096})*)/dgi,
    isSecret: always,
  },
  // name=value and "name": "value", which programs write.
  {
    pattern: new RegExp(
      `(?<name>${NAMES})(?:(?:${QUOTE})?\\s{0,4}=\\s{0,4}(?:${QUOTE})?|${QUOTE}\\s{0,4}:\\s{0,4}${QUOTE})(?<secret>${VALUE}{4,})`,
      'dgi',
    ),
    isSecret: isValue,
  },
  // name: value, which people write too: "signature: Field required".
  {
    pattern: new RegExp(`(?<name>${NAMES})(?:${QUOTE})?\\s{0,4}:\\s{0,4}(?<secret>${VALUE}{4,})`, 'dgi'),
    isSecret: isValueInProse,
  },
  // "Incorrect API key provided: …"
  {
    pattern: new RegExp(
      `(?<![\\w*.+/-])(?<=(?<!\\[)\\b(?:${LABELS})\\b(?!\\])[^:=;,[\\]]{0,24}(?:[:=]\\s{0,4})?["'\`(]?)(?<secret>[\\w*.+/-]{7,}[\\w*+/=-]={0,2})`,
      'dgi',
    ),
    isSecret: isLabelled,
  },
  {
    pattern: /key\s{0,2}=\s{0,2}["'`]?(?<secret>[\w*.+/=-]{7,}[\w*+/=-])/dgi,
    isSecret: ({ value }) => looksLikeKey(value),
  },
];

/** So much of a run must be of chance. */
const MIN_RANDOM = 16;

/** A long run that chance has made, and no id. Words and numbers around it may stand. */
function randomRange(found: Found): Range | null {
  const run = found.value;
  if (!/\d/.test(run) || !/[a-z]/i.test(run)) return null;
  if (UUID.test(run) || ANY_ID.test(run) || isId(found)) return null;
  const parts = randomParts(run);
  const first = parts[0];
  const last = parts.at(-1);
  const length = parts.reduce((sum, { text }) => sum + text.length, 0);
  if (first === undefined || last === undefined || length < MIN_RANDOM) return null;
  return length * 2 >= run.length ? [0, run.length] : [first.at, last.at + last.text.length];
}

const RUN = /(?<secret>[\w+/-]{24,}={0,2})/dg;
const MAX_BEFORE = 40;

/** The ranges of what a pattern finds, as `rangeIn` sees them in it. */
function findEach(text: string, pattern: RegExp, rangeIn: (found: Found) => Range | null): readonly Range[] {
  const out: Range[] = [];
  for (const { groups, indices } of text.matchAll(pattern)) {
    const at = indices?.groups?.['secret']?.[0] ?? 0;
    const before = text.slice(Math.max(0, at - MAX_BEFORE), at);
    const range = rangeIn({ value: groups?.['secret'] ?? '', name: groups?.['name'] ?? '', before });
    if (range !== null) out.push([at + range[0], at + range[1]]);
  }
  return out;
}

/** Where long runs of hex or base64 stand, whatever they are. */
export const findRuns = (text: string): readonly Range[] => findEach(text, RUN, randomRange);

/** Where values stand that announce themselves; what says that one was there is left. */
export const findAnnounced = (text: string): readonly Range[] =>
  ANNOUNCED.flatMap(({ pattern, isSecret }) =>
    findEach(text, pattern, (found) => (isSecret(found) ? [0, found.value.length] : null)),
  );
