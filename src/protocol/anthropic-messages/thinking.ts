import type { JsonObject, JsonValue } from '../../core/model/json-value.ts';
import { REASONING_EFFORTS, type Reasoning, type ReasoningEffort } from '../../core/model/prompt.ts';
import { isJsonObject, without } from '../shared/json-object.ts';
import { own } from '../shared/value.ts';
import type { Family } from './families.ts';

/** Levels that the protocol has words for. */
const EFFORT_WORDS: ReadonlySet<unknown> = new Set(['low', 'medium', 'high', 'xhigh', 'max']);

/** Tokens of thinking by the level of effort, where a model takes a budget only; a level by the budget otherwise. */
const BUDGETS: readonly (readonly [effort: ReasoningEffort, tokens: number])[] = [
  ['minimal', 1024],
  ['low', 4096],
  ['medium', 8192],
  ['high', 16_384],
  ['xhigh', 24_576],
  ['max', 32_768],
];

/** A smaller budget is refused. */
const MIN_BUDGET = 1024;

const DISPLAYS: Readonly<Record<string, Reasoning['show']>> = { summarized: 'auto', omitted: 'none' };

type ReadReasoning = { readonly reasoning?: Reasoning; readonly thinking?: JsonValue; readonly effort?: JsonValue };

/**
 * `thinking` and `output_config.effort`. An effort alone is no wish that it thinks: `isAdaptive` is false. Words that are
 * not ours come back as they were.
 */
export function readReasoning(thinking: unknown, effort: unknown): ReadReasoning {
  const level = EFFORT_WORDS.has(effort) ? (effort as ReasoningEffort) : null;
  const strange: Pick<ReadReasoning, 'effort'> =
    level === null && effort != null ? { effort: effort as JsonValue } : {};
  if (thinking === undefined || thinking === null) {
    return level === null
      ? strange
      : { reasoning: { effort: level, budgetTokens: null, isAdaptive: false, show: null } };
  }
  const read = isJsonObject(thinking) ? readThinking(thinking, level) : null;
  if (read !== null) return { ...strange, ...read };
  const told =
    level === null ? {} : { reasoning: { effort: level, budgetTokens: null, isAdaptive: false, show: null } };
  return { ...strange, ...told, thinking: thinking as JsonValue };
}

function readThinking(thinking: JsonObject, level: ReasoningEffort | null): ReadReasoning | null {
  const { type, display, budget_tokens: budget } = thinking;
  const show = own(DISPLAYS, display) ?? null;
  const isOff = type === 'disabled' || type === 'between_tools';
  const isShown = !isOff && (show !== null || display === null);
  const known = ['type', ...(isShown ? ['display'] : []), ...(type === 'enabled' ? ['budget_tokens'] : [])];
  const left = without(thinking, known);
  const rest = Object.keys(left).length === 0 ? {} : { thinking: left };
  if (type === 'adaptive') return { reasoning: { effort: level, budgetTokens: null, isAdaptive: true, show }, ...rest };
  if (type === 'enabled' && typeof budget === 'number' && budget > 0) {
    return { reasoning: { effort: level, budgetTokens: budget, show }, ...rest };
  }
  if (!isOff) return null;
  return {
    reasoning: { effort: 'none', budgetTokens: null, show: null },
    ...(level === null ? {} : { effort: level }),
    ...(type === 'disabled' ? rest : { thinking: { ...left, type } }),
  };
}

export type ThinkingNeeds = {
  readonly family: Family;
  /** `max_tokens` of the request. */
  readonly limit: number;
  /** A tool is demanded. */
  readonly isForced: boolean;
  /** Every turn of the running tool loop begins with what its issuer signed. */
  readonly isSigned: boolean;
};

export type WrittenThinking = {
  readonly thinking?: JsonObject;
  readonly effort?: ReasoningEffort;
  /** It thinks, or may. */
  readonly isOn: boolean;
  /** What was asked is not what is said. */
  readonly isLost: boolean;
};

const LOST: WrittenThinking = { isOn: false, isLost: true };

