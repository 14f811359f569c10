import { ALL_BETAS, BETA_FLAG, betaPart, betaSetPart, settingPart, VERSION_PART } from '../model/capability.ts';
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
  SETTING_NAMES,
  VERSION_SENTENCES,
} from './words/index.ts';

/** One answer names few; what names more is no answer to our request. */
const MAX_PARTS = 16;
/** Where a sentence about refused flags ends, or goes on to those that would have been taken. */
const OTHER_FLAGS = /\. |; |[ ,(](?:supported|allowed|accepted|available|valid|known|expected|one of)\b/;

/** Longer than any header of an honest client: what flags were refused together is then not worth keeping. */
const MAX_SET = 1024;

/**
 * Which parts of a request a provider refuses that can be left out, by its own words: settings of a request that was
 * translated for it; of others only Messages has such parts. Empty: it refuses something else, or what this request did not have.
 */
export function readRefusedParts(view: SignalView): readonly string[] {
  if (view.facts.translated) return refusedSettings(view).slice(0, MAX_PARTS);
  if (view.facts.protocol !== 'anthropic-messages') return [];
  return [...new Set([...refusedBetas(view), ...refusedFields(view), ...refusedVersion(view)])].slice(0, MAX_PARTS);
}

/** It speaks of such parts, whether the request had them or not. */
export const refusesParts = (view: SignalView): boolean =>
  readRefusedParts(view).length > 0 ||
  (view.facts.protocol === 'anthropic-messages' && !view.facts.translated && readBetaSentence(view.own.named) !== null);

function refusedSettings(view: SignalView): string[] {
  const param = hasCode(view, REFUSED_PARAM_CODES) ? (view.param?.toLowerCase() ?? null) : null;
  const isNamed = (name: string): boolean =>
    param === name || param?.endsWith(`.${name}`) === true || refusesName(view.own.named, name);
  return SETTING_NAMES.flatMap(([setting, names]) => (names.some(isNamed) ? [settingPart(setting)] : []));
}

function refusedBetas({ own, facts }: SignalView): string[] {
  const said = readBetaSentence(own.named);
  if (said === null) return [];
  const sent = [...new Set((facts.sentBetas ?? []).map((flag) => flag.toLowerCase()))];
  const named = sent.filter((flag) => said.words.has(flag));
  const fields = said.fields ? fieldsOf([...said.words]) : [];
  if (named.length > 0 || fields.length > 0) return [...named.map(betaPart), ...fields];
  if (sent.length === 0) return [];
  const set = betaSetPart(sent);
  if (said.isNameless && set.length <= MAX_SET) return [set];
  return [ALL_BETAS];
}

type BetaSentence = {
  /** All that could be a flag. Only the request tells which words are. */
  readonly words: ReadonlySet<string>;
  /** Flags are refused, and none is named. */
  readonly isNameless: boolean;
  /** Who says so has no endpoint for the field of the flag either. */
  readonly fields: boolean;
};

/** What says that flags are refused; null: nothing does. */
function readBetaSentence(named: string): BetaSentence | null {
  for (const { pattern, isList, fields } of BETA_SENTENCES) {
    const found = pattern.exec(named);
    if (found === null) continue;
    // Only the sentence itself names flags: behind it stands where to read more, and what would be taken.
    const text = (found[1] ?? '').split(OTHER_FLAGS, 1)[0]?.trim() ?? '';
    const words = text.match(/[a-z0-9][a-z0-9._-]*/g) ?? [];
    const flags = words.flatMap((word) => [word, word.replace(/[._-]+$/, '')]).filter((word) => BETA_FLAG.test(word));
    // In a sentence of words a hyphen tells a name, or what introduces one does.
    const isNameless = isList ? text === '' : !/^[:=(]/.test(text) && !words.some((word) => /\w-\w/.test(word));
    return { words: new Set(flags), isNameless, fields };
  }
  return null;
}

const fieldsOf = (flags: readonly string[]): string[] =>
  FIELDS_OF_BETAS.filter(([beta]) => flags.some((flag) => beta.test(flag))).map(([, field]) => field);

function refusedFields(view: SignalView): string[] {
  const paths = FIELD_SENTENCES.flatMap((sentence) => [...view.own.named.matchAll(sentence)].map(([, path]) => path));
  if (hasCode(view, REFUSED_PARAM_CODES) && view.param !== null) paths.push(view.param);
  return [...paths.flatMap((path) => fieldsAt(path ?? '')), ...fieldsNamed(view.own.named)];
}

/** `tools.20.custom.defer_loading`, `body.metadata`: elements and the body itself say nothing. */
function fieldsAt(path: string): string[] {
  const names = path.split(/[.[\]]+/).filter((name) => name !== '' && name !== 'body' && !/^\d+$/.test(name));
  const bare = names.join('.');
  return FIELD_PATHS.filter(([, pattern]) => pattern.test(bare)).map(([field]) => field);
}

/**
 * A path is read as a path: in front of "extra inputs" a name at its end is another field's, and so is one with a tail.
 */
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

const refusedVersion = ({ own }: SignalView): string[] =>
  hasPhrase(own.named, VERSION_SENTENCES) ? [VERSION_PART] : [];
