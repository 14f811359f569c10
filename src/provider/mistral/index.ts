import type { Preset } from '../types.ts';

/** Ids of tool calls are checked: nine letters and digits. A last assistant message is taken as a prefill. */
export const mistral: Preset = {
  name: 'mistral',
  title: 'Mistral',
  protocol: 'openai-chat',
  baseUrl: 'https://api.mistral.ai/v1',
  keyVariable: 'MISTRAL_API_KEY',
  models: ['mistral-large-latest', 'mistral-medium-latest'],
  capabilities: { developerRole: false, prefill: true, toolCallIds: 'alnum9' },
  accountWideLimit: false,
  failureRows: [],
};
