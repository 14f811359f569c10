import type { Preset } from '../types.ts';

/** The hosted endpoints throttle the key, not the model. */
export const nvidiaNim: Preset = {
  name: 'nvidia-nim',
  title: 'NVIDIA NIM',
  protocol: 'openai-chat',
  baseUrl: 'https://integrate.api.nvidia.com/v1',
  keyVariable: 'NVIDIA_API_KEY',
  models: ['meta/llama-3.3-70b-instruct'],
  capabilities: { developerRole: false },
  accountWideLimit: true,
  failureRows: [],
};
