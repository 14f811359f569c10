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

/** Protocols that this version speaks; `virtual` is no protocol but a name that a gateway must refuse. */
const PROTOCOLS = ['openai-chat', 'virtual'];
const PATHS = ['/v1/chat/completions'];

/** Cases of these protocols that this version can't pass yet. Each needs its reason; none may stay when it would pass. */
export const EXCEPTIONS: Readonly<Record<string, string>> = {
  'cont-03': '`midStream: continue` is refused by this version: there is no continuation yet.',
};

export const JUDGE = fileURLToPath(new URL('judge', import.meta.url));

export function loadCases(folder: string = `${JUDGE}/open`): Case[] {
  return readdirSync(folder)
    .filter((name) => name.endsWith('.json'))
    .map((name): Case => JSON.parse(readFileSync(`${folder}/${name}`, 'utf8')));
}

/** A step that names no path has that of the main request. */
export function isSpoken({ config, request, before = [], after = [] }: Case): boolean {
  const paths = [request, ...before.map((step) => step.request), ...after.map((step) => step.request)];
  return (
    config.targets.every((target) => PROTOCOLS.includes(target.protocol)) &&
    paths.every((each) => each?.path === undefined || PATHS.includes(each.path))
  );
}

/** Ids of the cases that must pass, in order of name. */
export function selectCases(cases: readonly Case[]): string[] {
  return cases.filter((each) => isSpoken(each) && !(each.id in EXCEPTIONS)).map((each) => each.id);
}
