import type { Preset } from '../types.ts';

/** A server of any make that speaks Chat Completions. Few of them know the role `developer`, all know `system`. */
export const openaiCompatible: Preset = {
  name: 'openai-compatible',
  title: 'OpenAI-compatible',
  protocol: 'openai-chat',
  baseUrl: null,
  keyVariable: null,
  models: [],
  capabilities: { developerRole: false },
  accountWideLimit: false,
  failureRows: [],
};
