import { describe, expect, it } from 'vitest';
import { readUrl, urlOf } from './media-url.ts';

describe('URLs of media', () => {
  it.each([
    ['data:image/png;base64,aGk=', { kind: 'base64', data: 'aGk=', mediaType: 'image/png' }],
    ['data:image/PNG;base64,aGk=', { kind: 'base64', data: 'aGk=', mediaType: 'image/png' }],
    ['data:image/png;charset=utf-8;base64,aGk=', { kind: 'base64', data: 'aGk=', mediaType: 'image/png' }],
    ['data:;base64,aGk=', { kind: 'base64', data: 'aGk=', mediaType: '' }],
    ['data:image/svg+xml,<svg/>', { kind: 'url', url: 'data:image/svg+xml,<svg/>' }],
    ['data:image/png;base64', { kind: 'url', url: 'data:image/png;base64' }],
    ['https://a/b.png?x=;base64,aGk=', { kind: 'url', url: 'https://a/b.png?x=;base64,aGk=' }],
  ] as const)('reads %s', (url, source) => {
    expect(readUrl(url)).toEqual(source);
  });

  it('writes bytes as they are read', () => {
    const source = { kind: 'base64', data: 'aGk=', mediaType: 'image/png' } as const;
    expect(urlOf(source)).toBe('data:image/png;base64,aGk=');
    expect(readUrl(urlOf(source) ?? '')).toEqual(source);
  });

  it('knows no URL of an id', () => {
    expect(urlOf({ kind: 'file_id', id: 'file_1', issuer: 'openai-chat' })).toBeNull();
  });
});
