import { describe, expect, it } from 'vitest';
import { createSearch } from './find-planted.ts';

const KEY = 'Orchid-Lantern.quartz/Willow+Ember';
const each = (write: (code: number) => string): string => Array.from(KEY, (char) => write(char.charCodeAt(0))).join('');
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
    ['escaped with braces', each((code) => `\\u{${code.toString(16)}}`)],
    ['escaped with eight digits', each((code) => `\\U${code.toString(16).padStart(8, '0')}`)],
    ['in octal', each((code) => `\\${code.toString(8).padStart(3, '0')}`)],
    ['as padded HTML', each((code) => `&#0000${code};`)],
    ['as HTML in HTML', each((code) => `&amp;#x${code.toString(16)};`)],
    ['percent-encoded twice', each((code) => `%25${code.toString(16)}`)],
    ['base64 in lines', Buffer.from(`ab:${KEY}`).toString('base64').replace(/.{10}/g, '$&\r\n  ')],
    ['base64 in lines of JSON', Buffer.from(KEY).toString('base64').replace(/.{10}/g, '$&\\n')],
    ['hex with blanks', Buffer.from(KEY).toString('hex').replace(/../g, '$& ')],
    [
      'hex with colons',
      Buffer.from(KEY)
        .toString('hex')
        .toUpperCase()
        .replace(/..(?=.)/g, '$&:'),
    ],
    ['base64', Buffer.from(KEY).toString('base64')],
    ['base64 of user and key', Buffer.from(`ab:${KEY}`).toString('base64url')],
    ['hex', Buffer.from(KEY).toString('hex')],
    ['as a list of bytes', JSON.stringify(Buffer.from(KEY))],
    ['with invisible characters in it', KEY.split('').join('\u200b\u061c')],
  ])('finds it %s', (_, form) => {
    expect(search(`x ${form} y`).map(({ name }) => name)).toContain('key');
  });

  it('finds nothing in other texts', () => {
    expect(search(`orchids and lanterns, ${KEY.slice(0, 11)} and ${KEY.slice(12, 22)}`)).toEqual([]);
  });
});
