import type { Preset } from '../types.ts';

/** Runs on this machine and needs no key. */
export const ollama: Preset = {
  name: 'ollama',
  title: 'Ollama',
  protocol: 'openai-chat',
  baseUrl: 'http://localhost:11434/v1',
  keyVariable: null,
  models: ['llama3.3'],
  capabilities: { developerRole: false, n: false },
  accountWideLimit: false,
  failureRows: [],
};
