import type { Preset } from '../types.ts';

/** All requests of an account share one rate limit. */
export const fireworks: Preset = {
  name: 'fireworks',
  title: 'Fireworks AI',
  protocol: 'openai-chat',
  baseUrl: 'https://api.fireworks.ai/inference/v1',
  keyVariable: 'FIREWORKS_API_KEY',
  models: ['accounts/fireworks/models/kimi-k3', 'accounts/fireworks/models/gpt-oss-120b'],
  capabilities: { developerRole: false },
  accountWideLimit: true,
  failureRows: [],
};
