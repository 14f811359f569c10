import type { Preset } from '../types.ts';

export const openai: Preset = {
  name: 'openai',
  title: 'OpenAI',
  protocol: 'openai-chat',
  baseUrl: 'https://api.openai.com/v1',
  keyVariable: 'OPENAI_API_KEY',
  models: ['gpt-5.6'],
  capabilities: {},
  accountWideLimit: false,
  failureRows: [],
};