/** What a family takes for what was asked. */
export function writeReasoning(reasoning: Reasoning, needs: ThinkingNeeds): WrittenThinking {
  const { family } = needs;
  const { effort, budgetTokens: budget } = reasoning;
  if (effort === 'none' || budget === 0) return turnOff(family);
  if (family.thinking === 'none') return LOST;
  if (reasoning.isAdaptive === false && budget === null) return effortAlone(effort, family);
  if (needs.isForced && !family.isForcible) return LOST;
  return wantsBudget(reasoning, family) ? byBudget(reasoning, needs) : adaptive(reasoning, family);
}

function turnOff(family: Family): WrittenThinking {
  if (family.thinking === 'none') return { isOn: false, isLost: false };
  if (family.off !== null) return { thinking: { type: family.off }, isOn: false, isLost: false };
  const [least] = family.efforts;
  return { ...(least === undefined ? {} : { effort: least }), isOn: true, isLost: true };
}

const effortAlone = (effort: ReasoningEffort | null, family: Family): WrittenThinking => {
  const fit = fitEffort(effort, family);
  return { ...(fit === null ? {} : { effort: fit }), isOn: false, isLost: fit === null && effort !== null };
};

/** Models of other makers know the older form better, where the client asked for neither. */
function wantsBudget({ budgetTokens, isAdaptive }: Reasoning, { thinking }: Family): boolean {
  if (thinking === 'budget') return true;
  if (thinking === 'adaptive') return false;
  if (budgetTokens !== null) return budgetTokens > 0;
  return thinking === 'any' && isAdaptive !== true;
}

function byBudget(reasoning: Reasoning, { family, limit, isSigned }: ThinkingNeeds): WrittenThinking {
  const { budgetTokens, effort } = reasoning;
  // A budget is refused where a turn of the running loop shows no signed thoughts; makers that sign nothing don't look.
  if (!isSigned && family.thinking !== 'any') {
    return family.thinking === 'both' ? adaptive(reasoning, family) : LOST;
  }
  // To be shown thoughts, if there are any, is no wish for some.
  const isAsked = budgetTokens !== null || effort !== null || reasoning.isAdaptive === true;
  if (limit <= MIN_BUDGET || !isAsked) return LOST;
  const isTold = budgetTokens !== null && budgetTokens > 0;
  const budget = isTold ? budgetTokens : budgetOf(effort ?? 'high');
  // A budget of ours leaves a fifth of the limit for the answer; one of the client's just has to be below it.
  const most = isTold ? limit - 1 : Math.max(MIN_BUDGET, Math.floor(limit * 0.8));
  const fit = isTold || family.thinking === 'any' ? fitEffort(effort, family) : null;
  return {
    thinking: {
      type: 'enabled',
      budget_tokens: Math.min(most, Math.max(MIN_BUDGET, Math.floor(budget))),
      ...display(reasoning),
    },
    ...(fit === null ? {} : { effort: fit }),
    isOn: true,
    isLost: false,
  };
}

function adaptive(reasoning: Reasoning, family: Family): WrittenThinking {
  const { budgetTokens } = reasoning;
  const effort = reasoning.effort ?? (budgetTokens !== null && budgetTokens > 0 ? effortOf(budgetTokens) : null);
  const fit = fitEffort(effort, family);
  return {
    thinking: { type: 'adaptive', ...display(reasoning) },
    ...(fit === null ? {} : { effort: fit }),
    isOn: true,
    isLost: false,
  };
}

const display = ({ show }: Reasoning): JsonObject =>
  show === null ? {} : { display: show === 'none' ? 'omitted' : 'summarized' };

const budgetOf = (effort: ReasoningEffort): number => BUDGETS.find(([name]) => name === effort)?.[1] ?? MIN_BUDGET;

/** The first level that a budget fits into. */
const effortOf = (budget: number): ReasoningEffort => BUDGETS.find(([, tokens]) => budget <= tokens)?.[0] ?? 'max';

/** The same level, the next lower one that the family has, or its lowest; null: it has none, or none was asked. */
function fitEffort(effort: ReasoningEffort | null, { efforts }: Family): ReasoningEffort | null {
  if (effort === null) return null;
  const rank = REASONING_EFFORTS.indexOf(effort);
  return efforts.findLast((each) => REASONING_EFFORTS.indexOf(each) <= rank) ?? efforts[0] ?? null;
}
