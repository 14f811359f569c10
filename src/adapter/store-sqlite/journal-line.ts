import type { Fact, Owner } from '../../core/attempt/ledger.ts';
import type { Plan } from '../../core/routing/plan.ts';

/** One line of a journal. Facts stand without their plans; a plan that is to be kept has a line of its own. */
export type JournalLine =
  | Fact
  | { readonly type: 'journal'; readonly version: 1; readonly owner: Owner }
  | {
      readonly type: 'plan';
      readonly request: string;
      /** The attempt that it led to; null: it was made before the first. */
      readonly attempt: number | null;
      readonly plan: Plan;
    }
  | {
      readonly type: 'refused';
      readonly request: string;
      readonly at: number;
      readonly fact: Fact['type'];
      /** The law that the fact would have broken. */
      readonly law: string;
    }
  /** Facts of this request were given up while the disk could hold nothing. */
  | { readonly type: 'lost'; readonly request: string };

const FACT_TYPES: ReadonlySet<string> = new Set<Fact['type']>([
  'request_started',
  'attempt_started',
  'head',
  'committed',
  'attempt_ended',
  'request_ended',
]);

export function isFact(line: JournalLine): line is Fact {
  return FACT_TYPES.has(line.type);
}

/** A fact without its plan, which is null or a line of its own. */
export function withoutPlan<T extends Fact>(fact: T): T {
  return 'plan' in fact && fact.plan !== null ? { ...fact, plan: null } : fact;
}

export const encodeLine = (line: JournalLine): string => `${JSON.stringify(line)}\n`;

/** Parts of plans are the configuration's own frozen objects, the same ones in every plan: their text is made once. */
const texts = new WeakMap<object, string>();

function textOf(part: object): string {
  let text = texts.get(part);
  if (text === undefined) {
    text = JSON.stringify(part);
    texts.set(part, text);
  }
  return text;
}

export function encodePlanLine(request: string, attempt: number | null, plan: Plan): string {
  const { candidates, ...rest } = plan;
  const list = candidates.map(({ route, target, ...own }) => {
    return `{"route":${textOf(route)},"target":${textOf(target)},${JSON.stringify(own).slice(1)}`;
  });
  const head = JSON.stringify({ type: 'plan', request, attempt });
  return `${head.slice(0, -1)},"plan":{"candidates":[${list.join()}],${JSON.stringify(rest).slice(1)}}\n`;
}

/** Null for what is no whole line: torn by a crash, or damaged on the disk. */
export function decodeLine(text: string): JournalLine | null {
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch {
    return null;
  }
  return isLine(value) ? value : null;
}

type Members = Readonly<Record<string, unknown>>;

/** What each kind of line must have, besides its request. */
const SHAPES: { readonly [T in JournalLine['type']]: (line: Members) => boolean } = {
  journal: ({ owner }) => isOwner(owner),
  plan: ({ attempt, plan }) => (attempt === null || isPlace(attempt)) && plan !== null && typeof plan === 'object',
  refused: ({ at }) => isTime(at),
  lost: () => true,
  request_started: ({ at, owner }) => isTime(at) && isOwner(owner),
  attempt_started: ({ at, n }) => isTime(at) && isPlace(n),
  head: ({ at, n }) => isTime(at) && isPlace(n),
  committed: ({ at, n }) => isTime(at) && isPlace(n),
  attempt_ended: ({ at, n }) => isTime(at) && isPlace(n),
  request_ended: ({ at }) => isTime(at),
};

function isLine(value: unknown): value is JournalLine {
  if (value === null || typeof value !== 'object') return false;
  const line = value as Members;
  const type = line['type'];
  if (typeof type !== 'string' || !Object.hasOwn(SHAPES, type)) return false;
  if (type !== 'journal' && typeof line['request'] !== 'string') return false;
  return SHAPES[type as JournalLine['type']](line);
}

const isTime = (value: unknown): boolean => Number.isFinite(value);

const isPlace = (value: unknown): boolean => Number.isSafeInteger(value) && (value as number) > 0;

const isOwner = (value: unknown): boolean =>
  value !== null &&
  typeof value === 'object' &&
  typeof (value as Members)['boot'] === 'string' &&
  Number.isInteger((value as Members)['worker']);
