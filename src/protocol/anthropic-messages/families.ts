import type { ReasoningEffort } from '../../core/model/prompt.ts';

/** What a family of models takes; a request that says anything else is refused. */
export type Family = {
  /**
   * `budget`: a budget only. `adaptive`: no budget. `both`. `any`: nobody knows, it gets what was asked. `none`: it does
   * not think.
   */
  readonly thinking: 'none' | 'budget' | 'both' | 'adaptive' | 'any';
  /** The type that turns thinking off; null: nothing does. */
  readonly off: 'disabled' | 'between_tools' | null;
  /** Levels of `output_config.effort`, from low to high; none: the member is refused. */
  readonly efforts: readonly ReasoningEffort[];
  /** `temperature`, `top_p`, `top_k`. `one`: not the first two together. */
  readonly sampling: 'both' | 'one' | 'none';
  /** A tool may be demanded while it thinks. (Where thinking can't be turned off, the demand goes as it was made.) */
  readonly isForcible: boolean;
  /** `role: system` within the conversation. */
  readonly takesSystemTurns: boolean;
  /** The most that `max_tokens` may be. */
  readonly maxOutput: number;
};

const LOW: readonly ReasoningEffort[] = ['low', 'medium', 'high'];
const ALL: readonly ReasoningEffort[] = [...LOW, 'xhigh', 'max'];

const ADAPTIVE: Family = {
  thinking: 'adaptive',
  off: 'disabled',
  efforts: ALL,
  sampling: 'none',
  isForcible: true,
  takesSystemTurns: true,
  maxOutput: 128_000,
};
const BUDGET: Family = {
  thinking: 'budget',
  off: 'disabled',
  efforts: [],
  sampling: 'one',
  isForcible: false,
  takesSystemTurns: false,
  maxOutput: 64_000,
};
const PLAIN: Family = { ...BUDGET, thinking: 'none', off: null, sampling: 'both', maxOutput: 4096 };

/** Models of other makers: what is asked is said, with a limit that every one of them takes. */
const OTHERS: Family = {
  ...BUDGET,
  thinking: 'any',
  efforts: ALL,
  sampling: 'both',
  maxOutput: 8192,
};

/** By the name of the model, wherever it is served; the first row that matches. */
const FAMILIES: readonly (readonly [name: RegExp, family: Family])[] = [
  [/claude-(opus-(5[-.][5-9]|[6-9])|fable|mythos)/, { ...ADAPTIVE, off: null }],
  [/claude-sonnet-(5[-.][5-9]|[6-9])/, { ...ADAPTIVE, off: 'between_tools' }],
  [/claude-sonnet-5/, { ...ADAPTIVE, takesSystemTurns: false }],
  [/claude-(opus|haiku)-[5-9]/, ADAPTIVE],
  [/claude-opus-4[-.][89]/, ADAPTIVE],
  [/claude-opus-4[-.]7/, { ...ADAPTIVE, isForcible: false, takesSystemTurns: false }],
  [/claude-(opus|sonnet)-4[-.]6/, { ...BUDGET, thinking: 'both', efforts: [...LOW, 'max'], maxOutput: 128_000 }],
  [/claude-opus-4[-.]5/, { ...BUDGET, efforts: LOW }],
  [/claude-(sonnet|haiku)-4[-.]5/, BUDGET],
  [/claude-opus-4[-.]1/, { ...BUDGET, maxOutput: 32_000 }],
  [/claude-opus-4/, { ...BUDGET, sampling: 'both', maxOutput: 32_000 }],
  [/claude-(sonnet-4|3[-.]7)/, { ...BUDGET, sampling: 'both' }],
  [/claude-3[-.]5/, { ...PLAIN, maxOutput: 8192 }],
  [/claude-(3|2|instant)/, PLAIN],
];

export function familyOf(model: string): Family {
  const name = model.toLowerCase();
  const family = FAMILIES.find(([pattern]) => pattern.test(name))?.[1] ?? OTHERS;
  // Hosts that name it otherwise lag behind with what it takes in a conversation.
  return family.takesSystemTurns && !name.startsWith('claude-') ? { ...family, takesSystemTurns: false } : family;
}

/** What `max_tokens` is where nobody set it: room for a long turn, not all that the model could. */
const USUAL_OUTPUT = 32_000;

export const usualOutput = ({ maxOutput }: Family): number => Math.min(maxOutput, USUAL_OUTPUT);
