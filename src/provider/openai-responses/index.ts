import { openai } from '../openai/index.ts';
import type { Preset } from '../types.ts';

/**
 * The same vendor by its other protocol: what Codex and newer clients speak. A start without configuration takes the
 * vendor once, by the protocol that most clients speak.
 */
export const openaiResponses: Preset = {
  ...openai,
  name: 'openai-responses',
  title: 'OpenAI, Responses API',
  protocol: 'openai-responses',
  keyVariable: null,
  models: [],
};
