import type { CacheMark, Extensions, Message } from './content.ts';
import type { JsonObject, JsonValue } from './json-value.ts';
import type { ToolChoice, ToolDefinition } from './tool.ts';

/** How much to think, from nothing to all that the model can. */
export const REASONING_EFFORTS = ['none', 'minimal', 'low', 'medium', 'high', 'xhigh', 'max'] as const;

export type ReasoningEffort = (typeof REASONING_EFFORTS)[number];

export type Reasoning = {
  /** Null: not said. A word that is none of ours rides in the extensions. */
  readonly effort: ReasoningEffort | null;
  /** Tokens of thinking; null: not said. -1: as many as the model likes (Gemini). */
  readonly budgetTokens: number | null;
  /** The model chooses (`thinking: adaptive`). */
  readonly isAdaptive?: boolean;
  /** What the client wants to see of it; null: not said. `full`: the thoughts themselves, where there are any. */
  readonly show: 'none' | 'auto' | 'concise' | 'detailed' | 'full' | null;
};

export type ResponseFormat =
  | { readonly type: 'text' }
  | { readonly type: 'json_object' }
  | {
      readonly type: 'json_schema';
      readonly name: string | null;
      readonly description: string | null;
      readonly schema: JsonObject;
      readonly strict: boolean | null;
    };

/** What the client may set beside its messages. A member that is absent was not set. */
export type PromptSettings = {
  readonly maxOutputTokens?: number;
  readonly temperature?: number;
  readonly topP?: number;
  readonly topK?: number;
  readonly minP?: number;
  readonly stop?: readonly string[];
  readonly n?: number;
  readonly seed?: number;
  readonly frequencyPenalty?: number;
  readonly presencePenalty?: number;
  readonly repetitionPenalty?: number;
  readonly logitBias?: JsonObject;
  readonly logprobs?: boolean;
  readonly topLogprobs?: number;
  readonly responseFormat?: ResponseFormat;
  readonly reasoning?: Reasoning;
  readonly verbosity?: string;
  readonly toolChoice?: ToolChoice;
  readonly parallelToolCalls?: boolean;
  readonly serviceTier?: string;
  readonly promptCacheKey?: string;
  readonly promptCacheRetention?: string;
  /** Mark the end of the prompt by itself (`cache_control` at the top of Messages). */
  readonly cache?: CacheMark;
  readonly metadata?: JsonObject;
  /** Who the user is, as the client's own id. */
  readonly userId?: string;
  readonly safetyId?: string;
  readonly store?: boolean;
  readonly prediction?: JsonValue;
  /** `text`, `image`, `audio`: what kinds of output are wanted. */
  readonly modalities?: readonly string[];
  /** Voice and format of spoken output. */
  readonly audio?: JsonObject;
};

export type SettingName = keyof PromptSettings;

/**
 * All that a request says, as a tree: made for translation only (a relay edits the original bytes). Protocols decode to
 * it and encode from it. What it has no word for stands in `extensions`, at the place where it was.
 */
export type CanonicalPrompt = {
  readonly messages: readonly Message[];
  readonly tools: readonly ToolDefinition[];
  readonly settings: PromptSettings;
  readonly extensions?: Extensions;
};
