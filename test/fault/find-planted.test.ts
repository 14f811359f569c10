import { describe, expect, it } from 'vitest';
import { createSearch } from './find-planted.ts';

const KEY = 'Orchid-Lantern.quartz/Willow+Ember';
const search = createSearch([{ name: 'key', value: KEY }]);

// The searcher itself must find things, or the suite that uses it proves nothing.
describe('the search for planted secrets', () => {
  it.each<[string, string]>([
    ['plain', KEY],
    ['in another case', KEY.toUpperCase()],
    ['a piece of it', KEY.slice(9, 21)],
    ['percent-encoded', encodeURIComponent(KEY)],
    ['every character percent-encoded', Buffer.from(KEY).toString('hex').replace(/../g, '%$&')],
    ['escaped for JSON', KEY.replace('O', '\\u004f').replaceAll('/', '\\/')],
    [
      'escaped twice',
      KEY.split('')
        .map((c) => `\\\\u00${c.charCodeAt(0).toString(16)}`)
        .join(''),
    ],
    [
      'as HTML',
      KEY.split('')
        .map((c) => `&#${c.charCodeAt(0)};`)
        .join(''),
    ],
    ['base64', Buffer.from(KEY).toString('base64')],
    ['base64 of user and key', Buffer.from(`ab:${KEY}`).toString('base64url')],
    ['hex', Buffer.from(KEY).toString('hex')],
    ['with invisible characters in it', KEY.split('').join('\u200b\u061c')],
  ])('finds it %s', (_, form) => {
    expect(search(`x ${form} y`).map(({ name }) => name)).toContain('key');
  });

  it('finds nothing in other texts', () => {
    expect(search(`orchids and lanterns, ${KEY.slice(0, 11)} and ${KEY.slice(12, 22)}`)).toEqual([]);
  });
});
