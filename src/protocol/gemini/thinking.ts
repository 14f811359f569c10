import type { JsonObject } from '../../core/model/json-value.ts';
import type { Reasoning, ReasoningEffort } from '../../core/model/prompt.ts';
import { own } from '../shared/value.ts';

/** Models that count tokens of thinking; those behind them know levels, and refuse both in one request. */
const BY_BUDGET = /(?:^|\/)gemini-[12](?:[.-]|$)|robotics-er-1/;

/** Tokens for each effort, as Google's own compatible endpoint maps them. */
const BUDGETS: Readonly<Record<ReasoningEffort, number>> = {
  none: 0,
  minimal: 1024,
  low: 1024,
  medium: 8192,
  high: 24_576,
  xhigh: 24_576,
  max: 24_576,
};

/** The least that a model takes which can't do without thinking. */
const ALWAYS_THINKS = /gemini-2\.5-pro/;
const LEAST_BUDGET = 128;

const LEVELS: Readonly<Record<ReasoningEffort, string>> = {
  none: 'MINIMAL',
  minimal: 'MINIMAL',
  low: 'LOW',
  medium: 'MEDIUM',
  high: 'HIGH',
  xhigh: 'HIGH',
  max: 'HIGH',
};

/** The pro models know no `MINIMAL`, the first of them no `MEDIUM` either. */
const PRO = /gemini-\d+(?:\.\d+)?-pro/;
const FIRST_PRO = /gemini-3-pro/;

function levelFor(effort: ReasoningEffort, model: string): string {
  const level = LEVELS[effort];
  if (level === 'MINIMAL' && PRO.test(model)) return 'LOW';
  return level === 'MEDIUM' && FIRST_PRO.test(model) ? 'HIGH' : level;
}

function amount({ effort, budgetTokens, isAdaptive }: Reasoning, model: string): JsonObject {
  const hasBudgets = BY_BUDGET.test(model);
  if (effort !== null && (budgetTokens === null || !hasBudgets)) {
    if (!hasBudgets) return { thinkingLevel: levelFor(effort, model) };
    const least = effort === 'none' && ALWAYS_THINKS.test(model) ? LEAST_BUDGET : 0;
    return { thinkingBudget: Math.max(least, BUDGETS[effort]) };
  }
  if (budgetTokens !== null) return { thinkingBudget: budgetTokens };
  return isAdaptive === true && hasBudgets ? { thinkingBudget: -1 } : {};
}

/** `thinkingConfig` for a model; empty: it says nothing. */
export const writeThinking = (reasoning: Reasoning, model: string): JsonObject => ({
  ...amount(reasoning, model),
  ...(reasoning.show === null ? {} : { includeThoughts: reasoning.show !== 'none' }),
});

const EFFORTS: Readonly<Record<string, ReasoningEffort>> = {
  MINIMAL: 'minimal',
  LOW: 'low',
  MEDIUM: 'medium',
  HIGH: 'high',
};

type Known = { readonly effort: ReasoningEffort | null; readonly budget: number | null };

function amountIn({ thinkingLevel: level, thinkingBudget: budget }: JsonObject): Known {
  return {
    effort: own(EFFORTS, typeof level === 'string' ? level.toUpperCase() : null) ?? null,
    budget: typeof budget === 'number' && Number.isInteger(budget) ? budget : null,
  };
}

const showIn = ({ includeThoughts: isShown }: JsonObject): Reasoning['show'] => {
  if (typeof isShown !== 'boolean') return null;
  return isShown ? 'auto' : 'none';
};

/** Members that have no word here ride along under their own names. */
export function readThinking(config: JsonObject): { readonly reasoning: Reasoning | null; readonly rest: JsonObject } {
  const { effort, budget } = amountIn(config);
  const show = showIn(config);
  const isUsed: Readonly<Record<string, boolean>> = {
    thinkingLevel: effort !== null,
    thinkingBudget: budget !== null,
    includeThoughts: show !== null,
  };
  const rest = Object.fromEntries(Object.entries(config).filter(([name]) => own(isUsed, name) !== true));
  const isOff = budget === 0 && effort === null;
  const reasoning: Reasoning = isOff
    ? { effort: 'none', budgetTokens: null, show }
    : { effort, budgetTokens: budget, show };
  return { reasoning: Object.values(isUsed).includes(true) ? reasoning : null, rest };
}
