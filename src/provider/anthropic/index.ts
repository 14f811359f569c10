import type { Preset } from '../types.ts';

export const anthropic: Preset = {
  name: 'anthropic',
  title: 'Anthropic',
  protocol: 'anthropic-messages',
  baseUrl: 'https://api.anthropic.com',
  keyVariable: 'ANTHROPIC_API_KEY',
  models: ['claude-opus-4-8'],
  capabilities: {},
  accountWideLimit: false,
  failureRows: [],
};
