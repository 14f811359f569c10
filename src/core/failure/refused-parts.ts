import { ALL_BETAS, betaPart, VERSION_PART } from '../model/capability.ts';
import { hasCode, type SignalView } from './matcher.ts';
import { hasPhrase } from './phrase.ts';
import {
  BETA_SENTENCES,
  FIELD_NAMES,
  FIELD_PATHS,
  FIELD_SENTENCES,
  FIELDS_OF_BETAS,
  REFUSED_PARAM_CODES,
  REFUSED_PARAM_WORDS,
  VERSION_SENTENCES,
} from './words/index.ts';

/** One answer names few; what names more is no answer to our request. */
const MAX_PARTS = 16;
const MAX_FLAG = 64;

/** `feature-name-2026-01-31`: words of a sentence have no hyphens with a digit behind one. */
const FLAG = /[a-z][a-z0-9._]*(?:-[a-z0-9._]+)+/g;

/**
 * Which parts of a request a provider refuses that can be left out, by its own words; none for other protocols, whose
 * requests have no such parts. Empty: it refuses something else.
 */
export function readRefusedParts(view: SignalView): readonly string[] {
  if (view.signal.protocol !== 'anthropic-messages') return [];
  return [...new Set([...refusedBetas(view), ...refusedFields(view), ...refusedVersion(view)])].slice(0, MAX_PARTS);
}

export const refusesParts = (view: SignalView): boolean => readRefusedParts(view).length > 0;

function refusedBetas({ unmarked }: SignalView): string[] {
  for (const { pattern, fields } of BETA_SENTENCES) {
    const found = pattern.exec(unmarked);
    if (found === null) continue;
    // Only the sentence itself names flags: behind it stands where to read more.
    const flags = (found[1] ?? '').split(/\. |; /, 1)[0]?.match(FLAG) ?? [];
    const names = flags.map((flag) => flag.replace(/[._]+$/, '')).filter((flag) => flag.length <= MAX_FLAG);
    if (names.length === 0) return [ALL_BETAS];
    return [...names.map(betaPart), ...(fields ? fieldsOf(names) : [])];
  }
  return [];
}

const fieldsOf = (flags: readonly string[]): string[] =>
  FIELDS_OF_BETAS.filter(([beta]) => flags.some((flag) => beta.test(flag))).map(([, field]) => field);

function refusedFields(view: SignalView): string[] {
  const paths = FIELD_SENTENCES.flatMap((sentence) => [...view.unmarked.matchAll(sentence)].map(([, path]) => path));
  if (hasCode(view, REFUSED_PARAM_CODES) && view.param !== null) paths.push(view.param);
  return [...paths.flatMap((path) => fieldsAt(path ?? '')), ...fieldsNamed(view.unmarked)];
}

/** `tools.20.custom.defer_loading`, `body.metadata`: elements and the body itself say nothing. */
function fieldsAt(path: string): string[] {
  const names = path.split(/[.[\]]+/).filter((name) => name !== '' && name !== 'body' && !/^\d+$/.test(name));
  const bare = names.join('.');
  return FIELD_PATHS.filter(([, pattern]) => pattern.test(bare)).map(([field]) => field);
}

/** A path is read as a path: in front of "extra inputs" a name at its end is another field's, and so is one with a tail. */
const NAMED_WORDS = REFUSED_PARAM_WORDS.filter((words) => !words.includes('extra inputs'));

const fieldsNamed = (message: string): string[] =>
  FIELD_NAMES.filter(([, name]) => refusesName(message, name)).map(([field]) => field);

function refusesName(message: string, name: string): boolean {
  if (!message.includes(name) || new RegExp(`${name}\\.\\w`).test(message)) return false;
  return hasPhrase(
    message,
    NAMED_WORDS.map((words) => words.replace('{}', name)),
  );
}

const refusedVersion = ({ unmarked }: SignalView): string[] =>
  hasPhrase(unmarked, VERSION_SENTENCES) ? [VERSION_PART] : [];
