import type { Preset } from '../types.ts';

/** Refuses the role `developer` by name. */
export const deepseek: Preset = {
  name: 'deepseek',
  title: 'DeepSeek',
  protocol: 'openai-chat',
  baseUrl: 'https://api.deepseek.com',
  keyVariable: 'DEEPSEEK_API_KEY',
  models: ['deepseek-flash', 'deepseek-v4-pro'],
  capabilities: { developerRole: false, n: false },
  accountWideLimit: false,
  failureRows: [],
};
