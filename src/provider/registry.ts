import { anthropic } from './anthropic/index.ts';
import { anthropicCompatible } from './anthropic-compatible/index.ts';
import { deepseek } from './deepseek/index.ts';
import { demo } from './demo/index.ts';
import { fireworks } from './fireworks/index.ts';
import { gemini } from './gemini/index.ts';
import { groq } from './groq/index.ts';
import { mistral } from './mistral/index.ts';
import { nvidiaNim } from './nvidia-nim/index.ts';
import { ollama } from './ollama/index.ts';
import { openai } from './openai/index.ts';
import { openaiCompatible } from './openai-compatible/index.ts';
import { openaiResponses } from './openai-responses/index.ts';
import { openrouter } from './openrouter/index.ts';
import { together } from './together/index.ts';
import type { Preset } from './types.ts';
import { xai } from './xai/index.ts';

/** Known vendors, in the order in which a start without configuration asks them. */
export const PRESETS: readonly Preset[] = [
  openai,
  openaiResponses,
  anthropic,
  gemini,
  xai,
  mistral,
  deepseek,
  groq,
  together,
  fireworks,
  nvidiaNim,
  openrouter,
  ollama,
  openaiCompatible,
  anthropicCompatible,
  demo,
];
