import type { Preset } from '../types.ts';

export const gemini: Preset = {
  name: 'gemini',
  title: 'Google Gemini',
  protocol: 'gemini',
  baseUrl: 'https://generativelanguage.googleapis.com/v1beta',
  keyVariable: 'GEMINI_API_KEY',
  models: ['gemini-2.5-pro'],
  capabilities: {},
  accountWideLimit: false,
  failureRows: [],
};
