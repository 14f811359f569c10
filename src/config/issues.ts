import type { z } from 'zod';
import { didYouMean } from './nearest.ts';
import type { Finding, Path } from './problem.ts';

type Issue = z.core.$ZodIssue;
type Schema = z.core.$ZodType;

/** Turns what the schema found into findings: one each, with a guess for unknown keys. */
export function findingsOf(issues: readonly Issue[], schema: Schema): Finding[] {
  return issues.flatMap((issue) => findings(issue, [], schema));
}

function findings(issue: Issue, base: Path, schema: Schema): Finding[] {
  const path = [...base, ...(issue.path as Path)];
  if (issue.code === 'unrecognized_keys') return unknownKeys(issue.keys, path, schema);
  if (issue.code === 'invalid_union') return unionFindings(issue.errors, path, schema);
  if (issue.code === 'invalid_type') return [{ path, message: mustBe(issue.expected), hint: null }];
  const hint = issue.code === 'custom' ? issue.params?.['hint'] : null;
  const isMissing = issue.code === 'custom' && issue.params?.['isMissing'] === true;
  if (isMissing)
    return [{ path, message: 'is missing', hint: `it ${issue.message.replace(/ \(not .*\)$/, '')}`, atKey: true }];
  return [{ path, message: issue.message, hint: typeof hint === 'string' ? hint : null }];
}

const TYPE_WORDS: Readonly<Record<string, string>> = {
  object: 'must be a map of keys',
  record: 'must be a map of names',
  array: 'must be a list',
};

const mustBe = (expected: string): string => TYPE_WORDS[expected] ?? `must be ${expected}`;

/** Keys by which files of others are known. */
const ELSEWHERE: Readonly<Record<string, string>> = {
  model_list: 'LiteLLM',
  litellm_settings: 'LiteLLM',
  router_settings: 'LiteLLM',
  general_settings: 'LiteLLM',
  strategy: 'Portkey',
  targets: 'Portkey',
};

function unknownKeys(keys: readonly string[], path: Path, schema: Schema): Finding[] {
  const known = keysAt(schema, path).filter((key) => !key.startsWith('$'));
  return keys.map((key) => {
    const origin = path.length === 0 ? ELSEWHERE[key] : undefined;
    const hint =
      origin !== undefined
        ? `this is how ${origin} writes it: docs/migrate.md has the same for this file`
        : key === '<<'
          ? 'YAML merge keys are not part of YAML 1.2: write the keys out'
          : guess(key, known);
    return { path: [...path, key], message: `unknown key "${key.slice(0, 80)}"`, hint, atKey: true };
  });
}

const guess = (key: string, known: readonly string[]): string | null =>
  didYouMean(key, known) ?? (known.length > 0 && known.length <= 12 ? `keys here: ${known.join(', ')}` : null);

/** The issues of the branch that the value was meant for: the one that got inside; else what all branches want. */
function unionFindings(errors: readonly (readonly Issue[])[], path: Path, schema: Schema): Finding[] {
  const inside = errors.find((branch) =>
    branch.some((issue) => issue.path.length > 0 || issue.code === 'unrecognized_keys'),
  );
  if (inside) return inside.flatMap((issue) => findings(issue, path, schema));
  const wanted = errors.map((branch) => branch[0]).filter((issue) => issue !== undefined);
  const words = wanted.map((issue) => (issue.code === 'invalid_type' ? mustBe(issue.expected) : issue.message));
  const bare = words.map((word, index) => (index < words.length - 1 ? word.replace(/ \(not .*\)$/, '') : word));
  const message = bare.map((word, index) => (index === 0 ? word : word.replace(/^must be /, ''))).join(' or ');
  const hint = wanted
    .map((issue) => (issue.code === 'custom' ? issue.params?.['hint'] : null))
    .find((text) => typeof text === 'string');
  return [{ path, message, hint: hint ?? null }];
}

/** The keys that a section of the schema knows. */
export function keysAt(schema: Schema, path: Path): string[] {
  let sections: Schema[] = [schema];
  for (const step of path) sections = sections.flatMap((node) => memberSchemas(node, step));
  return [
    ...new Set(sections.flatMap(unwrap).flatMap((node) => (isObject(node) ? Object.keys(node._zod.def.shape) : []))),
  ];
}

function memberSchemas(schema: Schema, step: string | number): Schema[] {
  return unwrap(schema).flatMap((node) => {
    const { def } = node._zod as z.core.$ZodTypes['_zod'];
    if (def.type === 'object') return Object.hasOwn(def.shape, step) ? [def.shape[step] as Schema] : [];
    if (def.type === 'record') return [def.valueType];
    if (def.type === 'array') return [def.element];
    return [];
  });
}

/** The schemas that say something of a value, behind `optional`, unions and preprocessing. */
export function unwrap(schema: Schema): Schema[] {
  const { def } = schema._zod as z.core.$ZodTypes['_zod'];
  if (def.type === 'optional') return unwrap(def.innerType);
  if (def.type === 'union') return def.options.flatMap((option) => unwrap(option));
  if (def.type === 'pipe') return def.in._zod.def.type === 'transform' ? unwrap(def.out) : [schema];
  return [schema];
}

const isObject = (schema: Schema): schema is z.core.$ZodObject => schema._zod.def.type === 'object';
