import type { Preset } from '../types.ts';

export const xai: Preset = {
  name: 'xai',
  title: 'xAI',
  protocol: 'openai-chat',
  baseUrl: 'https://api.x.ai/v1',
  keyVariable: 'XAI_API_KEY',
  models: ['grok-4.6', 'grok-4.3'],
  capabilities: { developerRole: false },
  accountWideLimit: false,
  failureRows: [],
};
