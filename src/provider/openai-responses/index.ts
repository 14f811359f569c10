import { openai } from '../openai/index.ts';
import type { Preset } from '../types.ts';

/** The same vendor, key and models by its other protocol: what Codex and newer clients speak. */
export const openaiResponses: Preset = {
  ...openai,
  name: 'openai-responses',
  title: 'OpenAI, Responses API',
  protocol: 'openai-responses',
};
