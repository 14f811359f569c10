import type { Preset } from '../types.ts';

export const together: Preset = {
  name: 'together',
  title: 'Together AI',
  protocol: 'openai-chat',
  baseUrl: 'https://api.together.ai/v1',
  keyVariable: 'TOGETHER_API_KEY',
  models: ['openai/gpt-oss-120b', 'meta-llama/Llama-3.3-70B-Instruct-Turbo'],
  capabilities: { developerRole: false },
  accountWideLimit: false,
  failureRows: [],
};
