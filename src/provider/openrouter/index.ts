import type { Preset } from '../types.ts';

export const openrouter: Preset = {
  name: 'openrouter',
  title: 'OpenRouter',
  protocol: 'openai-chat',
  baseUrl: 'https://openrouter.ai/api/v1',
  keyVariable: 'OPENROUTER_API_KEY',
  models: ['openrouter/auto'],
  capabilities: {},
  accountWideLimit: false,
  failureRows: [
    {
      id: 'openrouter_no_endpoint',
      title: 'no endpoint that can do what the request needs',
      description: '404 with "no endpoints found that support"',
      match: [
        { by: 'words', status: [404], words: ['no endpoints found that support tool use'], but: { feature: 'tools' } },
        {
          by: 'words',
          status: [404],
          words: ['no endpoints found that support image input'],
          but: { feature: 'images' },
        },
        { by: 'words', status: [404], words: ['no endpoints found that support'] },
      ],
      effect: {
        outcome: 'unsupported_capability',
        component: 'target',
        onward: 'next_capable',
        again: false,
        scope: 'none',
        hold: null,
        weight: 0,
      },
      columns: {
        outcome: '`unsupported_capability`',
        beforeCommit: 'next that can',
        scope: 'none',
        hold: 'none',
        circuit: '–',
      },
    },
  ],
};
