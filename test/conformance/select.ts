import { readdirSync, readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';

/** What the choice looks at of a case of the judge (its README has the whole format). */
export type Case = {
  readonly id: string;
  readonly not_runnable?: string;
  /** Those in which it may be played; all, when absent. */
  readonly splits?: readonly Split[];
  readonly config: { readonly targets: readonly { readonly protocol: string }[] };
  readonly request: Request;
  readonly before?: readonly Step[];
  readonly after?: readonly Step[];
};

/** How an answer's bytes are cut into writes. */
export const SPLITS = ['event', 'whole', 'byte'] as const;
export type Split = (typeof SPLITS)[number];

type Request = { readonly path?: string };
type Step = { readonly request?: Request };

/** Paths that this version serves, whatever its targets speak. */
const PATHS: readonly RegExp[] = [
  /^\/v1\/chat\/completions(?:\?.*)?$/,
  /^\/v1\/responses(?:\/compact)?$/,
  /^\/v1\/messages(?:\/count_tokens)?(?:\?.*)?$/,
  /^\/v1\/models(?:[/?].*)?$|^\/$|^\/api\/hello$/,
];

/** Cases that this version can't pass yet. Each needs its reason; none may stay when it would pass. */
export const EXCEPTIONS: Readonly<Record<string, string>> = {
  'cont-01': '`midStream: continue` is refused by this version: there is no continuation yet.',
  'cont-03': '`midStream: continue` is refused by this version: there is no continuation yet.',
};

/**
 * How many cases must be played in each split. A case that drops out of the choice (a typing error in a path)
 * would be missed by nobody else. To be changed with the cases, the paths or the exceptions.
 */
export const PINNED: Readonly<Record<Split, number>> = { event: 186, whole: 185, byte: 185 };

export const JUDGE = fileURLToPath(new URL('judge', import.meta.url));

export function loadCases(folder: string = `${JUDGE}/open`): Case[] {
  return readdirSync(folder)
    .filter((name) => name.endsWith('.json'))
    .map((name): Case => JSON.parse(readFileSync(`${folder}/${name}`, 'utf8')));
}

/** A step that names no path has that of the main request. */
export function isSpoken({ request, before = [], after = [] }: Case): boolean {
  const steps = [request, ...before.map((step) => step.request), ...after.map((step) => step.request)];
  return steps.every((step) => step?.path === undefined || PATHS.some((pattern) => pattern.test(step.path ?? '')));
}

/** Ids of the cases that must pass, in order of name. */
export function selectCases(cases: readonly Case[]): string[] {
  return cases.filter((each) => isSpoken(each) && !(each.id in EXCEPTIONS)).map((each) => each.id);
}

export type Played = { readonly id: string; readonly split: string; readonly status: 'pass' | 'fail' | 'not-runnable' };

/** In which splits of these a case is to be played. */
const splitsOf = ({ splits = SPLITS }: Case): readonly Split[] => splits;

/** The number of cases that are chosen, by split. */
export function countBySplit(cases: readonly Case[]): Record<Split, number> {
  const chosen = new Set(selectCases(cases));
  const count = (split: Split): number =>
    cases.filter((each) => chosen.has(each.id) && splitsOf(each).includes(split)).length;
  return { event: count('event'), whole: count('whole'), byte: count('byte') };
}

/**
 * What is wrong with a whole run, in words: a split in which not as many cases were played as must be, whether they were
 * not chosen, not runnable or lost on the way.
 */
export function findMissing(played: readonly Played[], splits: readonly string[]): string[] {
  return SPLITS.filter((split) => splits.includes(split)).flatMap((split) => {
    const count = played.filter((each) => each.split === split && each.status !== 'not-runnable').length;
    return count === PINNED[split] ? [] : [`${count} cases were played by ${split}, and ${PINNED[split]} are pinned`];
  });
}

/** Exceptions whose case passes, be it in one split only: what is missing there is no longer missing. */
export function findNeedless(played: readonly Played[]): string[] {
  return Object.keys(EXCEPTIONS).filter((id) => played.some((each) => each.id === id && each.status === 'pass'));
}
