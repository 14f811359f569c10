import type { Preset } from '../types.ts';

/** `logprobs` and `n` above 1 are documented as refused. */
export const groq: Preset = {
  name: 'groq',
  title: 'Groq',
  protocol: 'openai-chat',
  baseUrl: 'https://api.groq.com/openai/v1',
  keyVariable: 'GROQ_API_KEY',
  models: ['openai/gpt-oss-120b', 'llama-3.3-70b-versatile'],
  capabilities: { developerRole: false, n: false, logprobs: false },
  accountWideLimit: false,
  failureRows: [
    {
      id: 'groq_flex_capacity',
      title: 'no capacity for the flex tier',
      description: 'status 498',
      match: [{ by: 'status', status: [498] }],
      effect: {
        outcome: 'overloaded',
        component: 'target',
        onward: 'next_target',
        again: true,
        scope: 'route',
        hold: 'told_only',
        weight: 1,
      },
      columns: {
        outcome: '`overloaded`',
        beforeCommit: 'next, *again*',
        scope: 'route',
        hold: 'told; else circuit',
        circuit: '1',
      },
    },
  ],
};
