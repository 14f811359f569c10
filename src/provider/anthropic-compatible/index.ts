import type { Preset } from '../types.ts';

/**
 * A server of any make that speaks Messages. Which flags and optional fields it takes, nobody knows beforehand: it gets
 * all, and what it refuses is left out from then on.
 */
export const anthropicCompatible: Preset = {
  name: 'anthropic-compatible',
  title: 'Anthropic-compatible',
  protocol: 'anthropic-messages',
  baseUrl: null,
  keyVariable: null,
  models: [],
  capabilities: {},
  accountWideLimit: false,
  failureRows: [],
};
