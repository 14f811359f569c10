import { expect, it } from 'vitest';
import { joinPath } from './join-path.ts';

it.each([
  ['', '/v1/messages', '/v1/messages'],
  ['/v1', '/v1/messages', '/v1/messages'],
  ['/anthropic', '/v1/messages', '/anthropic/v1/messages'],
  ['/anthropic/v1', '/v1/messages', '/anthropic/v1/messages'],
  ['/v2', '/v1/messages', '/v2/v1/messages'],
  ['/v1', '/v1beta/models/m:generateContent', '/v1/v1beta/models/m:generateContent'],
  ['/v1beta', '/v1beta/models/m:generateContent', '/v1beta/models/m:generateContent'],
  ['/prev1', '/v1/messages', '/prev1/v1/messages'],
  ['/v1', '/chat/completions', '/v1/chat/completions'],
  ['/v1', '/responses', '/v1/responses'],
  ['', '/chat/completions', '/chat/completions'],
])('joins "%s" and "%s"', (basePath, path, joined) => {
  expect(joinPath(basePath, path)).toBe(joined);
});
