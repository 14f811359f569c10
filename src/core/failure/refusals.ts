import { type Clause, hasCode, type SignalView } from './matcher.ts';
import { hasPhrase } from './phrase.ts';
import {
  ACCOUNT_PARAMS,
  FEATURE_REFUSALS,
  type FeatureWords,
  FIELD_CODES,
  NAMELESS_PARAMS,
  REFUSED_PARAM_CODES,
  REFUSED_PARAM_WORDS,
} from './words/index.ts';

/** Statuses at which a provider may refuse what a request asks for; 404 and 501 are those of routers. */
const REFUSING = [400, 404, 422, 501] as const;

const isOneOf = (list: readonly string[], word: string): boolean => list.includes(word);

/** `messages[0].content[1].image_url` names `image_url`, `reasoning.effort` itself. */
function namesParam(param: string | null, names: readonly string[]): boolean {
  return param !== null && names.some((name) => param === name || param.endsWith(`.${name}`));
}

/** The parameter that it names, if any, has nothing to do with the feature: then its words may be the caller's. */
const isElsewhere = ({ param }: SignalView, { params, places }: FeatureWords): boolean =>
  param !== null &&
  param !== 'model' &&
  !isOneOf(NAMELESS_PARAMS, param) &&
  !namesParam(param, params) &&
  !(places?.test(param) ?? false);

/** A sentence that says of one of the names that it is not supported. */
function refusesInWords(view: SignalView, entry: FeatureWords): boolean {
  if (isElsewhere(view, entry)) return false;
  if (hasPhrase(view.own.named, entry.words)) return true;
  const named = entry.params.filter((name) => view.own.named.includes(name));
  return named.some((name) =>
    hasPhrase(
      view.own.named,
      REFUSED_PARAM_WORDS.map((sentence) => sentence.replace('{}', name)),
    ),
  );
}

/** One level of effort that a model does not know says nothing of effort as such: that is not remembered. */
const isOneValue = (view: SignalView): boolean =>
  hasCode(view, ['unsupported_value']) || view.own.named.startsWith('unsupported value');

function clausesOf(entry: FeatureWords): readonly Clause[] {
  const but = { feature: entry.feature };
  const isRefusedByCode = (view: SignalView) =>
    hasCode(view, entry.codes) || (hasCode(view, REFUSED_PARAM_CODES) && namesParam(view.param, entry.params));
  const clauses: Clause[] = [
    { by: 'code', status: REFUSING, when: isRefusedByCode, but },
    { by: 'words', status: REFUSING, when: (view) => refusesInWords(view, entry), but },
  ];
  if (entry.feature !== 'reasoningEffort') return clauses;
  return clauses.flatMap((clause) => [
    {
      ...clause,
      when: (view: SignalView) => isOneValue(view) && (clause.when?.(view) ?? true),
      but: { feature: null, refusedValue: 'this level of reasoning effort' },
    },
    clause,
  ]);
}

/** The ways to match row 7, feature by feature, made from the words. */
export const REFUSAL_CLAUSES: readonly Clause[] = FEATURE_REFUSALS.flatMap(clausesOf);

const LIMIT = /\blimit(?:\s+(?:is|of))?[\s:=]{0,3}(\d[\d,]{0,15})/;
const REQUESTED = /\brequested(?:\s+(?:is|of))?[\s:=]{0,3}(\d[\d,]{0,15})/;

/** "limit 9000, requested 12345": one request that no wait can make fit. */
export function isOverLimit(view: SignalView): boolean {
  const limit = LIMIT.exec(view.own.plain)?.[1]?.replaceAll(',', '');
  const requested = REQUESTED.exec(view.own.plain)?.[1]?.replaceAll(',', '');
  return limit !== undefined && requested !== undefined && Number(requested) > Number(limit);
}

/** A 400 that names `stream_options`, as the parameter or anywhere in its own words, when the request had them. */
export function namesStreamOptions({ param, own, facts }: SignalView): boolean {
  if (facts.used !== undefined && !facts.used.includes('streamUsage')) return false;
  const isNamed = (text: string) => /stream_options|include_usage/.test(text);
  return param === null || isOneOf(NAMELESS_PARAMS, param) ? isNamed(own.named) : isNamed(param);
}

/**
 * It is about a field of the request, by its code or by the parameter that it names: whatever its words are, they say
 * nothing of accounts, models and load. They may be what the caller wrote there.
 */
export const isAboutField = (view: SignalView): boolean =>
  (view.status === 400 || view.status === 422) &&
  (hasCode(view, FIELD_CODES) || (view.param !== null && !isOneOf(ACCOUNT_PARAMS, view.param)));

export const isAboutNoField = (view: SignalView): boolean => !isAboutField(view);
