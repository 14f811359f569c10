import type { Preset } from '../types.ts';

/** Fake models inside the gateway; its base URL is known when it has started. */
export const demo: Preset = {
  name: 'demo',
  title: 'Demo',
  protocol: 'openai-chat',
  baseUrl: null,
  keyVariable: null,
  models: ['error-503', 'ok'],
  capabilities: {},
  accountWideLimit: false,
  failureRows: [],
};
