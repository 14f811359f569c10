import { readdirSync, readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';

/** What the choice looks at of a case of the judge (its README has the whole format). */
export type Case = {
  readonly id: string;
  readonly not_runnable?: string;
  readonly config: { readonly targets: readonly { readonly protocol: string }[] };
  readonly request: Request;
  readonly before?: readonly Step[];
  readonly after?: readonly Step[];
};

type Request = { readonly path?: string };
type Step = { readonly request?: Request };

/** By the path of a request, the protocol that its targets must speak: this version does not translate. */
const PATHS: readonly (readonly [pattern: RegExp, protocol: string | null])[] = [
  [/^\/v1\/chat\/completions$/, 'openai-chat'],
  [/^\/v1\/responses(?:\/compact)?$/, 'openai-responses'],
  [/^\/v1\/messages(?:\?.*)?$/, 'anthropic-messages'],
  [/^\/v1\/models(?:[/?].*)?$|^\/$|^\/api\/hello$/, null],
];

/** No protocol, but a name that a gateway must refuse. */
const VIRTUAL = 'virtual';

/** Cases that this version can't pass yet. Each needs its reason; none may stay when it would pass. */
export const EXCEPTIONS: Readonly<Record<string, string>> = {
  'cont-03': '`midStream: continue` is refused by this version: there is no continuation yet.',
  'rsp-01': 'A conversation is rebuilt from stored items: this version stores none.',
  'rsp-04': '`/v1/responses/compact` is not available in this version.',
  'ws-02': 'Responses over WebSocket are not available in this version.',
};

export const JUDGE = fileURLToPath(new URL('judge', import.meta.url));

export function loadCases(folder: string = `${JUDGE}/open`): Case[] {
  return readdirSync(folder)
    .filter((name) => name.endsWith('.json'))
    .map((name): Case => JSON.parse(readFileSync(`${folder}/${name}`, 'utf8')));
}

/** A step that names no path has that of the main request. */
export function isSpoken({ config, request, before = [], after = [] }: Case): boolean {
  const steps = [request, ...before.map((step) => step.request), ...after.map((step) => step.request)];
  const rows = steps.flatMap((step) => (step?.path === undefined ? [] : [rowOf(step.path)]));
  if (rows.includes(undefined)) return false;
  const spoken = rows.flatMap((row) => (row?.[1] == null ? [] : [row[1]]));
  const targets = config.targets.map(({ protocol }) => protocol).filter((protocol) => protocol !== VIRTUAL);
  return spoken.every((protocol) => targets.every((target) => target === protocol));
}

const rowOf = (path: string) => PATHS.find(([pattern]) => pattern.test(path));

/** Ids of the cases that must pass, in order of name. */
export function selectCases(cases: readonly Case[]): string[] {
  return cases.filter((each) => isSpoken(each) && !(each.id in EXCEPTIONS)).map((each) => each.id);
}
