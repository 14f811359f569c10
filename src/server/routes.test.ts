import { describe, expect, it } from 'vitest';
import { splitTarget } from './exchange.ts';
import { findRoute } from './routes.ts';

describe('request targets', () => {
  it.each([
    ['/v1/models?limit=1&a=b', '/v1/models'],
    ['//v1//models/', '/v1/models'],
    ['http://127.0.0.1:1/v1/models', '/v1/models'],
    ['', '/'],
    ['/?x', '/'],
    ['http://h', '/'],
  ])('%s', (url, path) => {
    expect(splitTarget(url).path).toBe(path);
  });

  it('keep their query', () => {
    expect(splitTarget('/readyz?capacity=1').query.get('capacity')).toBe('1');
  });

  it('find their row by method', () => {
    expect(findRoute('POST', '/v1/responses')).toMatchObject({ kind: 'found', row: { name: 'inference' } });
    expect(findRoute('POST', '/v1/responses/compact')).toMatchObject({ kind: 'found', row: { name: 'compact' } });
    expect(findRoute('POST', '/v1/responses/input_tokens')).toMatchObject({ kind: 'found', row: { name: 'count' } });
    expect(findRoute('POST', '/v1/messages/count_tokens')).toMatchObject({ kind: 'found', row: { name: 'count' } });
    for (const version of ['v1', 'v1beta', 'v1alpha']) {
      const found = findRoute('POST', `/${version}/models/a/b:countTokens`);
      expect(found).toMatchObject({ kind: 'found', row: { name: 'count', protocol: 'gemini' } });
    }
    expect(findRoute('POST', '/v1/responses/x')).toMatchObject({ kind: 'method', allow: ['GET', 'DELETE'] });
    expect(findRoute('GET', '/v1/responses')).toMatchObject({ kind: 'found', row: { name: 'websocket' } });
    expect(findRoute('GET', '/v1/chat/completions')).toMatchObject({ kind: 'method', allow: ['POST'] });
    expect(findRoute('GET', '/v1/models/a/m-a')).toMatchObject({ kind: 'found', rest: 'a/m-a' });
    expect(findRoute('GET', '/v1/responses/x/y')).toEqual({ kind: 'none' });
    expect(findRoute('GET', '/nothing')).toEqual({ kind: 'none' });
  });

  it.each([
    ['GET', '/v1/responses/resp_1', 'retrieve'],
    ['DELETE', '/v1/responses/resp_1', 'remove'],
    ['POST', '/v1/responses/resp_1/cancel', 'cancel'],
    ['GET', '/v1/responses/resp_1/input_items', 'list_items'],
  ])('%s %s is to %s', (method, path, name) => {
    expect(findRoute(method, path)).toMatchObject({
      kind: 'found',
      rest: 'resp_1',
      row: { name },
    });
  });

  it.each([
    ['POST', '/v1/v1/messages', 'inference'],
    ['POST', '/v1/v1/chat/completions', 'inference'],
    ['GET', '/v1/v1/models/a/m-a', 'model'],
    ['POST', '/v1/v1beta/models/x:generateContent', 'inference'],
    ['GET', '/v1/v1beta/models', 'models'],
    ['HEAD', '/v1/api/hello', 'hello'],
  ])('%s %s is served where the base URL said /v1 once too often', (method, path, name) => {
    expect(findRoute(method, path)).toMatchObject({ kind: 'found', row: { name } });
  });

  it.each(['/v1/v1', '/v1/v1/v1/messages', '/v1/api/v1/requests', '/v1/livez'])('%s is not', (path) => {
    expect(findRoute('GET', path)).toEqual({ kind: 'none' });
  });
});
