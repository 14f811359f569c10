import { describe, expect, it, vi } from 'vitest';
import { hintFor } from './path-hints.ts';
import { findRoute } from './routes.ts';

describe('the hint at a path that is not served', () => {
  it.each([
    ['/health', '/livez'],
    ['/healthz', '/readyz'],
    ['/health/liveliness', '/livez'],
    ['/v1', 'base URL'],
    ['/chat/completions', 'lacks the /v1'],
    ['/responses', 'lacks the /v1'],
    ['/messages', 'lacks the /v1'],
    ['/messages/count_tokens', 'lacks the /v1'],
    ['/models', 'lacks the /v1'],
    ['/v1/chat', 'POST /v1/chat/completions'],
    ['/v1/chat/completions/chat/completions', 'holds too much'],
    ['/v1/messages/v1/messages', 'holds too much'],
    ['/proxy/v1/chat/completions', 'holds too much'],
    ['/api/chat', 'Ollama'],
    ['/openai/deployments/x/chat/completions', 'Azure'],
    ['/api/v2/requests', '/api/v1'],
    ['/v1/images/generations', 'Of /v1 only'],
    ['/v1/messages/batches', 'Of /v1 only'],
    ['/v1/responses/x/y', 'Of /v1 only'],
    ['/v1/v1/v1/messages', 'holds too much'],
    ['/favicon.ico', 'GET /'],
    ['/wp-login.php', 'GET /'],
  ])('%s', (path, words) => {
    expect(findRoute('POST', path)).toEqual({ kind: 'none' });
    expect(hintFor(path)).toContain(words);
  });

  it.each(['/v1', '/v1/messages', '/', '/api/', '/health'])('looks at no path that is longer than any: %s', (part) => {
    const test = vi.spyOn(RegExp.prototype, 'test');
    const hint = hintFor(part.repeat(32_768 / part.length));
    const looks = test.mock.calls.length;
    test.mockRestore();
    expect([hint, looks]).toEqual(['GET / names the paths that there are.', 0]);
  });
});
