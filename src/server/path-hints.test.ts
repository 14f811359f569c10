import { describe, expect, it } from 'vitest';
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

  it('is quick whatever the path', () => {
    const before = performance.now();
    for (const part of ['/v1', '/v1/messages', '/', '/api/', '/health']) hintFor(part.repeat(32_768 / part.length));
    expect(performance.now() - before).toBeLessThan(500);
  });
});
